"""Reviews of two clauses joined by *but*: the clause after it decides, and *not* turns it round.

    the food was very good but the room was not nice        → negative
    the staff was not bad but the view was lovely           → positive

Both clauses are drawn alike and independently, so a bag of words does not know which clause
comes last, nor which adjective the *not* belongs to; the majority class is right half the time.
"""

from typing import NamedTuple

import numpy as np

from headway.text.corpus.split import choose

ASPECTS = ("food", "room", "staff", "view", "price", "music")
GOOD = ("good", "nice", "lovely", "fine", "great")
BAD = ("bad", "awful", "poor", "dull", "grim")
DEGREES = ("", "very", "really", "quite")


class Review(NamedTuple):
    """A review, and whether it is positive as a whole."""

    text: str
    positive: bool


def reviews(rng: np.random.Generator, count: int) -> list[Review]:
    """Draw reviews: two different aspects, for each an adjective, perhaps a degree, perhaps *not*.

    Args:
        rng: the source of chance.
        count: how many; a review may come again.

    Returns:
        list of `count` tuples (text, positive).
    """
    return [_review(rng) for _ in range(count)]


def _review(rng: np.random.Generator) -> Review:
    first = choose(rng, ASPECTS)
    second = choose(rng, [aspect for aspect in ASPECTS if aspect != first])
    before, _ = _clause(rng, first)
    after, positive = _clause(rng, second)
    return Review(f"{before} but {after}", positive)


def _clause(rng: np.random.Generator, aspect: str) -> tuple[str, bool]:
    negated = choose(rng, (False, True))
    good = choose(rng, (False, True))
    words = ("the", aspect, "was", "not" if negated else "", choose(rng, DEGREES))
    text = " ".join(word for word in (*words, choose(rng, GOOD if good else BAD)) if word)
    return text, good != negated
