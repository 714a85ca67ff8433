"""Drawing: a masked model writes a sentence, from nothing but blanks, one word a pass."""

from collections.abc import Sequence
from dataclasses import dataclass

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 74, 90, 20
TOP, ROW, CELL = 20, 43, 31  # from one pass to the next, and the height of a word's box
MOST_WORDS = 12


@dataclass(frozen=True)
class Fill:
    """What one pass has filled in: the place, from 0, the word, and its probability."""

    place: int
    word: str
    probability: float


def unblanking(fills: Sequence[Fill], title: str, caption: str) -> Stepped:
    """The drawing: a row for each pass, all blanks first, the sentence last.

    Args:
        fills: one for each place of the sentence, in the order in which they were filled.
        title, caption: as printed.

    Raises:
        ValueError: if the fills do not fill each place once, or there are too many to read.
    """
    T = len(fills)
    if sorted(fill.place for fill in fills) != list(range(T)):
        raise ValueError(
            f"{T} fills must fill the places 0 to {T - 1} once each, got "
            f"{[fill.place for fill in fills]}"
        )
    if not 1 <= T <= MOST_WORDS:
        raise ValueError(f"one can read 1 to {MOST_WORDS} words, got {T}")
    text = " ".join(fill.word for fill in sorted(fills, key=lambda fill: fill.place))
    order = ", ".join(f"{fill.word} ({fill.probability:.2f})" for fill in fills)
    alt = f"{T} blanks are filled one after the other: {order}. The text is: {text}."
    return stepped(
        draw(fills, alt),
        steps=[
            f"{T} blanks. The model guesses all of them at once, and knows next to nothing.",
            *(
                f"Pass {i}: “{fill.word}”, with probability {fill.probability:.2f}."
                for i, fill in enumerate(fills, 1)
            ),
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["pass", "place", "word", "probability"],
        rows=[
            [str(i), str(fill.place + 1), fill.word, f"{fill.probability:.2f}"]
            for i, fill in enumerate(fills, 1)
        ],
    )


def draw(fills: Sequence[Fill], alt: str) -> str:
    """The drawing as SVG."""
    T = len(fills)
    canvas = Canvas(LEFT + T * COLUMN + RIGHT, TOP + T * ROW + CELL, alt)
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(T)]
    written: dict[int, str] = {}
    for row in range(T + 1):
        y = TOP + row * ROW
        with canvas.step(row + 1):
            canvas.write(6, y, f"pass {row}" if row else "blanks", "start", "note")
            fresh = fills[row - 1] if row else None
            if fresh:
                written[fresh.place] = fresh.word
                canvas.line(
                    [(centers[fresh.place], y - ROW + CELL / 2),
                     (centers[fresh.place], y - CELL / 2 - 1)], "query", 2, arrow=True,
                )  # fmt: skip
            for place, center in enumerate(centers):
                if fresh and place == fresh.place:
                    canvas.box(center - 44, y - CELL / 2, 88, CELL, tone="query")
                    canvas.write(center, y - 6, fresh.word)
                    canvas.write(center, y + 8, f"{fresh.probability:.2f}", "note")
                elif place in written:
                    canvas.write(center, y, written[place])
                else:
                    canvas.box(center - 22, y - 9, 44, 18)
    return canvas.svg()
