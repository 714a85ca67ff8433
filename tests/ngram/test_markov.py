from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.ngram.count_table import CountTable
from headway.ngram.markov import MarkovChain
from headway.text.corpus.commands import CHECK
from headway.text.corpus.split import generator
from headway.text.vocabulary import Vocabulary

V = 4
corpora = st.lists(st.lists(st.integers(0, V - 1), max_size=6), min_size=1, max_size=8)
orders = st.integers(0, 4)
smoothings = st.just(0.0) | st.floats(0.01, 10)


def counted_by_hand(sentences, size, order):
    """Counts as a dict of dicts, one word at a time."""
    counts = defaultdict(Counter)
    for sentence in sentences:
        padded = [size] * order + list(sentence) + [size]
        for t in range(order, len(padded)):
            counts[tuple(padded[t - order : t])][padded[t]] += 1
    return counts


@pytest.fixture(scope="module")
def check():
    """A vocabulary, and sentences of CHECK, each as often as its probability says."""
    texts = [text for text, p in CHECK.probabilities().items() for _ in range(round(p * 10))]
    vocabulary = Vocabulary(" ".join(texts).split(), specials=())
    return vocabulary, [vocabulary.encode(text) for text in texts]


@given(corpora, orders, smoothings)
def test_counts_are_those_of_a_dict_of_dicts_and_smoothing_is_added_to_them(
    sentences, order, alpha
):
    by_hand = counted_by_hand(sentences, V, order)
    chain = MarkovChain(sentences, V, order, alpha)
    contexts = list(map(tuple, chain.contexts.tolist()))
    assert sorted(contexts) == sorted(by_hand)
    assert chain.times_seen(chain.contexts).tolist() == [by_hand[c].total() for c in contexts]
    np.testing.assert_array_equal(chain.rows(chain.contexts), np.arange(len(contexts)))
    for context, row in zip(contexts, chain.matrix(), strict=True):
        counts = np.array([by_hand[context][w] for w in range(V + 1)])
        np.testing.assert_allclose(row, (counts + alpha) / (counts.sum() + alpha * (V + 1)))


@given(corpora, st.integers(1, 3))
def test_contexts_too_many_for_64_bits_are_numbered_by_rank(sentences, order):
    wide = 10**6  # 10⁶ words: two of them and an outcome fill 64 bits
    spread = [[word * 249_999 for word in sentence] for sentence in sentences]
    small, large = MarkovChain(sentences, V, order), MarkovChain(spread, wide, order)
    assert large.log_likelihood(spread) == pytest.approx(small.log_likelihood(sentences))
    assert len(large.contexts) == len(small.contexts)
    unseen = [[3 * 249_999 + 1] * 5]
    assert large.log_likelihood(unseen) == -np.inf


def test_an_unseen_beginning_is_not_taken_for_the_context_of_rank_zero():
    chain = MarkovChain([[5, 6, 0, 7]], 10**6, order=3)
    assert chain.predict([5, 6, 0])[7] == 1
    assert not chain.predict([[9, 9, 3], [9, 9, 0], [5, 9, 0]]).any()


@given(corpora, orders, smoothings)
def test_the_likelihood_is_the_product_of_the_predictions(sentences, order, alpha):
    chain = MarkovChain(sentences, V, order, alpha)
    total, predictions = 0.0, 0
    for sentence in sentences:
        padded = [V] * order + sentence + [V]
        for t in range(order, len(padded)):
            row = chain.predict(np.array(padded[t - order : t], dtype=int))
            total += np.log(row[padded[t]])
            predictions += 1
    assert chain.log_likelihood(sentences) == pytest.approx(total)
    assert chain.perplexity(sentences) == pytest.approx(np.exp(-total / predictions))


def test_first_order_is_unsure_where_second_order_is_not(check):
    vocabulary, sentences = check
    first, second = (MarkovChain(sentences, len(vocabulary), n) for n in (1, 2))
    ran, down, please = (vocabulary.id(word) for word in ("ran", "down", "please"))
    np.testing.assert_allclose(first.predict([ran])[[down, please]], [0.4, 0.6])
    np.testing.assert_array_equal(first.transition_matrix()[ran], first.predict([ran]))
    for noun, certain in (("battery", down), ("program", please)):
        assert second.predict([vocabulary.id(noun), ran])[certain] == 1
    # A longer memory leaves fewer rows in doubt.
    assert (first.entropy() > 0).sum() == 2  # "the" and "ran"
    assert (second.entropy() > 0).sum() == 1  # "whether the"


