import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from headway.nn.word_vectors import (
    SkipGram,
    draw_negatives,
    negative_sampling_loss,
    noise_distribution,
    pairs,
)
from headway.shapes import ShapeError
from headway.text.counts import nearest
from headway.training.batches import Shuffled
from tests.nn.drawn import seeded

V, C = 6, 4


def ids(*shape):
    return torch.zeros(shape, dtype=torch.int64)


def test_skip_gram_scores_every_word_by_its_product_with_the_centers_vector():
    model, centers = SkipGram(V, C, seeded()), torch.tensor([4, 0])
    expected = model.given.weight[[4, 0]] @ model.guessed.weight.T
    torch.testing.assert_close(model(centers), expected)
    assert sum(p.numel() for p in model.parameters()) == 2 * V * C


@given(st.integers(0, 999))
def test_negative_sampling_is_its_formula_without_the_draws_that_hit_the_target(seed):
    model, generator = SkipGram(V, C, seeded(seed)), seeded(seed)
    model.given.weight.data *= 50  # away from zero, where every sigmoid is a half
    model.guessed.weight.data *= 50
    centers, targets = torch.randint(V, (2, 5), generator=generator)
    negatives = torch.randint(V, (5, 3), generator=generator)
    losses = []
    for b in range(5):
        scores = model.hidden(centers[b]) @ model.guessed.weight.T
        loss = -functional.logsigmoid(scores[targets[b]])
        for word in negatives[b]:
            if word != targets[b]:
                loss = loss - functional.logsigmoid(-scores[word])
        losses.append(loss)
    hidden, guessed = model.hidden(centers), model.guessed.weight
    ours = negative_sampling_loss(hidden, guessed, targets, negatives)
    torch.testing.assert_close(ours, torch.stack(losses).mean())


def test_negatives_follow_the_counts_to_the_power_three_quarters():
    counts = torch.tensor([0, 1, 16, 81])
    noise = noise_distribution(counts)
    torch.testing.assert_close(noise, torch.tensor([0.0, 1, 8, 27]) / 36)
    n = 20_000
    drawn = draw_negatives(noise, torch.zeros(n // 5).long(), 5, seeded())
    assert drawn.shape == (n // 5, 5)
    shares = torch.bincount(drawn.flatten(), minlength=4) / n
    assert shares[0] == 0
    assert ((shares - noise).abs() <= 5 * (noise * (1 - noise) / n).sqrt()).all()


def test_negative_sampling_puts_words_with_like_neighbors_side_by_side():
    generator, rng = seeded(), np.random.default_rng(0)
    # Sentences of two kinds, with three interchangeable words in each place.
    sentences = [rng.integers(3, size=3) + [0, 3, 6] + 9 * (i % 2) for i in range(120)]
    noise = noise_distribution(torch.bincount(torch.from_numpy(np.concatenate(sentences))))
    model, examples = SkipGram(18, 8, generator), pairs(sentences, 2, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    batch = Shuffled(examples, 64)
    for step in range(180):
        centers, contexts = batch(step)
        negatives = draw_negatives(noise, contexts, 5, generator)
        hidden, guessed = model.hidden(centers), model.guessed.weight
        optimizer.zero_grad()
        negative_sampling_loss(hidden, guessed, contexts, negatives).backward()
        optimizer.step()
    vectors = model.given.weight.detach().numpy()
    for word in range(18):
        ids, _ = nearest(vectors, word, 2)
        assert set(ids // 3) == {word // 3}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: negative_sampling_loss(torch.zeros(2, C), torch.zeros(V, C), ids(3), ids(2, 5)),
            ShapeError,
            r"\(2, 4\), targets \(3,\) and negatives \(2, 5\)",
        ),
        (lambda: pairs([[0, 1]], 0, 0), ValueError, "left=0, right=0"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
