"""Drawing: one blank, as a model sees it that reads from the left, and one that sees both sides."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 98, 74, 22  # what stands beside the columns, and how wide each is
WORDS = 236  # how far down the sentence runs
ARC = 86  # how far the highest arc is from the words
GUESSES = 5  # that are shown of each model
ROW, BAR, WIDEST = 22, 15, 180  # of the guesses: from one to the next, a bar's height and width
MOST_WORDS = 14
LEAST = 0.005  # guesses below are not shown
TOLD = 0.045  # weights from here on are printed

Likely = Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Looked:
    """A sentence with a blank, and what two models make of it.

    Attributes:
        words: T tokens, as they are shown.
        blank: the place of the blank, 1 or more.
        left: (blank,) the weights with which the word before the blank looks at the words up to
            itself, in a decoder.
        both: (T,) the weights with which the blank looks at all of them, in an encoder.
        guesses: what the decoder says, words and probabilities, the likeliest first.
        answers: what the encoder says.
    """

    words: Sequence[str]
    blank: int
    left: np.ndarray
    both: np.ndarray
    guesses: Likely
    answers: Likely


def both_sides(looked: Looked, title: str, caption: str) -> Stepped:
    """The drawing: the decoder above the sentence, the encoder below it.

    Args:
        looked: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the weights do not fit the words, or there are too many words to read.
    """
    check(looked)
    guess, answer = looked.guesses[0], looked.answers[0]
    most = looked.words[int(np.argmax(looked.both))]
    right = float(np.sum(looked.both[looked.blank + 1 :]))
    alt = (
        f"“{' '.join(looked.words)}”. From the left, a decoder says {told(looked.guesses)}. "
        f"From both sides, the blank looks at "
        + ", ".join(
            f"{word} {weight:.2f}" for word, weight in zip(looked.words, looked.both, strict=True)
        )
        + f", and an encoder says {told(looked.answers)}."
    )
    return stepped(
        draw(looked, alt),
        steps=[
            "A sentence with a blank. The words that give it away come after it.",
            "A decoder has to answer when it gets to the blank, so its last word, "
            f"“{looked.words[looked.blank - 1]}”, can only ask the words before.",
            f"They don’t tell. Its best guess is “{guess[0]}”, with {percent(guess[1])}.",
            "In an encoder, the blank itself asks, and every word on either side may answer.",
            f"It listens most to “{most}”; {right:.0%} of its weight is on the words that come "
            "after it.",
            f"Now it’s easy: “{answer[0]}”, with {percent(answer[1])}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", "weight in the decoder", "weight in the encoder"],
        rows=[
            [
                word,
                f"{looked.left[t]:.2f}" if t < looked.blank else "hidden",
                f"{looked.both[t]:.2f}",
            ]
            for t, word in enumerate(looked.words)
        ],
    )


def check(looked: Looked) -> None:
    """Raise ValueError as `both_sides` says."""
    T = len(looked.words)
    wanted, given = ((looked.blank,), (T,)), (np.shape(looked.left), np.shape(looked.both))
    if not 1 <= looked.blank < T or given != wanted:
        raise ValueError(
            f"a blank at place {looked.blank} of {T} needs weights {wanted}, got {given}"
        )
    if T > MOST_WORDS:
        raise ValueError(f"one can read up to {MOST_WORDS} words, got {T}")


def told(likely: Likely) -> str:
    """Words with their probabilities."""
    return ", ".join(f"{word} {p:.2f}" for word, p in likely)


def worth(likely: Likely) -> Likely:
    """The guesses that are shown."""
    return [guess for i, guess in enumerate(likely[:GUESSES]) if not i or guess[1] >= LEAST]


def draw(looked: Looked, alt: str) -> str:
    """The drawing as SVG."""
    T, blank = len(looked.words), looked.blank
    width = LEFT + T * COLUMN + RIGHT
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(T)]
    at, asks = centers[blank], centers[blank - 1]
    top = WORDS + 164  # of the encoder's guesses
    canvas = Canvas(width, top + ROW * max(2.5, len(worth(looked.answers))), alt)
    above, below = WORDS - 36, WORDS + 36  # where arcs end; the weights are printed inside

    def label(y: float, name: str, *notes: str) -> None:
        canvas.write(6, y, name, "big", "start")
        for i, note in enumerate(notes):
            canvas.write(6, y + 18 * (i + 1), note, "note", "start")

    def arc(a: float, b: float, edge: float, away: int) -> list[tuple[float, float]]:
        """From a to b, the higher the farther they are apart; away is −1 above the words."""
        reach = edge + away * (24 + ARC * min(1.0, abs(a - b) / (T * COLUMN / 2)))
        return [(a, edge), (a, reach), (b, reach), (b, edge)]

    def bars(likely: Likely, x: float, top: float) -> None:
        for i, (word, p) in enumerate(worth(likely)):
            y = top + i * ROW
            canvas.write(x - 6, y, word, "end", *(["big"] if i == 0 else []))
            canvas.bar(x, y - BAR / 2, max(1.5, p * WIDEST), BAR, "ink")
            canvas.write(x + 7 + p * WIDEST, y, percent(p), "start")

    with canvas.step(1):
        for t, (center, word) in enumerate(zip(centers, looked.words, strict=True)):
            if t != blank:
                canvas.write(center, WORDS, word, "big")
        canvas.box(at - 33, WORDS - 17, 66, 34, tone="query")
        canvas.write(at, WORDS, "?", "word", tone="query")
    with canvas.step(2):
        label(36, "decoder", "looks back,", "chapter 11")
        for t, (center, weight) in enumerate(zip(centers, looked.left, strict=False)):
            if t != blank - 1:
                canvas.line(arc(center, asks, above, -1), "value", thick(weight), flows=True)
            if weight >= TOLD:
                canvas.write(center, above + 12, f"{weight:.0%}", "note")
        hidden = centers[blank] + COLUMN / 2 + 4
        canvas.box(hidden, 158, width - RIGHT - hidden, 44)
        middle = (hidden + width - RIGHT) / 2
        canvas.write(middle, 172, "hidden by the causal mask:")
        canvas.write(middle, 189, "these words come later")
    with canvas.step(3):
        x = centers[min(blank + 1, T - 1)] + 20
        canvas.line(
            [(asks, above - 4), (asks, 66), (asks + 40, 66), (x - 76, 66)], "query", 2, arrow=True
        )
        bars(looked.guesses, x, 24)
    with canvas.step(4):
        label(top, "encoder", "looks both ways,", "this chapter")
        for t, center in enumerate(centers):
            if t != blank:
                canvas.line(arc(at, center, below, 1), "query", 1)
    with canvas.step(5):
        for t, (center, weight) in enumerate(zip(centers, looked.both, strict=True)):
            if t != blank:
                canvas.line(arc(center, at, below, 1), "value", thick(weight), flows=True)
            if weight >= TOLD:
                canvas.write(center, below - 11, f"{weight:.0%}", "note")
    with canvas.step(6):
        canvas.line([(at, below + 4), (at, top - 18)], "query", 2, arrow=True)
        bars(looked.answers, at + 6, top)
    return canvas.svg()


def percent(p: float) -> str:
    """A probability as one says it; what is nearly certain is not yet certain."""
    return "over 99%" if 0.995 <= p < 1 else f"{p:.0%}"


def thick(weight: float) -> float:
    """How thick a line is for a weight."""
    return max(0.8, 16 * float(weight))
