from dataclasses import replace

import numpy as np
import pytest

from headway.ngram.markov import MarkovChain
from headway.tasks.chapters.markov.beat_unigram import (
    SHARE,
    contexts,
    next_word,
    one_word_back,
    perplexity,
)
from headway.tasks.chapters.markov.unigram import SIZE, unigram
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from headway.text.corpus.either_word import either_word_sentences
from headway.text.corpus.numbered import number_sentences
from headway.text.corpus.standard_library import plain_sentences
from tests.full import seeds

SEEDS = seeds(3)


def discounted(train, size, prefixes, order):
    """As the page mixes: a chain of an order, with what it discounts left to the orders below."""
    rows = np.full((len(prefixes), size + 1), 1 / (size + 1))
    for n in range(order + 1):
        chain, windows = MarkovChain(train, size, n), contexts(prefixes, size, n)
        counts = chain.table.dense(chain.rows(windows))
        totals, kinds = counts.sum(axis=1, keepdims=True), (counts > 0).sum(axis=1, keepdims=True)
        mixed = (np.maximum(counts - 0.75, 0) + 0.75 * kinds * rows) / np.maximum(totals, 1)
        rows = np.where(totals > 0, mixed, rows)
    return rows


@pytest.mark.parametrize("seed", SEEDS)
def test_the_perplexity_target_is_below_every_chain_of_the_page_with_margin(seed):
    task = find_task("02-markov/beat-unigram")
    for case in filter(lambda case: case.truth, task.cases(np.random.default_rng(seed))):
        train, size, prefixes = case.inputs
        latest = np.array([[size, *prefix][-1:] for prefix in prefixes])

        def share(rows, case=case):
            return perplexity(rows, case.truth.following) / case.truth.base

        assert share(one_word_back(*case.inputs)) == pytest.approx(1)
        assert share(np.tile(unigram(train, size), (len(prefixes), 1))) > 1.3
        assert share(next_word(*case.inputs)) < 0.98 * SHARE
        # The chapter's own chains, however they are smoothed
        for little in (0.01, 0.03, 0.1, 1):
            chain = MarkovChain(train, size, 1, smoothing=little)
            assert share(chain.predict(latest)) > 1.02 * SHARE
        for order in range(4):
            assert share(discounted(*case.inputs, order)) > 1.1 * SHARE
        assert size == SIZE


def test_the_sentences_to_predict_are_on_no_disk():
    sentences = plain_sentences()
    text = number_sentences(np.random.default_rng(0), sentences, SIZE, 0.5)
    known = [*text.train, *text.held_out]
    new = either_word_sentences(np.random.default_rng(1), known, SIZE, 50, 20)
    assert not set(map(tuple, new)) & set(map(tuple, known))


def test_rows_that_are_no_distributions_are_refused_however_good_their_perplexity():
    task = replace(find_task("02-markov/beat-unigram"), misconceptions=())  # no names are asked for

    def certain_of_everything(train, size, prefixes):
        return np.ones((len(prefixes), size + 1))

    def less_than_nothing(train, size, prefixes):
        rows = np.full((len(prefixes), size + 1), 0.01)
        rows[:, 0] = 1 - 0.01 * size
        return rows

    def lists(train, size, prefixes):
        return next_word(train, size, prefixes).tolist()

    assert "Give an array" in judge(task, lists).reason
    assert "sums to 401" in judge(task, certain_of_everything).reason
    assert "below 0" in judge(task, less_than_nothing).reason
