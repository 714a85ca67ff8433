"""Positions inside the scores, by a number for each distance: q·k + b[distance]."""

import torch
from torch import Tensor, nn

from headway.shapes import ShapeError


class RelativeBias(nn.Module):
    """A trained number for each head and each distance, to be added to the scores.

    scores[h, t, s] += table[h, clip(s − t, −R, R)]

    The distance s − t is signed: negative for a key before its query. All distances beyond the
    reach R share one number, so that no length is too long. H × (2R + 1) parameters, and zeros to
    start with, which is no position at all. (T5 puts long distances into buckets that widen
    logarithmically; for distances below a quarter of its buckets the two are the same.)

    Args:
        heads: H.
        reach: R, the largest distance with a number of its own.

    Source: Shaw et al. 2018, eq. 4, for the clipping; Raffel et al. 2020, section 2.1, for a number
    in place of a vector.
    """

    def __init__(self, heads: int, reach: int):
        super().__init__()
        self.reach = reach
        self.table = nn.Parameter(torch.zeros(heads, 2 * reach + 1))

    def forward(self, queries: int, keys: int) -> Tensor:
        """(H, T, S), for T queries that are the last of S positions, as in `causal_mask`.

        Each row is the row above it moved by one column, so the distances are looked up once, not
        for each pair of words.

        Raises:
            ShapeError: if there are more queries than keys.
        """
        if queries > keys:
            raise ShapeError(
                f"{queries} queries cannot be the last of {keys} keys; were they swapped?"
            )
        first = keys - queries  # the first query's position; the last one's is keys − 1
        # One more at the beginning, a window that is dropped: there may be no query, and no key.
        distances = torch.arange(-keys, keys - first, device=self.table.device)  # (S + T,)
        numbers = self.table[:, distances.clamp(-self.reach, self.reach) + self.reach]
        return numbers.unfold(-1, keys, 1)[:, 1:].flip(1)  # (H, T, S), the last query's first
