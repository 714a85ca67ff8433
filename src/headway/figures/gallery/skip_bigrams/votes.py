"""What figures of votes share: the words so far, what may be shown, and votes in words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import number, require_sentence

MOST_WORDS, MOST_PREFIXES = 4, 3


@dataclass(frozen=True)
class Prefix:
    """The words so far, of which the figures ask what comes next.

    Attributes:
        text: as printed, "check the log and see whether it ran".
        following: the word that does come next, as in the figure's `words`.
    """

    text: str
    following: str


def check_choices(words: list[str], prefixes: Sequence[Prefix]) -> None:
    """Raise ValueError unless words and prefixes can be shown, and fit each other."""
    if len(set(words)) != len(words) or not 2 <= len(words) <= MOST_WORDS:
        raise ValueError(f"2 to {MOST_WORDS} different next words are legible, got {words}")
    if not 1 <= len(prefixes) <= MOST_PREFIXES:
        raise ValueError(f"1 to {MOST_PREFIXES} prefixes can be chosen from, got {len(prefixes)}")
    for prefix in prefixes:
        require_sentence("a prefix", prefix.text)
        if prefix.following not in words:
            raise ValueError(f"{prefix.following!r} is none of the words {', '.join(words)}")


def tally(words: Sequence[str], votes: np.ndarray) -> str:
    """Votes in words: "4 for down and 5 for please"."""
    return " and ".join(f"{number(x, 2)} for {w}" for w, x in zip(words, votes, strict=True))
