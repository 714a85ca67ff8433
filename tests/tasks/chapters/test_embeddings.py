"""What the tasks of assignment 06 owe beyond what all tasks do."""

import numpy as np
import pytest
import torch

from headway.tasks.chapters.embeddings.negatives import given_sampled_loss, sampled_loss
from headway.tasks.chapters.embeddings.purity import (
    TARGET,
    both_sides,
    examine,
    learn_vectors,
    neighbor_counts,
    purity_cases,
    strongest,
)
from headway.tasks.chapters.embeddings.skip_gram import skip_gram_cases, skip_gram_loss
from headway.tasks.chapters.embeddings.trades import OTHER, draw_language, neighbor_purity
from tests.full import FULL, seeds
from tests.tasks.variants.embeddings import by_skip_gram

SEEDS = seeds(3)
WINDOWS, WIDTHS = ((1, 2, 3, 4, 6, 99), (4, 8, 16, 24, 32)) if FULL else ((1, 2, 99), (8, 24))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_target_of_the_train_task_stands_between_its_baselines_with_margin(seed):
    for case in purity_cases(np.random.default_rng(seed))[:2]:
        sentences, asks, size = case.inputs
        assert examine(learn_vectors(sentences, asks, size), case).purity > TARGET + 0.05
        assert examine(by_skip_gram(sentences, asks, size).detach(), case).purity > TARGET + 0.05
        for window in WINDOWS:
            table = np.log1p(neighbor_counts(sentences, size, window, window))
            for width in WIDTHS:
                assert examine(strongest(table, width), case).purity < 0.75
                sides = np.log1p(both_sides(sentences, size, window))
                assert examine(strongest(sides, width), case).purity < 0.75
        for sides in ((0, 2), (2, 0)):
            table = np.log1p(neighbor_counts(sentences, size, *sides))
            assert examine(strongest(table, 24), case).purity < 0.75
        drawn = np.random.default_rng(0).normal(size=(size, 24))
        assert examine(drawn, case).purity < 0.2


def test_purity_is_the_share_of_the_five_nearest_of_the_same_label():
    labels = np.repeat([0, 1, OTHER], [6, 6, 3])
    apart = np.eye(3)[np.repeat([0, 1, 2], [6, 6, 3])] + 0.01
    assert neighbor_purity(apart, labels) == 1
    assert neighbor_purity(apart, np.tile([0, 1, OTHER], 5)) < 0.7
    assert neighbor_purity(3 * apart, labels, of=labels == 1) == 1


def test_in_a_question_the_nouns_stand_where_the_others_do_in_a_statement():
    language = draw_language(np.random.default_rng(3), trades=3, nouns=6, verbs=4, clauses=2_000)
    marks = {OTHER: "", 0: "doer", 1: "thing"}
    last = {(asked, kind): 0 for asked in (False, True) for kind in ("doer", "thing")}
    for sentence, asked in zip(language.sentences, language.asks, strict=True):
        last_word = marks[language.roles[sentence[-1]]]
        if last_word:
            last[asked, last_word] += 1
    assert last[False, "doer"] == last[True, "thing"] == 0
    assert min(last[False, "thing"], last[True, "doer"]) > 100


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_the_faulty_loss_learns_in_small_batches_and_not_in_large_ones(seed):
    """What the text of the debug task says of it."""
    draw = torch.Generator().manual_seed(seed)
    language = draw_language(np.random.default_rng(seed), 4, 7, 6, 2_000)
    size = language.size
    pairs = [
        (center, sentence[s])
        for sentence in language.sentences
        for t, center in enumerate(sentence)
        for s in range(max(0, t - 2), min(len(sentence), t + 3))
        if s != t
    ]
    centers, contexts = torch.tensor(pairs).T
    noise = torch.bincount(contexts, minlength=size).float() ** 0.75

    def trained(loss_of, batch, steps):
        E, U = (0.1 * torch.randn(size, 24, generator=draw) for _ in range(2))
        optimizer = torch.optim.Adam([E.requires_grad_(), U.requires_grad_()], lr=0.02)
        for _ in range(steps):
            rows = torch.randint(len(centers), (batch,), generator=draw)
            drawn = torch.multinomial(noise, batch * 5, replacement=True, generator=draw)
            loss = loss_of(E[centers[rows]], U, contexts[rows], drawn.view(batch, 5))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return loss.item(), neighbor_purity(E.detach().numpy(), language.trades)

    loss, of_the_trade = trained(given_sampled_loss, 4_096, 50)
    assert loss < 0.01
    assert of_the_trade < 0.85
    assert trained(given_sampled_loss, 4_096, 200)[1] < 0.85
    assert trained(given_sampled_loss, 16, 1_000)[1] > 0.9
    loss, of_the_trade = trained(sampled_loss, 4_096, 200)
    assert loss > 1.5
    assert of_the_trade > 0.95


def test_the_skip_gram_loss_of_equal_vectors_is_that_of_a_guess():
    ids, _, _, window = skip_gram_cases(np.random.default_rng(0))[0].inputs
    loss = skip_gram_loss(ids, torch.zeros(6, 3), torch.randn(6, 3), window)
    pairs = 2 * (len(ids) - 1)
    assert window == 1
    assert loss == pytest.approx(np.log(6) * pairs / len(ids))
