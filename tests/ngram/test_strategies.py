"""Strategies that lose, held to what each of them does."""

import numpy as np
import pytest

from headway.ngram.phrases import log_probability, phrase_chain, vocabulary_size
from headway.ngram.strategies import best_of_samples, greedy, narrow_beam

V, STEPS, BUDGET = vocabulary_size(4), 20, 60


class Counting:
    """A chain that counts what it is asked."""

    def __init__(self, seed: int):
        self.table, self.start = phrase_chain(np.random.default_rng(seed), 4)
        self.asked = 0

    def __call__(self, a, b):
        self.asked += 1
        return self.table[a, b]


@pytest.mark.parametrize("strategy", [greedy, best_of_samples, narrow_beam])
def test_a_strategy_gives_its_words_within_the_budget(strategy):
    model = Counting(0)
    words = strategy(model, V, model.start, STEPS, BUDGET)
    assert len(words) == STEPS
    assert all(0 <= word < V for word in words)
    assert model.asked <= BUDGET


def test_a_beam_of_one_is_the_greedy_choice():
    model = Counting(1)
    given = model, V, model.start, STEPS, BUDGET
    assert narrow_beam(*given, width=1) == greedy(*given)


def test_a_wide_beam_is_usually_likelier_and_samples_are_not():
    found = dict.fromkeys((greedy, best_of_samples, narrow_beam), 0.0)
    for seed in range(8):
        model = Counting(seed)
        for strategy in found:
            words = strategy(model, V, model.start, STEPS, BUDGET)
            found[strategy] += log_probability(model.table, model.start, words)
    assert found[best_of_samples] < found[greedy] < found[narrow_beam]
