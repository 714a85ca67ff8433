import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.ngram.count_table import CountTable, position, tally
from headway.ngram.markov import MarkovChain, windows
from headway.text.corpus.commands import CHECK, SHOW
from headway.text.corpus.split import generator
from headway.text.vocabulary import Vocabulary, one_hot

V = 4
corpora = st.lists(st.lists(st.integers(0, V - 1), max_size=6), min_size=1, max_size=8)
orders = st.integers(0, 4)


def counted_by_hand(sentences, size, order):
    """Counts as a dict of dicts, one word at a time."""
    counts = defaultdict(Counter)
    for sentence in sentences:
        padded = [size] * order + list(sentence) + [size]
        for t in range(order, len(padded)):
            counts[tuple(padded[t - order : t])][padded[t]] += 1
    return counts


def weighted_text(grammar, times):
    """Sentences of a grammar, each as often as its probability says, and their vocabulary."""
    probabilities = grammar.probabilities()
    texts = [text for text, p in probabilities.items() for _ in range(round(p * times))]
    vocabulary = Vocabulary(" ".join(texts).split(), specials=())
    return vocabulary, [vocabulary.encode(text) for text in texts]


@given(corpora, orders)
def test_counts_are_those_of_a_dict_of_dicts(sentences, order):
    by_hand = counted_by_hand(sentences, V, order)
    chain = MarkovChain(sentences, V, order)
    assert {tuple(context) for context in chain.contexts.tolist()} == set(by_hand)
    for context, row in zip(chain.contexts.tolist(), chain.matrix(), strict=True):
        counts = by_hand[tuple(context)]
        expected = [counts[w] / counts.total() for w in range(V + 1)]
        np.testing.assert_allclose(row, expected, atol=1e-12)


@given(corpora, st.integers(1, 3))
def test_contexts_too_many_for_64_bits_are_numbered_by_rank(sentences, order):
    wide = 10**6  # 10⁶ words: two of them and an outcome fill 64 bits
    spread = [[word * 249_999 for word in sentence] for sentence in sentences]
    small, large = MarkovChain(sentences, V, order), MarkovChain(spread, wide, order)
    assert large.log_likelihood(spread) == pytest.approx(small.log_likelihood(sentences))
    assert len(large.contexts) == len(small.contexts)
    unseen = [[3 * 249_999 + 1] * 5]
    assert large.log_likelihood(unseen) == -np.inf


def test_a_chain_of_order_twenty_counts_contexts_of_twenty_words():
    sentences = [list(range(10)) * 3, list(range(9, -1, -1)) * 3]
    chain = MarkovChain(sentences, 10, order=20)
    assert chain._known  # the ranks were needed
    # Three choices of two in each sentence of 31 predictions: how it begins, and whether the
    # last two rounds of ten are followed by a third.
    assert chain.perplexity(sentences) == pytest.approx(np.exp(3 * np.log(2) / 31))
    np.testing.assert_array_equal(chain.predict(np.arange(20) % 10)[[0, 10]], [0.5, 0.5])
    assert chain.predict(np.arange(1, 21) % 10)[1] == 1


def test_an_unseen_beginning_is_not_taken_for_the_context_of_rank_zero():
    chain = MarkovChain([[5, 6, 0, 7]], 10**6, order=3)
    assert chain.predict([5, 6, 0])[7] == 1
    assert not chain.predict([[9, 9, 3], [9, 9, 0], [5, 9, 0]]).any()


@given(corpora, orders, st.floats(0.01, 10))
def test_smoothing_is_added_to_the_counts_before_normalizing(sentences, order, alpha):
    chain = MarkovChain(sentences, V, order, smoothing=alpha)
    counts = chain.table.dense(np.arange(len(chain.table)))
    expected = (counts + alpha) / (counts.sum(axis=1, keepdims=True) + alpha * (V + 1))
    np.testing.assert_allclose(chain.matrix(), expected)


@given(corpora, orders, st.sampled_from([0.0, 0.5]))
def test_the_likelihood_is_the_product_of_the_predictions(sentences, order, alpha):
    chain = MarkovChain(sentences, V, order, smoothing=alpha)
    total, predictions = 0.0, 0
    for sentence in sentences:
        padded = [V] * order + sentence + [V]
        for t in range(order, len(padded)):
            row = chain.predict(np.array(padded[t - order : t], dtype=int))
            total += np.log(row[padded[t]])
            predictions += 1
    assert chain.log_likelihood(sentences) == pytest.approx(total)
    assert chain.perplexity(sentences) == pytest.approx(np.exp(-total / predictions))


@given(corpora, st.integers(0, 3))
def test_a_longer_memory_never_explains_the_training_text_worse(sentences, order):
    shorter, longer = (MarkovChain(sentences, V, n) for n in (order, order + 1))
    assert longer.log_likelihood(sentences) >= shorter.log_likelihood(sentences) - 1e-9


@given(corpora, st.integers(1, 4))
def test_no_count_runs_from_one_sentence_into_the_next(sentences, order):
    together = MarkovChain(sentences, V, order)
    reversed_order = MarkovChain(sentences[::-1], V, order)
    np.testing.assert_array_equal(together.contexts, reversed_order.contexts)
    np.testing.assert_array_equal(together.matrix(), reversed_order.matrix())


def test_the_probabilities_of_all_texts_sum_to_one():
    chain = MarkovChain([[0, 1], [1], []], 2, order=2, smoothing=0.3)
    texts = [t for n in range(9) for t in itertools.product(range(2), repeat=n)]
    assert sum(np.exp(chain.log_likelihood([text])) for text in texts) == pytest.approx(1, abs=0.02)


