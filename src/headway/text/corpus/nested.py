"""Lists that say what is in what: to find out in which room a thing is, one goes from line to line.

    purse: in the tin
    bag: in the hall
    tin: in the trunk
    trunk: in the attic

The purse is three steps from its room: tin, trunk, attic. A list holds two such chains, which end
in two different rooms, with their lines in random order.
"""

from typing import NamedTuple

import numpy as np

THINGS = (
    "purse", "tin", "trunk", "bag", "box", "drawer", "chest", "basket",
    "jar", "crate", "case", "sack", "bucket", "pouch", "barrel", "hamper",
)  # fmt: skip
ROOMS = ("kitchen", "hall", "attic", "cellar")
PLACES = THINGS + ROOMS  # what a thing can be in
LONGEST = 6  # steps from the first thing of a chain to its room
CHAINS = 2


class Nested(NamedTuple):
    """Some lists of twelve lines each, as numbers.

    Attributes:
        things: (count, 12) int64, the thing of each line, its place in `THINGS`.
        inside: (count, 12) int64, what it is in, its place in `PLACES`.
        rooms: (count, 12) int64, the room where it is in the end, its place in `ROOMS`.
        steps: (count, 12) int64, how many steps away that room is, 1 to `LONGEST`.
    """

    things: np.ndarray
    inside: np.ndarray
    rooms: np.ndarray
    steps: np.ndarray

    def line(self, which: int, number: int) -> str:
        """A line of a list in words, such as "purse: in the tin"."""
        thing, inside = self.things[which, number], self.inside[which, number]
        return f"{THINGS[thing]}: in the {PLACES[inside]}"


def nested(rng: np.random.Generator, count: int) -> Nested:
    """Draw lists.

    Args:
        rng: the source of chance.
        count: how many lists.
    """
    lines = CHAINS * LONGEST
    things = rng.random((count, len(THINGS))).argsort(axis=1)[:, :lines]
    things = things.reshape(count, CHAINS, LONGEST)
    ends = rng.random((count, len(ROOMS))).argsort(axis=1)[:, :CHAINS, None]  # (count, CHAINS, 1)
    inside = np.concatenate([things[:, :, 1:], len(THINGS) + ends], axis=2)
    rooms = np.broadcast_to(ends, things.shape)
    steps = np.broadcast_to(np.arange(LONGEST, 0, -1), things.shape)
    order = rng.random((count, lines)).argsort(axis=1)
    return Nested(
        *(
            np.take_along_axis(part.reshape(count, lines), order, axis=1)
            for part in (things, inside, rooms, steps)
        )
    )


def homes(rng: np.random.Generator) -> np.ndarray:
    """In which rooms a thing belongs: two of the four for each, (16, 4) bool."""
    places = rng.random((len(THINGS), len(ROOMS))).argsort(axis=1)
    return places < len(ROOMS) // 2
