"""Drawing: each word gets a clock, set to its place, and the numbers of both are added."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 132, 132, 12  # what stands beside the columns, and how wide each is
# How far down each row runs.
WORD, DIAL, CLOCK, EMBEDDING, SUM, STEP = 26, 100, 176, 228, 292, 338
RADIUS, CELL = 34, 30
MOST_WORDS = 6


@dataclass(frozen=True)
class Clocks:
    """Words at their places.

    Attributes:
        words: T words.
        embeddings: (T, 4) the row of each word; equal words have equal rows.
        speeds: of the two hands, in radians a place, the faster one first.
    """

    words: Sequence[str]
    embeddings: np.ndarray
    speeds: Sequence[float]

    @property
    def angles(self) -> np.ndarray:
        """(T, 2) how far each hand has turned, in radians."""
        return np.arange(len(self.words))[:, None] * np.asarray(self.speeds)

    @property
    def positions(self) -> np.ndarray:
        """(T, 4) sine and cosine of each hand."""
        angles = self.angles
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)

    @property
    def sums(self) -> np.ndarray:
        """(T, 4) what a model reads."""
        return self.embeddings + self.positions


def clocks(set_to: Clocks, distance: int, title: str, caption: str) -> Stepped:
    """The drawing, in seven steps.

    Args:
        set_to: the words and their clocks.
        distance: of the places whose clocks are compared in the last step.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, there are too many words to read, no two
            words are equal, or fewer than two pairs of places have this distance.
    """
    twins = check(set_to, distance)
    word, (first, second) = set_to.words[twins[0]], twins
    turns = [f"{math.degrees(distance * speed):.0f}°" for speed in set_to.speeds]
    rows = [
        [
            word,
            place,
            *(
                ", ".join(shown(x, 2) for x in numbers)
                for numbers in (set_to.positions[place], set_to.embeddings[place])
            ),
            ", ".join(shown(x, 2) for x in set_to.sums[place]),
        ]
        for place, word in enumerate(set_to.words)
    ]
    alt = "; ".join(f"{row[0]}, place {row[1]}: clock {row[2]}, sum {row[4]}" for row in rows) + "."
    return stepped(
        draw(set_to, twins, distance, turns, alt),
        steps=[
            f"“{word}” is at place {first} and at place {second}, and the table of words has one "
            "row for it.",
            "Each place gets a clock. Its fast hand turns by "
            f"{math.degrees(set_to.speeds[0]):.0f}° for each word.",
            f"Its slow hand turns by {math.degrees(set_to.speeds[1]):.0f}° for each word.",
            "The tip of a hand is two numbers, how far to the right and how far up: the sine and "
            "the cosine of its angle.",
            f"Each word brings its embedding. The two rows of “{word}” are the same.",
            f"Added up, they differ: “{word}” at place {first} is no longer “{word}” at place "
            f"{second}.",
            f"{distance} words on, the fast hand has turned by {turns[0]} and the slow one by "
            f"{turns[1]}, from whichever word you start.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", "place", "clock", "embedding", "sum"],
        rows=rows,
    )


def check(set_to: Clocks, distance: int) -> tuple[int, int]:
    """The places of two equal words; raise ValueError as `clocks` says."""
    T = len(set_to.words)
    if np.shape(set_to.embeddings) != (T, 4) or len(set_to.speeds) != 2:
        raise ValueError(
            f"{T} words need rows of 4 numbers and 2 speeds, got {np.shape(set_to.embeddings)} and "
            f"{len(set_to.speeds)} speeds"
        )
    if T > MOST_WORDS or not 1 <= distance <= T - 2:
        raise ValueError(
            f"one can read up to {MOST_WORDS} words, and compares two pairs of places; got {T} "
            f"words and the distance {distance}"
        )
    for place, word in enumerate(set_to.words):
        if word in set_to.words[:place]:
            return set_to.words.index(word), place
    raise ValueError(f"no word comes twice in {' '.join(set_to.words)!r}, so none can be compared")


def draw(
    set_to: Clocks, twins: tuple[int, int], distance: int, turns: Sequence[str], alt: str
) -> str:
    """The drawing as SVG."""
    T = len(set_to.words)
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(T)]
    canvas = Canvas(LEFT + T * COLUMN + RIGHT, STEP + 64, alt)
    largest = float(np.abs(set_to.sums).max())

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(8, y - 8, name, "big", "start", tone=tone)
        canvas.write(8, y + 9, note, "note", "start")

    def rows(y: float, numbers: np.ndarray, tone: str) -> None:
        for center, row in zip(centers, numbers, strict=True):
            canvas.cells(center, y, row, tone, largest, width=CELL)

    def hands(which: int, length: float, width: float) -> None:
        for center, angle in zip(centers, set_to.angles[:, which], strict=True):
            tip = (center + length * math.sin(angle), DIAL - length * math.cos(angle))
            canvas.line([(center, DIAL), tip], "ink", width)

    with canvas.step(1):
        for place, (center, word) in enumerate(zip(centers, set_to.words, strict=True)):
            if place in twins:
                canvas.box(center - 48, WORD - 17, 96, 34, tone="residual")
            canvas.write(center, WORD, word, "word")
    with canvas.step(2):
        label(DIAL, "clock", "set to the place")
        for place, center in enumerate(centers):
            canvas.circle(center, DIAL, RADIUS)
            canvas.write(center - RADIUS - 14, DIAL - RADIUS + 4, str(place), "note")
        hands(0, RADIUS - 6, 2)
    with canvas.step(3):
        hands(1, RADIUS - 15, 5)
    with canvas.step(4):
        label(CLOCK, "position", "sine, cosine")
        for center in centers:
            canvas.line([(center, DIAL + RADIUS + 3), (center, CLOCK - 15)], arrow=True)
        rows(CLOCK, set_to.positions, "ink")
    with canvas.step(5):
        label(EMBEDDING, "+ embedding", "of the word", "residual")
        rows(EMBEDDING, set_to.embeddings, "residual")
    with canvas.step(6):
        label(SUM, "= sum", "what is read", "residual")
        for center in centers:
            canvas.line([(center, EMBEDDING + 14), (center, SUM - 15)], "residual", 3, arrow=True)
        rows(SUM, set_to.sums, "residual")
    with canvas.step(7):
        for start in range(2):
            here, there = centers[start], centers[start + distance]
            y = STEP + 32 * start
            canvas.line([(here, y - 8), (here, y), (there, y), (there, y - 8)], "ink", 1.5)
            canvas.write(
                (here + there) / 2,
                y + 12,
                f"{distance} words on: fast hand {turns[0]}, slow hand {turns[1]}",
                "note",
            )
    return canvas.svg()
