"""An owl, a squirrel and four pronouns: whose talons, whose tail?

    the owl saw a hungry squirrel it swooped to catch it with its talons but held only a part of
    its tail

The first three pronouns go by their place: hunter, prey, hunter. Whose the last one is follows
from the word after it: a *tail* is the prey's, a *claw* the hunter's.
"""

from typing import NamedTuple

import numpy as np

from headway.text.corpus.grammar import Grammar

ANIMALS = ("owl", "squirrel", "fox", "mouse", "cat", "bird", "hawk", "lizard")
CHASES = Grammar(
    {
        "START": "LEAD the KIND NOUN saw a KIND NOUN it swooped to catch it with its talons but "
        "held only a part of its LAST",
        "LEAD": ("", "today", "late last night"),
        "KIND": ("", "hungry", "small brown"),
        "NOUN": ANIMALS,
        "LAST": ("tail", "claw"),
    }
)


class Chase(NamedTuple):
    """A text, the places of its four pronouns, and the animal that each of them means."""

    text: str
    pronouns: tuple[int, ...]
    meant: tuple[str, ...]


def chases(rng: np.random.Generator, count: int) -> list[Chase]:
    """Draw texts from `CHASES`, and keep those about two different animals.

    Args:
        rng: the source of chance.
        count: how many are drawn; about one in eight is not kept.

    Returns:
        list of tuples (text, pronouns, meant).
    """
    return [
        Chase(text, tuple(i for i, word in enumerate(words) if word in ("it", "its")), meant)
        for text in CHASES.sample(rng, count)
        if (meant := whose(words := text.split()))
    ]


def whose(words: list[str]) -> tuple[str, ...]:
    """The animals that the four pronouns of a text mean; none if it is about one animal only."""
    hunter, prey = (word for word in words if word in ANIMALS)
    if hunter == prey:
        return ()
    return hunter, prey, hunter, prey if words[-1] == "tail" else hunter
