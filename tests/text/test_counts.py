import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.text.counts import (
    bag_of_words,
    co_occurrences,
    lsa,
    nearest,
    ppmi,
    tf_idf,
    window_pairs,
)
from headway.text.vocabulary import Vocabulary

V = 5
texts = st.lists(st.lists(st.integers(0, V - 1), max_size=7), max_size=6)
sides = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any)


@given(texts, sides)
def test_windows_are_those_of_plain_loops_and_co_occurrences_count_their_pairs(sentences, sides):
    left, right = sides
    looped = [
        (sentence[i], sentence[j])
        for sentence in sentences
        for i in range(len(sentence))
        for j in range(max(0, i - left), min(len(sentence), i + right + 1))
        if i != j
    ]
    centers, contexts = window_pairs(sentences, left, right)
    assert sorted(zip(centers.tolist(), contexts.tolist(), strict=True)) == sorted(looped)
    expected = np.zeros((V, V))
    for pair in looped:
        expected[pair] += 1
    np.testing.assert_array_equal(co_occurrences(sentences, V, left, right), expected)


def test_ppmi_is_the_logarithm_of_how_much_more_often_than_by_chance():
    counts = np.array([[6, 2, 0], [2, 6, 0], [0, 0, 8]])  # chance: 8/3 for each pair
    e = ppmi(counts)
    np.testing.assert_allclose(np.diag(e), [math.log(6 / (8 / 3))] * 2 + [math.log(3)])
    assert e[0, 1] == 0, "fewer than by chance"
    assert e[0, 2] == 0, "never"
    np.testing.assert_allclose(ppmi(9 * counts), e, err_msg="a longer text changes nothing")
    np.testing.assert_allclose(ppmi(np.outer([1, 2, 3], [4, 5, 6, 0])), 0, atol=1e-12)


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


@given(st.integers(1, 6), st.integers(1, 9), st.data())
def test_lsa_is_the_truncated_singular_value_decomposition_with_fixed_signs(rows, columns, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    table = rng.poisson(3, size=(rows, columns))
    rank = data.draw(st.integers(1, min(rows, columns)))
    vectors = lsa(table, rank)
    left, strengths, _ = np.linalg.svd(np.log1p(table), full_matrices=False)
    expected = left[:, :rank] * strengths[:rank]
    np.testing.assert_allclose(
        vectors, expected * np.sign((expected * vectors).sum(axis=0)), atol=1e-6
    )
    assert (vectors.max(axis=0) >= -vectors.min(axis=0) - 1e-9).all()


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
    lengths = np.linalg.norm(vectors, axis=1)
    by_hand = vectors @ vectors[query] / lengths / lengths[query]
    others = [i for i in np.argsort(-by_hand) if i != query]
    assert ids.tolist() == others[:number]
    np.testing.assert_allclose(cosines, by_hand[ids])


def test_length_does_not_make_a_neighbor_a_twin_is_one_and_ties_go_by_the_ids():
    vectors = np.array([[1.0, 0.0], [100.0, 100.0], [2.0, 0.1], [1.0, 0.0], [0.0, 0.0]])
    ids, cosines = nearest(vectors, 0, 4)
    assert ids.tolist() == [3, 2, 1, 4]
    assert cosines[[0, 3]].tolist() == [1, 0]
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
