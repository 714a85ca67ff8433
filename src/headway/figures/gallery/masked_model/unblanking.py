"""Drawing: a masked model writes a sentence, from nothing but blanks, one word a pass."""

from collections.abc import Sequence
from dataclasses import dataclass

from headway.figures.gallery.shared.drawn import Canvas, room
from headway.figures.gallery.shared.stepped import Stepped, stepped

WIDTH, LEFT, RIGHT = 720, 64, 110  # of the wide form, and what is beside its words
TOP, ROW, TALL = 20, 35, 28  # from one pass to the next, and the height of a word's box
NARROW, PLACE, WORD = 360, 38, 84  # of the upright form; from one word to the next, and where it is
SURE, LONG, BAR = 52, 100, 10  # a bar's width for a certain word in both forms, and its height
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
        wide(fills, alt),
        steps=[
            f"{T} blanks. The model guesses all of them at once, and knows next to nothing.",
            *(
                f"Pass {i}: “{fill.word}”, with {fill.probability:.0%}."
                for i, fill in enumerate(fills, 1)
            ),
        ],
        title=title,
        caption=caption,
        alt=alt,
        upright=upright(fills, alt),
        header=["pass", "place", "word", "probability"],
        rows=[
            [str(i), str(fill.place + 1), fill.word, f"{fill.probability:.2f}"]
            for i, fill in enumerate(fills, 1)
        ],
    )


def wide(fills: Sequence[Fill], alt: str) -> str:
    """A row for each pass, as SVG."""
    T = len(fills)
    words = [fill.word for fill in sorted(fills, key=lambda fill: fill.place)]
    rooms = [max(34, room(word)) + 6 for word in words]
    gap = max(0, (WIDTH - LEFT - RIGHT - sum(rooms)) / T)
    centers = [LEFT + sum(rooms[:i]) + (i + 0.5) * gap + rooms[i] / 2 for i in range(T)]
    end = LEFT + sum(rooms) + T * gap
    canvas = Canvas(end + RIGHT, TOP + T * ROW + TALL / 2 + 4, alt)
    written: dict[int, str] = {}
    for row in range(T + 1):
        y = TOP + row * ROW
        with canvas.step(row + 1):
            canvas.write(6, y, f"pass {row}" if row else "blanks", "start", "note")
            fresh = fills[row - 1] if row else None
            for place, center in enumerate(centers):
                if fresh and place == fresh.place:
                    canvas.box(center - rooms[place] / 2, y - TALL / 2, rooms[place], TALL,
                               tone="query")  # fmt: skip
                    with canvas.moving("arrives", dy=-ROW, after=0.4):
                        canvas.write(center, y, fresh.word, "big")
                elif place in written:
                    canvas.write(center, y, written[place], *([] if row == T else ["note"]))
                else:
                    canvas.line([(center - 14, y + 7), (center + 14, y + 7)], "faint", 2)
            if fresh:
                written[fresh.place] = fresh.word
                how_sure(canvas, fresh, end + 8, y, SURE)
    return canvas.svg()


def upright(fills: Sequence[Fill], alt: str) -> str:
    """A row for each place, with the pass that fills it, as SVG."""
    T = len(fills)
    canvas = Canvas(NARROW, TOP + (T - 1) * PLACE + 24, alt)
    rows = [TOP + i * PLACE for i in range(T)]
    half = max(room(fill.word) for fill in fills) / 2 + 4
    with canvas.step(1):
        for y in rows:
            canvas.line([(WORD - half + 8, y + 10), (WORD + half - 8, y + 10)], "faint", 2)
    for number, fill in enumerate(fills, 1):
        y = rows[fill.place]
        with canvas.step(number + 1, until=number + 2 if number < T else None):
            canvas.box(WORD - half, y - 15, 2 * half, 29, tone="query")
        with canvas.step(number + 1):
            with canvas.moving("appears", after=0.6):
                canvas.write(WORD, y, fill.word, "big")
            canvas.write(WORD + half + 18, y, f"pass {number}", "note", "start")
            how_sure(canvas, fill, 210, y, LONG)
    return canvas.svg(upright=True)


def how_sure(canvas: Canvas, fill: Fill, x: float, y: float, certain: float) -> None:
    """A bar as long as the word was probable."""
    with canvas.moving("widens"):
        canvas.bar(x, y - BAR / 2, max(1.5, certain * fill.probability), BAR, "ink")
    with canvas.moving("appears", after=0.6):
        canvas.write(x + certain + 4, y, f"{fill.probability:.0%}", "start")