def test_the_row_of_my_holds_the_three_probabilities():
    vocabulary, sentences = weighted_text(SHOW, 10)
    matrix = MarkovChain(sentences, len(vocabulary)).transition_matrix()
    following = one_hot(vocabulary.id("my"), len(vocabulary) + 1) @ matrix
    expected = {"directories": 0.2, "files": 0.3, "photos": 0.5}
    for word in vocabulary.symbols:
        assert following[vocabulary.id(word)] == pytest.approx(expected.get(word, 0))


@given(corpora, st.integers(0, V))
def test_a_one_hot_vector_times_the_matrix_is_the_prediction(sentences, word):
    chain = MarkovChain(sentences, V)
    row = one_hot(word, V + 1) @ chain.transition_matrix()
    np.testing.assert_array_equal(row, chain.predict([word]))


def test_first_order_is_unsure_where_second_order_is_not():
    vocabulary, sentences = weighted_text(CHECK, 10)
    first, second = (MarkovChain(sentences, len(vocabulary), n) for n in (1, 2))
    ran, down, please = (vocabulary.id(word) for word in ("ran", "down", "please"))
    np.testing.assert_allclose(first.predict([ran])[[down, please]], [0.4, 0.6])
    for noun, certain in (("battery", down), ("program", please)):
        assert second.predict([vocabulary.id(noun), ran])[certain] == 1
    # A longer memory leaves fewer rows in doubt.
    assert (first.entropy() > 0).sum() == 2  # "the" and "ran"
    assert (second.entropy() > 0).sum() == 1  # "whether the"


def test_samples_follow_the_probabilities_of_the_grammar():
    vocabulary, sentences = weighted_text(CHECK, 10)
    chain = MarkovChain(sentences, len(vocabulary), order=2)
    drawn = chain.sample(generator(0), 4000)
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


@given(corpora, orders, st.integers(0, 9))
def test_without_smoothing_a_sample_has_a_finite_likelihood(sentences, order, seed):
    chain = MarkovChain(sentences, V, order)
    drawn = chain.sample(generator(seed), 5, longest=200)
    assert len(drawn) == 5
    assert np.isfinite(chain.log_likelihood(drawn)) or any(len(s) == 200 for s in drawn)


def test_the_same_seed_draws_the_same_and_a_long_sentence_is_cut():
    chain = MarkovChain([[0] * 1000, [1] * 1000], 2)
    first, second = (chain.sample(generator(6), 3, longest=7) for _ in range(2))
    assert [s.tolist() for s in first] == [s.tolist() for s in second]
    assert [len(s) for s in first] == [7, 7, 7]
    assert [len(s) for s in chain.sample(generator(6), 2, longest=0)] == [0, 0]
    assert chain.sample(generator(6), 0) == []


def test_an_unseen_context_gives_zeros_and_with_smoothing_a_uniform_row():
    assert not MarkovChain([[0, 1]], 3).predict([2]).any()
    np.testing.assert_allclose(MarkovChain([[0, 1]], 3, smoothing=1).predict([2]), 0.25)


@given(corpora, st.integers(0, 3))
def test_the_times_that_contexts_were_seen_are_those_of_a_counter(sentences, order):
    chain = MarkovChain(sentences, V, order)
    contexts, _ = windows(sentences, V, order)
    counted = Counter(map(tuple, contexts.tolist()))
    assert chain.times_seen(contexts).tolist() == [counted[tuple(c)] for c in contexts.tolist()]
    assert chain.times_seen(chain.contexts[None]).shape == (1, len(counted))
    if order == 1:
        unseen = sorted(set(range(V + 1)) - set(contexts[:, 0].tolist()))
        assert not chain.times_seen(np.array(unseen, dtype=int)[:, None]).any()


def test_a_row_of_the_table_is_found_by_its_context():
    chain = MarkovChain([[0, 1, 2, 1]], 3, order=2)
    np.testing.assert_array_equal(chain.rows(chain.contexts), np.arange(len(chain.contexts)))
    np.testing.assert_array_equal(chain.rows([[[2, 2]], [[0, 1]]]) >= 0, [[False], [True]])


def test_predictions_come_in_any_batch_shape():
    chain = MarkovChain([[0, 1, 2, 1]], 3, order=2)
    contexts = np.array([[[0, 1], [1, 2]], [[2, 1], [3, 3]], [[0, 0], [3, 0]]])
    rows = chain.predict(contexts)
    assert rows.shape == (3, 2, 4)
    for i, j in np.ndindex(3, 2):
        np.testing.assert_array_equal(rows[i, j], chain.predict(contexts[i, j]))


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: MarkovChain([[0]], 2, order=-1), ValueError, "order must be 0 or more"),
        (lambda: MarkovChain([[0]], 2, smoothing=-1), ValueError, "smoothing must be"),
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


@given(st.lists(st.integers(0, 50), max_size=60), st.integers(0, 1000))
def test_tallies_by_counting_and_by_sorting_agree(values, shift):
    values = np.array(values, dtype=np.int64) + shift
    distinct, counts = tally(values)
    assert dict(zip(distinct.tolist(), counts.tolist(), strict=True)) == Counter(values.tolist())
    np.testing.assert_array_equal(
        position(distinct, values), np.unique(values, return_inverse=1)[1]
    )


def test_a_table_stores_only_what_was_seen():
    contexts, outcomes = np.array([7, 7, 10**9, 7]), np.array([1, 1, 0, 2])
    table = CountTable(contexts, outcomes, size=3)
    assert len(table) == 2
    np.testing.assert_array_equal(
        table.dense(table.find(np.array([10**9, 5, 7]))),
        [
            [1, 0, 0],
            [0, 0, 0],
            [0, 2, 1],
        ],
    )
    assert table.nbytes < 400
