import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from headway.nn.word_vectors import (
    ContinuousBagOfWords,
    SkipGram,
    batches,
    draw_negatives,
    negative_sampling_loss,
    noise_distribution,
    pairs,
    windows,
)
from headway.shapes import ShapeError
from headway.text.counts import nearest
from tests.nn.drawn import seeded

V, C = 6, 4
texts = st.lists(st.lists(st.integers(0, V - 1), max_size=7), max_size=6)


def ids(*shape):
    return torch.zeros(shape, dtype=torch.int64)


def looped_windows(sentences, left, right):
    """Each word with the words of its window, by loops."""
    found = []
    for sentence in sentences:
        for i, center in enumerate(sentence):
            context = sentence[max(0, i - left) : i] + sentence[i + 1 : i + 1 + right]
            if context:
                found.append((center, context))
    return found


@given(texts, st.sampled_from([(0, 1), (2, 0), (1, 3), (2, 2)]))
def test_windows_are_those_of_plain_loops_and_never_cross_a_sentence(sentences, sides):
    expected = looped_windows(sentences, *sides)
    made = [
        (center.item(), context[present].tolist())
        for center, context, present in zip(*windows(sentences, *sides), strict=True)
    ]
    assert made == expected
    of_windows = [[center, word] for center, context in expected for word in context]
    assert sorted(torch.stack(pairs(sentences, *sides)).T.tolist()) == sorted(of_windows)


@given(st.integers(0, 20), st.integers(1, 7), st.integers(0, 99))
def test_a_pass_gives_every_example_once_and_keeps_its_parts_together(number, size, seed):
    examples = torch.arange(number), 10 * torch.arange(number)
    parts = list(batches(examples, size, seeded(seed)))
    assert sorted(i for first, _ in parts for i in first.tolist()) == list(range(number))
    assert all(torch.equal(10 * first, second) for first, second in parts)
    assert all(len(first) == size for first, _ in parts[:-1])


def test_the_generator_alone_decides_the_order():
    orders = [next(batches((torch.arange(50),), 50, seeded(seed)))[0] for seed in (1, 1, 2)]
    assert torch.equal(orders[0], orders[1])
    assert not torch.equal(orders[0], orders[2])


def test_skip_gram_scores_every_word_by_its_product_with_the_centers_vector():
    model, centers = SkipGram(V, C, seeded()), torch.tensor([4, 0])
    expected = model.given.weight[[4, 0]] @ model.guessed.weight.T
    torch.testing.assert_close(model(centers), expected)
    assert sum(p.numel() for p in model.parameters()) == 2 * V * C


def test_cbow_takes_the_mean_of_the_words_that_are_there():
    model = ContinuousBagOfWords(V, C, seeded())
    contexts = torch.tensor([[3, 5, 0], [2, 0, 0], [0, 0, 0]])
    present = torch.tensor([[True, True, False], [True, False, False], [False] * 3])
    given = model.given.weight
    expected = torch.stack(((given[3] + given[5]) / 2, given[2], torch.zeros(C)))
    torch.testing.assert_close(model.hidden(contexts, present), expected)
    torch.testing.assert_close(model(contexts, present), expected @ model.guessed.weight.T)


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
    for _ in range(15):
        for centers, contexts in batches(examples, 64, generator):
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
            lambda: ContinuousBagOfWords(V, C, seeded())(ids(2, 3), torch.ones(2, 4).bool()),
            ShapeError,
            r"\(2, 3\) and present \(2, 4\)",
        ),
        (
            lambda: negative_sampling_loss(torch.zeros(2, C), torch.zeros(V, C), ids(3), ids(2, 5)),
            ShapeError,
            r"\(2, 4\), targets \(3,\) and negatives \(2, 5\)",
        ),
        (lambda: next(batches((ids(3), ids(2)), 2, seeded())), ShapeError, r"\[3, 2\]"),
        (lambda: windows([[0, 1]], 0, 0), ValueError, "left=0, right=0"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
