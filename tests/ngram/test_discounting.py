import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.ngram.discounting import DiscountedChain
from headway.ngram.markov import windows
from tests.ngram.test_markov import V, corpora, counted_by_hand

orders, discounts = st.integers(0, 3), st.sampled_from([1e-9, 0.25, 0.75, 1.0])


def by_the_formula(sentences, context, discount):
    """P_n of every outcome after a context, from dictionaries, order by order."""
    P = [1 / (V + 1)] * (V + 1)
    for n in range(len(context) + 1):
        counts = counted_by_hand(sentences, V, n)[tuple(context[len(context) - n :])]
        if counts:
            given_up = discount * len(counts) / counts.total()
            P = [
                max(counts[w] - discount, 0) / counts.total() + given_up * P[w]
                for w in range(V + 1)
            ]
    return P


@given(corpora, orders, discounts)
def test_predictions_are_those_of_the_formula_and_call_nothing_impossible(
    sentences, order, discount
):
    chain = DiscountedChain(sentences, V, order, discount)
    contexts = list(itertools.product(range(V + 1), repeat=order))
    rows = chain.predict(np.array(contexts, dtype=int))
    np.testing.assert_allclose(rows.sum(axis=-1), 1)
    assert (rows > 0).all()
    for context, row in list(zip(contexts, rows, strict=True))[::3]:
        np.testing.assert_allclose(row, by_the_formula(sentences, context, discount))


@given(corpora, orders)
def test_the_perplexity_is_that_of_the_predictions(sentences, order):
    chain, text = DiscountedChain(sentences, V, order), [[3, 0, 1], [], [2, 2]]
    contexts, following = windows(text, V, order)
    P = np.take_along_axis(chain.predict(contexts), following[:, None], axis=1)
    assert chain.perplexity(text) == pytest.approx(np.exp(-np.log(P).mean()))


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: DiscountedChain([[0]], 2, 1, discount=0), ValueError, "discount must be"),
        (lambda: DiscountedChain([[0]], 2, 1, discount=1.5), ValueError, "discount must be"),
        (lambda: DiscountedChain([[0]], 2, order=-1), ValueError, "order must be 0 or more"),
        (lambda: DiscountedChain([], 2, 1), ValueError, "no sentence to count"),
        (lambda: DiscountedChain([[2]], 2, 1), IndexError, "ids must be in"),
        (lambda: DiscountedChain([[0]], 2, 1).perplexity([]), ValueError, "no sentence to measure"),
        (lambda: DiscountedChain([[0]], 2, 1).predict([0, 1]), ValueError, r"shape \(..., 1\)"),
    ],
)
def test_what_cannot_be_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
