"""A chain of bytes: what the last n bytes of a text tell of the next one.

    P(b | c) = (max(count(c b) − d, 0) + d · kinds(c) · P(b | c′)) / count(c),  c: the last n bytes

It is a `DiscountedChain` whose words are the bytes that a text has, in one long sentence. So it is
smooth: every one of these bytes may follow whatever it has read.
"""

from copy import copy
from typing import Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from headway.ngram.discounting import DiscountedChain

ORDERS = range(1, 7)  # a longer chain knows the drawn languages no better


class ByteChain:
    """A chain of order n over the bytes of a text.

    Args:
        text: uint8 (N,), what it counts in.
        order: n ≥ 0, how many bytes back it looks.
    """

    def __init__(self, text: np.ndarray, order: int):
        self.order, self.symbols = order, np.unique(text)
        ids = np.searchsorted(self.symbols, text)
        self.chain = DiscountedChain([ids.tolist()], len(self.symbols), order)

    def shorter(self, order: int) -> Self:
        """The chain of a lower order over the same text, without counting again."""
        chain, made = copy(self.chain), copy(self)
        chain.order, chain.chains = order, self.chain.chains[: order + 1]
        made.order, made.chain = order, chain
        return made

    def bits(self, rows: np.ndarray) -> np.ndarray:
        """The cost of each byte but the first, −log₂ P: float64 (B, T − 1).

        Args:
            rows: uint8 (B, T), texts of bytes that the chain knows.
        """
        ids = np.searchsorted(self.symbols, rows)
        before = np.full((len(rows), max(self.order - 1, 0)), self.chain.size)
        read = np.concatenate([before, ids[:, :-1]], axis=1)
        contexts = (
            sliding_window_view(read, self.order, axis=1)
            if self.order
            else np.zeros((*ids[:, 1:].shape, 0), dtype=ids.dtype)
        )
        P = self.chain.predict(contexts)[..., :-1]  # no end of a sentence
        P = np.take_along_axis(P / P.sum(-1, keepdims=True), ids[:, 1:, None], -1)
        return -np.log2(P[..., 0])


def bits_of_each_order(text: np.ndarray, rows: np.ndarray) -> list[np.ndarray]:
    """What each byte costs the chains of order 0 and of `ORDERS`; arguments as of `ByteChain`."""
    longest = ByteChain(text, ORDERS[-1])
    return [longest.shorter(order).bits(rows) for order in (0, *ORDERS)]
