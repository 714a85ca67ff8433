"""Drawing: each word gets a clock, set to its place, and the numbers of both are added."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_WORDS = 6
LEFT, WIDE = 116, 744  # beside the words, and the whole, if they are side by side
Place = tuple[float, float]


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
    said = f"{distance} words on, always: fast hand {turns[0]}, slow hand {turns[1]}"
    return stepped(
        draw(set_to, twins, distance, said, Form.of(set_to), alt),
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
        upright=draw(set_to, twins, distance, said, Form.of(set_to, upright=True), alt),
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


@dataclass(frozen=True)
class Form:
    """Where everything is, with words side by side or, in the narrow form, below each other.

    Attributes:
        width, height: of the drawing.
        words, dials: the middle of each word and of its clock.
        charts: of its position, its embedding and their sum, for each word.
        labels: where each of the four is named, and what side of the text is there.
        radius: of a clock.
        bar, unit: how wide a number's bar is, and how tall for 1.
        upright: whether it is the narrow one.
    """

    width: float
    height: float
    words: Sequence[Place]
    dials: Sequence[Place]
    charts: Sequence[Sequence[Place]]
    labels: Sequence[Place]
    side: str
    radius: float
    bar: float
    unit: float
    upright: bool = False

    @classmethod
    def of(cls, set_to: Clocks, upright: bool = False) -> "Form":
        """Large enough for the largest sum."""
        T, largest = len(set_to.words), float(np.abs(set_to.sums).max())
        if upright:
            rows, across = [46 + 116 * i for i in range(T)], (146, 229, 312)
            return cls(
                350, 46 + 116 * T + 30, [(66, y) for y in rows], [(66, y + 54) for y in rows],
                [[(x, y + 46) for y in rows] for x in across],
                [(x, 16.0) for x in (66, *across)], "middle", 34, 16, 42 / largest, True,
            )  # fmt: skip
        unit, column = 42 / largest, min(126.0, (WIDE - LEFT) / T)
        radius = min(48.0, column / 2 - 13)
        centers = [LEFT + column * (i + 0.5) for i in range(T)]
        down = [196 + unit, 0.0, 0.0]
        down[1] = down[0] + 30 + unit * (1 + float(np.abs(set_to.embeddings).max()))
        down[2] = down[1] + 62 + unit
        return cls(
            LEFT + column * T + 2, down[2] + 42 + 82, [(x, 22) for x in centers],
            [(x, 102) for x in centers], [[(x, y) for x in centers] for y in down],
            [(6, y) for y in (102, *down)], "start", radius, (column - 34) / 4, unit,
        )  # fmt: skip


def draw(
    set_to: Clocks, twins: tuple[int, int], distance: int, said: str, form: Form, alt: str
) -> str:
    """The drawing as SVG."""
    canvas = Canvas(form.width, form.height, alt)
    degrees = np.degrees(set_to.angles)

    def label(which: int, name: str, tone: str = "") -> None:
        x, y = form.labels[which]
        canvas.write(x, y, name, *(() if form.upright else ("big",)), form.side, tone=tone)

    def chart(place: Place, row: np.ndarray, tone: str) -> None:
        """Four numbers as bars, up from a line or, below zero, down from it."""
        x, y = place
        left = x - 2 * form.bar
        canvas.line([(left, y), (left + 4 * form.bar, y)], "faint", 1.5)
        for i, number in enumerate(row):
            tall, at = form.unit * abs(float(number)), left + i * form.bar + 1.5
            if tall > 0.4:
                with canvas.moving("falls" if number < 0 else "rises"):
                    canvas.bar(at, y if number < 0 else y - tall, form.bar - 3, tall, tone)

    def hands(which: int, length: float, width: float) -> None:
        for (x, y), angle, turn in zip(
            form.dials, set_to.angles[:, which], degrees[:, which], strict=True
        ):
            tip = (x + length * math.sin(angle), y - length * math.cos(angle))
            with canvas.turning(x, y, turn):
                canvas.line([(x, y), tip], "ink", width)

    with canvas.step(1):
        for place, ((x, y), word) in enumerate(zip(form.words, set_to.words, strict=True)):
            if place in twins:
                half = max(24, 5.5 * len(word) + 10)
                canvas.box(x - half, y - 16, 2 * half, 32, tone="residual")
            canvas.write(x, y, word, "word")
    with canvas.step(2):
        label(0, "clock")
        for place, (x, y) in enumerate(form.dials):
            canvas.circle(x, y, form.radius)
            canvas.write(x + form.radius + 4, y - form.radius + 4, str(place), "note")
        hands(0, form.radius - 7, 2)
    with canvas.step(3):
        hands(1, form.radius - 18, 5)
    for step, name, numbers, tone in (
        (4, "position", set_to.positions, "ink"),
        (5, "+ embedding", set_to.embeddings, "residual"),
        (6, "= sum", set_to.sums, "residual"),
    ):
        with canvas.step(step):
            label(step - 3, name, tone if tone == "residual" else "")
            places = form.charts[step - 4]
            for i, (place, row) in enumerate(zip(places, numbers, strict=True)):
                if step == 6 and i in twins:
                    half, (x, y) = 2 * form.bar + 3, place
                    canvas.box(x - half, y - 46, 2 * half, 92, tone="residual")
                chart(place, row, tone)
    with canvas.step(7):
        for start in range(2):
            (x0, y0), (x1, y1) = form.dials[start], form.dials[start + distance]
            if form.upright:
                edge = 26 - 14 * start
                way = [(30, y0), (edge - 10, y0), (edge - 10, y1), (30, y1)]
            else:
                below = form.height - 70 + 14 * start
                way = [(x0, below), (x0, below + 20), (x1, below + 20), (x1, below)]
            with canvas.moving("draws", after=0.5 * start):
                canvas.line(way, "ink", 1.5)
        canvas.write(form.width / 2, form.height - 14, said)
    return canvas.svg(form.upright)
