"""Interpolated absolute discounting: a long context where it was seen, shorter ones for the rest.

    P_n(w | c) = max(count(c w) − d, 0) / count(c)  +  d · kinds(c) / count(c) · P_{n−1}(w | c′)

Every count gives up the same discount d. What a row gives up, d for each of the kinds(c) different
words that followed c, is shared out as the chain of the next lower order sees fit; its context c′
is c without the oldest word. Where c was never seen, P_n is P_{n−1}. Below order 0 all V+1 outcomes
are equally likely, so that none has probability zero.

Source: Chen and Goodman 1999, "absolute discounting".
"""

from collections.abc import Iterable, Sequence

import numpy as np

from headway.ngram.count_table import take
from headway.ngram.markov import MarkovChain, windows


class DiscountedChain:
    """A chain of order n, interpolated with the chains of the orders n−1 … 0.

    Args:
        sentences: sequences of ids, each in 0 … V−1; lengths may differ and be zero.
        size: V, the number of words.
        order: n ≥ 0, how many words back the chain looks.
        discount: d, taken off each count; above 0, at most 1.

    Attributes:
        chains: the counts, a `MarkovChain` for each order from 0 to n.

    Raises:
        ValueError: if the discount is out of range, the order is negative, or no sentence is given.
        IndexError: if an id is not in 0 … V−1.
    """

    def __init__(
        self, sentences: Iterable[Sequence[int]], size: int, order: int, discount: float = 0.75
    ):
        if not 0 < discount <= 1:
            raise ValueError(f"the discount must be above 0 and at most 1, got {discount}")
        if order < 0:
            raise ValueError(f"the order must be 0 or more words, got {order}")
        sentences = list(sentences)
        self.size, self.order, self.discount = size, order, discount
        self.chains = [MarkovChain(sentences, size, n) for n in range(order + 1)]

    def predict(self, contexts) -> np.ndarray:
        """Distribution of the next word.

        Args:
            contexts: int (..., n), as for `MarkovChain.predict`.

        Returns:
            float64 (..., V+1), all above zero.

        Raises:
            ValueError: if the last axis is not n long.
            IndexError: if an id is not in 0 … V.
        """
        self.chains[-1].rows(contexts)  # refuses what is no context
        outcomes = np.arange(self.size + 1)
        each = np.repeat(np.asarray(contexts)[..., None, :], len(outcomes), axis=-2)
        return self._probabilities(each, outcomes)  # of (..., V+1, n) and (V+1,)

    def perplexity(self, sentences: Iterable[Sequence[int]]) -> float:
        """exp of the mean of −ln P over all predictions: T words and one end for each sentence.

        Raises:
            ValueError: if no sentence is given.
        """
        contexts, following = windows(sentences, self.size, self.order)
        if not len(following):
            raise ValueError("there is no sentence to measure; did an iterator run out?")
        return float(np.exp(-np.log(self._probabilities(contexts, following)).mean()))

    def _probabilities(self, contexts: np.ndarray, following: np.ndarray) -> np.ndarray:
        """P_n of each outcome (...) after its context (..., n), from order 0 upward."""
        P = np.full(contexts.shape[:-1], 1 / (self.size + 1))
        for n, chain in enumerate(self.chains):
            rows = chain.rows(contexts[..., self.order - n :])
            counts, totals, kinds = followed(chain, rows, following)
            seen = totals > 0
            kept = np.maximum(counts - self.discount, 0) + self.discount * kinds * P
            P = np.where(seen, kept / np.where(seen, totals, 1), P)
        return P


def followed(
    chain: MarkovChain, rows: np.ndarray, following: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What was counted in rows (...) of a chain's table; zeros for row −1.

    Args:
        chain: its table is read.
        rows: int64 (...), as `MarkovChain.rows` gives them.
        following: int64, broadcastable to (...), an outcome for each row.

    Returns:
        three int64 (...): how often the outcome followed, how often anything did, and how many
        different outcomes did.
    """
    table, flat = chain.table, rows.reshape(-1)
    outcomes = np.broadcast_to(following, rows.shape).reshape(-1)
    counts = np.where(flat < 0, 0, table.count(table.contexts[flat], outcomes))
    kinds = take(np.diff(table.starts), flat)
    return counts.reshape(rows.shape), table.total(rows), kinds.reshape(rows.shape)
