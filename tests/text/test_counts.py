import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.text.counts import (
    bag_of_words,
    co_occurrences,
    hal,
    lsa,
    nearest,
    ppmi,
    tf_idf,
    window_pairs,
)
from headway.text.vocabulary import Vocabulary

V = 5
texts = st.lists(st.lists(st.integers(0, V - 1), max_size=7), max_size=6)
sides = st.integers(0, 4)


def looped_pairs(sentences, left, right):
    """The pairs of all windows, by three loops."""
    return [
        (sentence[i], sentence[j])
        for sentence in sentences
        for i in range(len(sentence))
        for j in range(max(0, i - left), min(len(sentence), i + right + 1))
        if i != j
    ]


@given(texts, sides, sides)
def test_windows_are_those_of_plain_loops_and_never_cross_a_sentence(sentences, left, right):
    if left + right == 0:
        return
    centers, contexts = window_pairs(sentences, left, right)
    pairs = sorted(zip(centers.tolist(), contexts.tolist(), strict=True))
    assert pairs == sorted(looped_pairs(sentences, left, right))


def test_two_sentences_are_not_neighbors():
    assert window_pairs([[0, 1], [2]], 2, 2)[0].tolist() == [1, 0]
    assert window_pairs([[0, 1, 2]], 0, 1)[1].tolist() == [1, 2]


@given(texts, sides, sides)
def test_co_occurrences_count_the_pairs(sentences, left, right):
    if left + right == 0:
        return
    expected = np.zeros((V, V))
    for pair in looped_pairs(sentences, left, right):
        expected[pair] += 1
    np.testing.assert_array_equal(co_occurrences(sentences, V, left, right), expected)


@given(texts, st.integers(1, 4))
def test_an_even_window_gives_a_symmetric_table(sentences, side):
    table = co_occurrences(sentences, V, side, side)
    np.testing.assert_array_equal(table, table.T)


def test_a_window_of_one_word_to_the_right_counts_bigrams():
    table = co_occurrences([[0, 1, 2], [1, 2]], 3, 0, 1)
    np.testing.assert_array_equal(table, [[0, 1, 0], [0, 0, 2], [0, 0, 0]])


@given(texts, st.integers(1, 4))
def test_hal_adds_up_the_windows_of_every_size(sentences, window):
    before = sum(co_occurrences(sentences, V, side, 0) for side in range(1, window + 1))
    np.testing.assert_array_equal(hal(sentences, V, window), np.hstack((before, before.T)))


def test_ppmi_is_the_logarithm_of_how_much_more_often_than_by_chance():
    counts = np.array([[6, 2, 0], [2, 6, 0], [0, 0, 8]])  # chance: 8/3 for each pair
    e = ppmi(counts)
    np.testing.assert_allclose(np.diag(e), [math.log(6 / (8 / 3))] * 2 + [math.log(3)])
    assert e[0, 1] == 0, "fewer than by chance"
    assert e[0, 2] == 0, "never"


@given(texts, sides, st.integers(1, 9))
def test_ppmi_is_never_negative_and_no_longer_text_changes_it(sentences, side, times):
    if side == 0:
        return
    once = ppmi(co_occurrences(sentences, V, side, side))
    assert (once >= 0).all()
    np.testing.assert_allclose(ppmi(co_occurrences(sentences * times, V, side, side)), once)


def test_ppmi_of_words_that_meet_by_chance_is_zero():
    np.testing.assert_allclose(ppmi(np.outer([1, 2, 3], [4, 5, 6, 0])), 0, atol=1e-12)


def test_hal_counts_near_words_more_than_far_ones():
    table = hal([[0, 1, 2]], 3, window=2)
    np.testing.assert_array_equal(table[2], [1, 2, 0, 0, 0, 0])
    np.testing.assert_array_equal(table[0], [0, 0, 0, 0, 2, 1])


@given(texts, st.randoms())
def test_a_bag_of_words_forgets_the_order_and_keeps_the_length(documents, random):
    bag = bag_of_words(documents, V)
    assert bag.shape == (len(documents), V)
    assert bag.sum(axis=1).tolist() == [len(document) for document in documents]
    for document in documents:
        random.shuffle(document)
    np.testing.assert_array_equal(bag_of_words(documents, V), bag)


def test_tf_idf_is_the_count_times_the_logarithm_of_one_in_how_many_documents():
    weights = tf_idf(np.array([[2, 1, 0, 0], [0, 1, 3, 0], [0, 1, 1, 0]]))
    expected = np.array([[2 * math.log(3), 0, 0, 0], [0, 0, 3, 0], [0, 0, 1, 0]])
    expected[:, 2] *= math.log(3 / 2)
    np.testing.assert_allclose(weights, expected)


@given(st.lists(st.lists(st.integers(0, V - 1), min_size=1), min_size=1))
def test_tf_idf_is_zero_for_a_word_that_every_document_has_and_never_negative(documents):
    bag = bag_of_words(documents, V)
    weights = tf_idf(bag)
    assert (weights >= 0).all()
    np.testing.assert_array_equal(weights == 0, (bag == 0) | (bag > 0).all(axis=0))


def counts(rows, columns, seed=0):
    return np.random.default_rng(seed).poisson(3, size=(rows, columns))


