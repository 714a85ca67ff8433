"""The chain of equivalences, part I: what the objects of chapters 1 to 4 equal."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from headway.ngram.markov import MarkovChain
from headway.ngram.skipbigram import SkipBigrams
from headway.ngram.soft_lookup import SoftLookup, hard_lookup, pad_features
from headway.nn.embedding import embed
from headway.text.vocabulary import look_up, one_hot
from tests.chain.convergence import falls, with_boundaries
from tests.chain.votes import ALL_MASKED, MASK, MODEL, ONE_UNMASKED, masked_vote, mean_vote

V = 5
corpora = st.lists(st.lists(st.integers(0, V - 1), min_size=1, max_size=7), min_size=1, max_size=6)
VOTES = torch.from_numpy(MODEL.votes())
SCORES = torch.from_numpy(MASK).double()


@given(st.lists(st.lists(st.integers(0, V - 1), min_size=3, max_size=3), max_size=4))
def test_01_a_one_hot_product_is_a_lookup_of_rows(ids):
    table = np.random.default_rng(0).normal(size=(V, 7))
    ids = np.array(ids, dtype=np.int64).reshape(-1, 3)
    assert np.array_equal(one_hot(ids, V) @ table, table[ids])
    assert np.array_equal(look_up(ids, table), table[ids])


@pytest.mark.parametrize("size", [10, 1000])
def test_01_the_product_multiplies_v_times_for_every_number_that_the_lookup_copies(size):
    ids, width, costs = torch.arange(8), 16, []

    def product(ids, table):
        return functional.one_hot(ids, len(table)).float() @ table

    for look in (product, embed):
        with FlopCounterMode(display=False) as counter:
            look(ids, torch.zeros(size, width))
        costs.append(counter.get_total_flops() // 2)  # a multiplication and an addition
    assert costs == [len(ids) * size * width, 0]


@given(corpora)
def test_02_a_one_hot_vector_times_the_transition_matrix_is_the_distribution_of_the_next_word(
    sentences,
):
    chain = MarkovChain(sentences, V)
    counted = Counter(pair for text in with_boundaries(sentences, V) for pair in pairwise(text))
    counts = np.array([[counted[word, after] for after in range(V + 1)] for word in range(V + 1)])
    P = chain.transition_matrix()
    for word in range(V + 1):
        distribution = one_hot(word, V + 1) @ P
        assert np.array_equal(distribution, chain.predict([word]))
        assert np.array_equal(distribution, counts[word] / max(counts[word].sum(), 1))


@given(corpora)
def test_03_skip_bigrams_of_adjacent_pairs_are_the_second_order_chain_row_for_row(sentences):
    model, chain = SkipBigrams(sentences, V, reach=1), MarkovChain(sentences, V, order=2)
    inside = (chain.contexts != chain.boundary).all(axis=1)
    assert np.array_equal(model.pairs, chain.contexts[inside])
    assert np.array_equal(model.votes(), chain.matrix()[inside])
    for text in sentences:
        for t in range(2, len(text) + 1):
            assert np.array_equal(model.predict(text[:t]), chain.predict(text[t - 2 : t]))


def test_04_a_soft_lookup_becomes_a_hard_one_as_the_temperature_falls_to_zero():
    scores = torch.randn(len(MODEL), generator=torch.Generator().manual_seed(0)).double()
    batch = pad_features(MODEL, ONE_UNMASKED + ALL_MASKED)
    hard = hard_lookup(scores, VOTES, *batch)
    errors = [
        (SoftLookup(VOTES, scores, temperature)(*batch)[0] - hard).abs().max().item()
        for temperature in (1, 0.3, 0.1, 0.03, 0.01, 0.003, 1e-7)
    ]
    assert falls(errors)
    assert errors[0] > 0.1
    assert errors[-1] == 0  # exp(−10⁴) is


def test_04_with_one_unmasked_feature_present_a_soft_lookup_is_the_masked_vote():
    expected = torch.from_numpy(np.array([masked_vote(prefix) for prefix in ONE_UNMASKED]))
    batch, errors = pad_features(MODEL, ONE_UNMASKED), []
    for scale in (0, 2, 8, 32, 1e4):
        mixed, _ = SoftLookup(VOTES, scale * SCORES)(*batch)
        errors.append((mixed - expected).abs().max().item())
    assert falls(errors)
    assert errors[0] > 0.1
    assert errors[-1] == 0


@pytest.mark.parametrize("scale", [0, 1, 1e4])
def test_04_with_no_unmasked_feature_present_a_soft_lookup_is_the_mean_vote(scale):
    expected = torch.from_numpy(np.array([mean_vote(prefix) for prefix in ALL_MASKED]))
    mixed, _ = SoftLookup(VOTES, scale * SCORES)(*pad_features(MODEL, ALL_MASKED))
    torch.testing.assert_close(mixed, expected, atol=1e-12, rtol=0)
