"""Drawing: an encoder's rows above, a decoder writing below, and where it looks for each word."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.masked_model.both_sides import percent
from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 116, 88, 18  # what stands beside the columns, and how wide each is
WORDS, ROWS = 104, 138  # how far down the source and its memory are
READ, SAID, BOTTOM = 366, 430, 26  # the decoder's input, its word, and what is below that
SHOWN, CELL = 2, 37  # numbers of a row of the memory that are printed, and the width of each
THICK, THINNEST = 9.0, 0.8  # of a line whose weight is 1, and at least
LEAST = 0.04  # weights below are not drawn
MOST_WORDS = 9


@dataclass(frozen=True)
class Crossing:
    """One sentence in a translator.

    Attributes:
        source: S tokens that the encoder reads.
        own: (S, S) the weights with which they look at each other, in the encoder.
        asking: places in the source whose strongest look at another word is drawn.
        memory: (S, C) what the encoder returns.
        start: what the decoder reads first.
        target: T tokens that it writes.
        weights: (T, S) where it looks while it writes each.
        sure: (T,) the probability of each.
    """

    source: Sequence[str]
    own: np.ndarray
    asking: Sequence[int]
    memory: np.ndarray
    start: str
    target: Sequence[str]
    weights: np.ndarray
    sure: Sequence[float]


def crossing(made: Crossing, title: str, caption: str) -> Stepped:
    """The drawing: the source, the memory, then a step for each word that is written.

    Args:
        made: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, rows are no weights, or there are too
            many words to read.
    """
    check(made)
    looks = ", ".join(
        f"“{word}” looks most at “{made.source[int(row.argmax())]}” ({row.max():.2f})"
        for word, row in zip(made.target, made.weights, strict=True)
    )
    alt = (
        f"The encoder reads “{' '.join(made.source)}”. The decoder writes "
        f"“{' '.join(made.target)}”: while it writes, {looks}."
    )
    own = " and ".join(
        f"“{made.source[i]}” most to “{made.source[most_other(made.own, i)]}” "
        f"({percent(made.own[i, most_other(made.own, i)])})"
        for i in made.asking
    )
    return stepped(
        draw(made, alt),
        steps=[
            "A sentence to translate, with a mark for its end.",
            f"The encoder reads all of it at once. Its words listen to each other, {own}. "
            "It returns one row for each word, the memory.",
            *(written(made, t) for t in range(len(made.target))),
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["writes", *made.source, "probability"],
        rows=[
            [word, *(f"{w:.2f}" for w in row), f"{p:.3f}"]
            for word, row, p in zip(made.target, made.weights, made.sure, strict=True)
        ],
    )


def check(made: Crossing) -> None:
    """Raise ValueError as `crossing` says."""
    S, T = len(made.source), len(made.target)
    wanted = ((S, S), (S,), (T, S), (T,))
    given = (
        np.shape(made.own),
        np.shape(made.memory)[:1],
        np.shape(made.weights),
        np.shape(made.sure),
    )
    if given != wanted:
        raise ValueError(
            f"{S} words read and {T} written need shapes of own, memory, weights and sure "
            f"{wanted}, got {given}"
        )
    if max(S, T) > MOST_WORDS:
        raise ValueError(f"one can read up to {MOST_WORDS} words, got {S} and {T}")
    for rows in (made.own, made.weights):
        if not (np.min(rows) >= 0 and np.allclose(np.sum(rows, axis=1), 1, atol=1e-3)):
            raise ValueError("each row must hold weights that sum to one")


def most_other(own: np.ndarray, place: int) -> int:
    """The other word at which the word at a place looks most."""
    row = np.array(own[place], dtype=float)
    row[place] = -1
    return int(row.argmax())


def written(made: Crossing, t: int) -> str:
    """What happens while the word at place t is written, in a sentence."""
    looks = np.argmax(made.weights, axis=1)
    word, most = made.target[t], made.source[int(looks[t])]
    share = percent(float(made.weights[t, looks[t]]))
    read = f"The decoder has read {made.start}" if t == 0 else f"It reads “{made.target[t - 1]}”"
    before = looks[:t].max(initial=-1)
    if looks[t] > before + 1:
        passed = " ".join(made.source[s] for s in range(before + 1, looks[t]))
        way = f"jumps ahead, past “{passed}”, to “{most}” ({share})"
    elif looks[t] < before:
        way = f"goes back to “{most}” ({share})"
    else:
        way = f"goes on to “{most}” ({share})" if t else f"looks at “{most}” ({share})"
    return f"{read}, {way}, and writes “{word}”."


def draw(made: Crossing, alt: str) -> str:
    """The drawing as SVG."""
    S, T = len(made.source), len(made.target)
    width = LEFT + max(S, T) * COLUMN + RIGHT
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(max(S, T))]
    canvas = Canvas(width, SAID + 22 + BOTTOM, alt)
    memory = np.asarray(made.memory)[:, :SHOWN]

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(6, y - 8, name, "big", "start", tone=tone)
        canvas.write(6, y + 9, note, "note", "start")

    with canvas.step(1):
        label(WORDS - 10, "encoder", "reads it all")
        for center, word in zip(centers, made.source, strict=False):
            canvas.write(center, WORDS, word, "word")
    with canvas.step(2):
        for i in made.asking:
            j = most_other(made.own, i)
            a, b, top = centers[j], centers[i], WORDS - 16
            reach = top - 22 - 26 * abs(i - j)
            canvas.line([(a, top), (a, reach), (b, reach), (b, top)], "value",
                        thick(made.own[i, j]), arrow=True, flows=True)  # fmt: skip
            high = top - 0.75 * (top - reach) - 12
            canvas.write((a + b) / 2, high, percent(made.own[i, j]), "note")
        label(ROWS + 4, "memory", "a row for each", "residual")
        for center, row in zip(centers, memory, strict=False):
            canvas.cells(center, ROWS, row, "residual", float(np.abs(memory).max()), 1, CELL)
    for t in range(T):
        with canvas.step(3 + t):
            if t == 0:
                label(READ, "decoder", "reads a word,", "query")
                canvas.write(6, READ + 25, "looks up, and", "note", "start")
                label(SAID + 4, "writes", "the next")
            x = centers[t]
            if t:
                canvas.line([(centers[t - 1] + 24, SAID - 14), (x - 24, READ + 19)], "ink", 1.2,
                            arrow=True)  # fmt: skip
            for s in np.argsort(made.weights[t]):
                if (weight := float(made.weights[t, s])) >= LEAST:
                    a, top, end = centers[s], ROWS + 14, READ - 18
                    middle = (top + end) / 2
                    canvas.line([(a, top), (a, middle), (x, middle), (x, end)], "value",
                                thick(weight), flows=True)  # fmt: skip
            canvas.box(x - COLUMN / 2 + 6, READ - 16, COLUMN - 12, 32, tone="query")
            canvas.write(x, READ, made.start if t == 0 else made.target[t - 1], "big")
            share = percent(float(made.weights[t].max()))
            canvas.write(x + 9, READ - 27, share, "note", "start")
            canvas.line([(x, READ + 17), (x, SAID - 15)], "ink", 1.8, arrow=True)
            canvas.write(x, SAID, made.target[t], "word")
            canvas.write(x, SAID + 19, percent(float(made.sure[t])), "note")
    return canvas.svg()


def thick(weight: float) -> float:
    """How thick a line is for a weight."""
    return max(THINNEST, THICK * float(weight))