@given(st.integers(2, 7), st.integers(2, 7), st.integers(0, 99))
def test_full_rank_lsa_keeps_all_dot_products_of_the_dampened_rows(rows, columns, seed):
    table = counts(rows, columns, seed)
    vectors, dampened = lsa(table, min(rows, columns)), np.log1p(table)
    np.testing.assert_allclose(vectors @ vectors.T, dampened @ dampened.T, atol=1e-8)


@given(st.integers(1, 5), st.integers(0, 99))
def test_lsa_loses_what_the_smaller_singular_values_hold(rank, seed):
    dampened = np.log1p(counts(6, 8, seed))
    vectors = lsa(counts(6, 8, seed), rank)
    lost = dampened - vectors @ np.linalg.lstsq(vectors, dampened, rcond=None)[0]
    rest = np.linalg.svd(dampened, compute_uv=False)[rank:]
    assert np.linalg.norm(lost) == pytest.approx(np.linalg.norm(rest))


@given(st.integers(1, 6), st.integers(1, 9), st.integers(0, 99))
def test_lsa_is_the_truncated_singular_value_decomposition(rows, columns, seed):
    table, rank = counts(rows, columns, seed), (min(rows, columns) + 1) // 2
    left, strengths, _ = np.linalg.svd(np.log1p(table), full_matrices=False)
    expected = left[:, :rank] * strengths[:rank]
    signs = np.sign((expected * lsa(table, rank)).sum(axis=0))  # a direction's sign is free
    np.testing.assert_allclose(lsa(table, rank), expected * signs, atol=1e-6)


def test_the_directions_of_lsa_are_orthogonal_strongest_first_and_have_a_fixed_sign():
    vectors = lsa(counts(8, 6), 4)
    products = vectors.T @ vectors
    np.testing.assert_allclose(products, np.diag(np.diag(products)), atol=1e-9)
    assert (np.diff(np.diag(products)) <= 0).all()
    assert (vectors.max(axis=0) >= -vectors.min(axis=0)).all()


def test_words_in_like_company_are_near_though_they_never_meet():
    lines = ["the cat eats fish", "the dog eats meat", "a car needs fuel", "a truck needs oil"]
    vocabulary = Vocabulary.from_text(" ".join(lines))
    pairs = co_occurrences([vocabulary.encode(line) for line in lines], len(vocabulary), 2, 2)
    found, _ = nearest(lsa(pairs, 2), vocabulary.id("cat"), 1)
    assert pairs[vocabulary.id("cat"), vocabulary.id("dog")] == 0
    assert vocabulary.decode(found) == ["dog"]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 99))
def test_neighbors_are_the_words_with_the_largest_cosines_without_the_word_itself(
    query, number, seed
):
    vectors = np.random.default_rng(seed).normal(size=(10, 3))
    ids, cosines = nearest(vectors, query, number)
    assert len(ids) == number
    assert query not in ids
    by_hand = {
        i: vectors[i] @ vectors[query] / math.sqrt(vectors[i] @ vectors[i])
        for i in range(10)
        if i != query
    }
    assert ids.tolist() == sorted(by_hand, key=by_hand.get, reverse=True)[:number]
    length = np.linalg.norm(vectors[query])
    np.testing.assert_allclose(cosines, [by_hand[i] / length for i in ids.tolist()])


def test_length_does_not_make_a_neighbor_and_a_twin_is_one():
    vectors = np.array([[1.0, 0.0], [100.0, 100.0], [2.0, 0.1], [1.0, 0.0], [0.0, 0.0]])
    ids, cosines = nearest(vectors, 0, 4)
    assert ids.tolist() == [3, 2, 1, 4]
    assert cosines[[0, 3]].tolist() == [1, 0]


def test_neighbors_that_tie_come_in_the_order_of_their_ids():
    assert nearest(np.ones((4, 2)), 2, 3)[0].tolist() == [0, 1, 3]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: co_occurrences([[0, 5]], V, 1, 1), IndexError, "0 … 4"),
        (lambda: bag_of_words([[-1]], V), IndexError, "0 … 4"),
        (lambda: bag_of_words([["find", "my"]], V), TypeError, "Encode them"),
        (lambda: bag_of_words([[0.5]], V), TypeError, "float64"),
        (lambda: window_pairs([[0, 1]], 0, 0), ValueError, "left=0, right=0"),
        (lambda: window_pairs([[0, 1]], -1, 2), ValueError, "left=-1"),
        (lambda: hal([[0, 1]], V, 0), ValueError, "got 0"),
        (lambda: tf_idf(np.ones(3)), ValueError, "documents, words"),
        (lambda: ppmi(np.ones(3)), ValueError, "words, contexts"),
        (lambda: ppmi(-np.ones((3, 3))), ValueError, "PPMI already"),
        (lambda: lsa(np.ones((4, 3)), 4), ValueError, r"\(4, 3\) has ranks 1 … 3, got 4"),
        (lambda: lsa(-np.ones((4, 3)), 2), ValueError, "negative"),
        (lambda: nearest(np.ones((3, 2)), 3, 1), IndexError, "0 … 2"),
        (lambda: nearest(np.ones((3, 2)), 0, 3), ValueError, "2 neighbors, asked for 3"),
    ],
)
def test_what_has_no_meaning_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
