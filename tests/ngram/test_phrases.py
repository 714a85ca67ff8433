"""Chains in which the likely word leads astray."""

from itertools import product

import numpy as np
import pytest
import torch

from headway.inference.exact import viterbi
from headway.ngram.phrases import (
    best_log_probability,
    log_probability,
    misleading_chain,
    phrase_chain,
    vocabulary_size,
)
from headway.ngram.strategies import greedy, narrow_beam


def drawn(seed: int, phrases: int = 3):
    return phrase_chain(np.random.default_rng(seed), phrases)


def test_every_row_is_a_distribution_and_nothing_is_impossible():
    table, start = drawn(0)
    V = vocabulary_size(3)
    assert table.shape == (V, V, V)
    np.testing.assert_allclose(np.exp(table).sum(axis=-1), 1)
    assert np.isfinite(table).all()
    assert all(0 <= word < V for word in start)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_is_that_of_the_search_that_lists_all_and_of_viterbi(seed):
    table, start = drawn(seed)
    every = product(range(len(table)), repeat=3)
    listed = max(log_probability(table, start, ids) for ids in every)
    assert best_log_probability(table, start, 3) == pytest.approx(listed)
    ids, score = viterbi(torch.from_numpy(table), start, 20)
    assert best_log_probability(table, start, 20) == pytest.approx(score)
    assert log_probability(table, start, ids.tolist()) == pytest.approx(score)


def test_in_a_misleading_chain_the_greedy_choice_and_a_beam_lose():
    for seed in range(3):
        table, start, best = misleading_chain(np.random.default_rng(seed), 4, 30)
        given = (lambda a, b, table=table: table[a, b]), len(table), start, 30, 30
        assert best == pytest.approx(best_log_probability(table, start, 30))
        assert log_probability(table, start, greedy(*given)) < 1.1 * best
        assert log_probability(table, start, narrow_beam(*given, width=24)) < 1.02 * best


def test_only_vague_phrases_are_refused():
    with pytest.raises(ValueError, match="got 2"):
        drawn(0, 2)
