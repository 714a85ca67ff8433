"""Drawing: one word asks several questions at once, and each head brings home an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 150, 96, 178  # what stands beside the columns, and how wide each is
WORD, LANE, LANES = 26, 92, 66  # heights: the words, a head's lane, and where the first begins
BAR, CELL = 44, 34
MOST_WORDS, MOST_HEADS, MOST_NUMBERS = 8, 4, 4


@dataclass(frozen=True)
class Heads:
    """One word's attention with several heads.

    Attributes:
        words: T words.
        asks: the place of the word that asks.
        questions: H questions, as a reader would put them.
        weights: (H, T) how much each head gives to each word.
        found: (H, D) what each head brings home.
        output: (C,) the rows side by side, times W_O.
        answers: for each question, the likeliest answer and its probability.
    """

    words: Sequence[str]
    asks: int
    questions: Sequence[str]
    weights: np.ndarray
    found: np.ndarray
    output: np.ndarray
    answers: Sequence[tuple[str, float]]


def heads_side_by_side(heads: Heads, title: str, caption: str) -> Stepped:
    """The drawing: a step for the word, one for each head, and one for what becomes of it all.

    Args:
        heads: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there is too much to read.
    """
    check(heads)
    asker, H = heads.words[heads.asks], len(heads.questions)
    most = [heads.words[int(np.argmax(row))] for row in heads.weights]
    said = [f"{name} ({p:.0%})" for name, p in heads.answers]
    looks = [
        f"Head {h + 1} gives {row.max():.0%} of its weight to “{word}”, and brings home a short "
        f"row: {question}"
        for h, (question, word, row) in enumerate(
            zip(heads.questions, most, heads.weights, strict=True)
        )
    ]
    alt = f"“{asker}” asks {H} questions. " + " ".join(looks)
    alt += f" The answers: {', '.join(said)}."
    return stepped(
        draw(heads, alt),
        steps=[
            f"“{asker}” has {H} questions for the other words.",
            *looks,
            f"The {H} rows are put side by side, so nothing is mixed up, and the matrix W_O makes "
            f"one row of them. From it the answers are read: {', '.join(said)}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", *(f"weight of head {h + 1}" for h in range(H))],
        rows=[
            [word, *(f"{w:.2f}" for w in heads.weights[:, t])] for t, word in enumerate(heads.words)
        ],
    )


def check(heads: Heads) -> None:
    """Raise ValueError as `heads_side_by_side` says."""
    H, T, D = len(heads.questions), len(heads.words), np.shape(heads.found)[-1]
    given = (np.shape(heads.weights), np.shape(heads.found), len(heads.answers))
    if given != ((H, T), (H, D), H) or not 0 <= heads.asks < T:
        raise ValueError(
            f"{T} words and {H} questions need weights ({H}, {T}), a row and an answer a head, and "
            f"a word that asks; got {given}, and word {heads.asks} asks"
        )
    if T > MOST_WORDS or H > MOST_HEADS or D > MOST_NUMBERS:
        raise ValueError(
            f"one can read up to {MOST_WORDS} words, {MOST_HEADS} heads and {MOST_NUMBERS} numbers "
            f"a head; got {T}, {H} and {D}"
        )


def draw(heads: Heads, alt: str) -> str:
    """The drawing as SVG."""
    T, (H, D) = len(heads.words), np.shape(heads.found)
    width = LEFT + T * COLUMN + RIGHT
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(T)]
    home = width - RIGHT / 2  # in the middle of what the heads bring home
    joined = LANES + H * LANE + 40
    canvas = Canvas(width, joined + 70 + 13 * H, alt)
    at = centers[heads.asks]
    largest = float(np.abs(heads.found).max())
    small = CELL * min(1.0, (width - LEFT - 40) / (H * D * CELL))

    with canvas.step(1):
        for center, word in zip(centers, heads.words, strict=True):
            canvas.write(center, WORD, word, "word")
        canvas.box(at - 46, WORD - 17, 92, 34, tone="query")
        canvas.write(at, WORD, heads.words[heads.asks], "word")
    for h, question in enumerate(heads.questions):
        top = LANES + h * LANE
        floor = top + LANE - 24
        with canvas.step(2 + h):
            canvas.write(8, top + 30, question, "word", "start", tone="query")
            canvas.write(8, top + 52, f"head {h + 1}: weights", "note", "start")
            canvas.line([(LEFT - 6, floor), (width - RIGHT + 4, floor)], "ink", 0.8)
            for center, weight in zip(centers, heads.weights[h], strict=True):
                tall = max(1.5, float(weight) * BAR)
                canvas.bar(center - 22, floor - tall, 44, tall, "ink")
                canvas.write(center, floor + 11, f"{weight:.2f}", "note")
                if weight > 0.02:
                    curve = [
                        (center, floor - tall), (center, top - 4), (home, top - 4),
                        (home, floor - 16),
                    ]  # fmt: skip
                    canvas.line(curve, "value", max(0.8, 9 * float(weight)), flows=True)
            canvas.cells(home, floor, heads.found[h], "value", largest, width=CELL)
    with canvas.step(2 + H):
        canvas.write(8, joined - 8, "side by side", "big", "start", tone="value")
        canvas.write(8, joined + 9, "then times W_O", "note", "start")
        left = LEFT + H * D * small / 2
        for h in range(H):
            middle = LEFT + (h + 0.5) * D * small
            canvas.cells(middle, joined, heads.found[h], "value", largest, width=small)
        wide = len(heads.output)
        each = min(small, H * D * small / wide)
        canvas.line([(left, joined + 15), (left, joined + 40)], "residual", 3, arrow=True)
        canvas.cells(left, joined + 56, heads.output, "residual", width=each)
        canvas.write(8, joined + 56, "output", "big", "start", tone="residual")
        edge = left + wide * each / 2
        for h, (question, (name, p)) in enumerate(zip(heads.questions, heads.answers, strict=True)):
            y = joined + 56 + 26 * (h - (H - 1) / 2)
            curve = [
                (edge + 6, joined + 56),
                (edge + 24, joined + 56),
                (edge + 20, y),
                (edge + 38, y),
            ]
            canvas.line(curve, "residual", 2)
            canvas.write(edge + 46, y, f"{question} {name} {p:.0%}", "big", "start")
    return canvas.svg()
