"""One step of negative sampling in numbers: what is guessed of a neighbor, and what moves."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Guess:
    """One step of training, in numbers.

    Attributes:
        words: the sentence.
        center, neighbor: the places of the two words of the pair.
        window: how many words on each side are neighbors.
        drawn: K words drawn by chance; one of them may be the true neighbor.
        given: (C,) the center's row of E before the step.
        guessed: (1 + K, C) the rows of U before the step, of the neighbor and of those drawn.
        rate: by how much of its slope a row moves.
    """

    words: Sequence[str]
    center: int
    neighbor: int
    window: int
    drawn: Sequence[str]
    given: np.ndarray
    guessed: np.ndarray
    rate: float

    @property
    def asked(self) -> list[str]:
        """The words that are asked about: the true neighbor, then those drawn."""
        return [self.words[self.neighbor], *self.drawn]

    @property
    def kept(self) -> np.ndarray:
        """(1 + K,) False where a drawn word is the true one, and so is left out."""
        return np.array([True, *(word != self.words[self.neighbor] for word in self.drawn)])

    @property
    def scores(self) -> np.ndarray:
        """(1 + K,) the dot products."""
        return self.guessed @ self.given

    @property
    def chances(self) -> np.ndarray:
        """(1 + K,) their sigmoids."""
        return 1 / (1 + np.exp(-self.scores))

    @property
    def forces(self) -> np.ndarray:
        """(1 + K,) truth minus chance: above 0 pulls, below 0 pushes."""
        truth = np.arange(len(self.guessed)) == 0
        return np.where(self.kept, truth - self.chances, 0.0)

    @property
    def given_after(self) -> np.ndarray:
        """(C,) the center's row after the step."""
        return self.given + self.rate * self.forces @ self.guessed

    @property
    def guessed_after(self) -> np.ndarray:
        """(1 + K, C) the other rows after the step."""
        return self.guessed + self.rate * self.forces[:, None] * self.given

    @property
    def scores_after(self) -> np.ndarray:
        """(1 + K,) the dot products after the step."""
        return self.guessed_after @ self.given_after
