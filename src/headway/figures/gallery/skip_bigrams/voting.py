"""A vote on the next word in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Voting:
    """A vote on the next word, in numbers.

    Attributes:
        words: T different words so far, the latest at the end.
        answers: the two words that get votes.
        votes: (T−1, 2), what each earlier word, paired with the latest, votes for.
        mask: (T−1,) bool, True for those that may vote.
    """

    words: Sequence[str]
    answers: Sequence[str]
    votes: np.ndarray
    mask: np.ndarray

    @property
    def all_votes(self) -> np.ndarray:
        """(2,) the sums if everybody votes."""
        return self.votes.sum(axis=0)

    @property
    def masked_votes(self) -> np.ndarray:
        """(2,) the sums behind the mask."""
        return self.votes[self.mask].sum(axis=0)

    @property
    def undecided(self) -> int:
        """How many earlier words give both answers the same."""
        return int((self.votes[:, 0] == self.votes[:, 1]).sum())
