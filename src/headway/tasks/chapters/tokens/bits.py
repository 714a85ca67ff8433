"""What a vocabulary costs: bits per byte of new texts under a bigram model of its tokens."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from headway.tasks.chapters.tokens.words import BYTES
from headway.text.byte_pair import merge_by_rank
from headway.text.pair_counts import Pair
from headway.text.pieces import pieces

ADDED = 0.1
GRID = (0, 32, 128, 256, 512, 768, 1_024, 1_536, 2_560)


class Costs:
    """Bits per byte of new texts, by how many merges the tokens of all texts are made with.

    p(b | a) = (count(a, b) + 0.1) / (count(a) + 0.1 · (V + 1)), counted in the known texts. V is
    256 + the number of merges, and one symbol more, V, stands at both ends of each text.

    Args:
        known: texts to count in.
        new: texts to measure on.
        merges: pairs of ids in the order of training; the k-th makes the id 256 + k.
    """

    def __init__(self, known: Sequence[str], new: Sequence[str], merges: Sequence[Pair]):
        self.merges = [tuple(pair) for pair in merges]
        self.texts = [[pieces(text) for text in texts] for texts in (known, new)]
        self.all_pieces = {piece for texts in self.texts for cut in texts for piece in cut}
        self.bytes = sum(len(text.encode()) for text in new)
        self.bits_per_byte = cache(self._bits_per_byte)

    def _bits_per_byte(self, count: int) -> float:
        V = BYTES + count
        ranks = {pair: (rank, BYTES + rank) for rank, pair in enumerate(self.merges[:count])}
        ids_of = {piece: merge_by_rank(piece.encode(), ranks) for piece in self.all_pieces}
        known, new = (
            np.array([i for cut in texts for i in (V, *(j for p in cut for j in ids_of[p]), V)])
            for texts in self.texts
        )
        counted, asked = (self._pairs(ids, V) for ids in (known, new))
        pairs, counts = np.unique(counted, return_counts=True)
        rows = np.bincount(counted // (V + 1), minlength=V + 1)
        at = np.searchsorted(pairs, asked).clip(max=len(pairs) - 1)
        found = np.where(pairs[at] == asked, counts[at], 0)
        shares = (found + ADDED) / (rows[asked // (V + 1)] + ADDED * (V + 1))
        return float(-np.log2(shares).sum() / self.bytes)

    @staticmethod
    def _pairs(ids: np.ndarray, V: int) -> np.ndarray:
        """Each pair of neighbors as one number; the two ends between texts are no pair."""
        left, right = ids[:-1].astype(np.int64), ids[1:]
        return (left * (V + 1) + right)[(left != V) | (right != V)]

    def counts(self) -> list[int]:
        """The numbers of merges that are compared."""
        return sorted({*(n for n in GRID if n < len(self.merges)), len(self.merges)})

    def best(self) -> int:
        """The number of merges with the fewest bits."""
        return min(self.counts(), key=self.bits_per_byte)