def test_samples_follow_the_probabilities_of_the_grammar(check):
    vocabulary, sentences = check
    drawn = MarkovChain(sentences, len(vocabulary), order=2).sample(generator(0), 4000)
    counts = Counter(" ".join(vocabulary.decode(sentence)) for sentence in drawn)
    assert set(counts) == set(CHECK.probabilities())
    for text, p in CHECK.probabilities().items():
        assert abs(counts[text] - 4000 * p) < 5 * np.sqrt(4000 * p * (1 - p))


def test_samples_with_smoothing_follow_the_smoothed_rows():
    chain = MarkovChain([[0, 1], [0, 2], [0, 2]], 3, order=1, smoothing=0.7)
    drawn = chain.sample(generator(1), 20_000, longest=2)
    seconds = [int(s[1]) if len(s) > 1 else 3 for s in drawn if len(s) and s[0] == 0]
    expected = chain.predict([0])
    shares = np.bincount(seconds, minlength=4) / len(seconds)
    assert (abs(shares - expected) < 5 * np.sqrt(expected / len(seconds))).all()


def test_the_same_seed_draws_the_same_and_a_long_sentence_is_cut():
    chain = MarkovChain([[0] * 1000, [1] * 1000], 2)
    first, second = (chain.sample(generator(6), 3, longest=7) for _ in range(2))
    assert [s.tolist() for s in first] == [s.tolist() for s in second]
    assert [len(s) for s in first] == [7, 7, 7]
    assert [len(s) for s in chain.sample(generator(6), 2, longest=0)] == [0, 0]
    assert chain.sample(generator(6), 0) == []


def test_predictions_come_in_any_batch_shape_and_unseen_contexts_have_none():
    chain = MarkovChain([[0, 1, 2, 1]], 3, order=2)
    contexts = np.array([[[0, 1], [1, 2]], [[2, 1], [3, 3]], [[0, 0], [3, 0]]])
    rows = chain.predict(contexts)
    assert rows.shape == (3, 2, 4)
    for i, j in np.ndindex(3, 2):
        np.testing.assert_array_equal(rows[i, j], chain.predict(contexts[i, j]))
    assert not rows[2, 0].any()
    assert chain.rows(contexts)[2, 0] == -1
    assert chain.times_seen(contexts).tolist() == [[1, 1], [1, 1], [0, 1]]
    np.testing.assert_allclose(MarkovChain([[0, 1]], 3, smoothing=1).predict([2]), 0.25)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: MarkovChain([[0]], 2, order=-1), ValueError, "order must be 0 or more"),
        (lambda: MarkovChain([[0]], 2, smoothing=np.nan), ValueError, "smoothing must be"),
        (lambda: MarkovChain([], 2), ValueError, "no sentence to count"),
        (lambda: MarkovChain([[2]], 2), IndexError, r"ids must be in 0 … 1"),
        (lambda: MarkovChain([[0.5]], 2), TypeError, "ids must be integers"),
        (lambda: MarkovChain(["show"], 2), TypeError, "Encode texts first"),
        (lambda: MarkovChain([0, 1], 2), TypeError, "put a single sentence into a list"),
        (lambda: MarkovChain([[0]], 2).perplexity([]), ValueError, "no sentence to measure"),
        (lambda: MarkovChain([[0]], 2).predict([0, 1]), ValueError, r"shape \(..., 1\), got \(2,"),
        (lambda: MarkovChain([[0]], 2).predict([3]), IndexError, "ids must be in"),
        (lambda: MarkovChain([[0]], 2, 2).transition_matrix(), ValueError, r"order 2 has 3\^2 row"),
    ],
)
def test_what_cannot_be_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_a_table_stores_only_what_was_seen():
    table = CountTable(np.array([7, 7, 10**9, 7]), np.array([1, 1, 0, 2]), size=3)
    assert len(table) == 2
    rows = table.dense(table.find(np.array([10**9, 5, 7])))
    np.testing.assert_array_equal(rows, [[1, 0, 0], [0, 0, 0], [0, 2, 1]])
    assert table.nbytes < 400
