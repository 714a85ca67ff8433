"""Drawing: a step of negative sampling pulls the true neighbor near and pushes drawn words away."""

from collections.abc import Mapping

import numpy as np

from headway.figures.gallery.embeddings.guess import Guess
from headway.figures.gallery.embeddings.sigmoid_curve import SigmoidCurve
from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, CURVE, LEFT_OUT = 100, 262, 84  # beside the columns, the curve, a column without numbers
CELL, MOST_NUMBERS = 32, 4
# How far down each row runs.
SENTENCE, NAMES, GIVEN, GUESSED, SCORE, FLOOR, TRUTH, FORCE, MOVED, ANEW = (
    *(32, 112, 176, 250, 300, 398),
    *(424, 462, 528, 566),
)
BAR = 60  # height of a bar that stands for a chance of 1
MOST_DRAWN, MOST_LATER = 3, 6


def pull_and_push(
    guess: Guess, later: Mapping[str, np.ndarray], steps: int, title: str, caption: str
) -> Stepped:
    """The drawing, in seven steps.

    Args:
        guess: the numbers of one step.
        later: words with their rows (C,) of E at the end of training; the first two are alike.
        steps: how many steps the training takes.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, there is too much to read, or the neighbor
            is not in the center's window.
    """
    check(guess, later)
    center, neighbor = guess.words[guess.center], guess.words[guess.neighbor]
    one, other = list(later)[:2]
    others = " and ".join(
        dict.fromkeys(
            f"“{word}”" for word, kept in zip(guess.drawn, guess.kept[1:], strict=True) if kept
        )
    )
    said = "; ".join(
        f"{word}: row {told(row)}, score {shown(score, 2)}, chance {chance:.2f}"
        + ("" if kept else ", left out")
        for word, row, score, chance, kept in zip(
            guess.asked, guess.guessed, guess.scores, guess.chances, guess.kept, strict=True
        )
    )
    alt = (
        f"The center “{center}” with the row {told(guess.given)} meets its neighbor and drawn "
        f"words. {said}. After the step the scores are "
        + ", ".join(shown(score, 2) for score in guess.scores_after[guess.kept])
        + f". After {steps:,} steps: "
        + "; ".join(f"{word} {told(row)}" for word, row in later.items())
        + "."
    )
    return stepped(
        draw(guess, later, steps, alt),
        steps=[
            f"A window slides over the text. Now “{center}” is its center, and “{neighbor}” is a "
            "neighbor.",
            f"“{center}” takes its row of E: {in_letters(len(guess.given))} numbers.",
            f"“{neighbor}” takes its row of U, and so do {in_letters(len(guess.drawn))} words "
            "drawn by chance. "
            + (
                "One of them is the true neighbor, so it is left out."
                if not guess.kept.all()
                else "They are no neighbors, or hardly ever."
            ),
            "Row times row is a score: how well does the word fit there?",
            "The sigmoid turns scores into chances of a yes. The truth is yes for "
            f"“{neighbor}” and no for {others or 'no other word'}.",
            f"Truth minus chance moves the rows: “{neighbor}” is pulled toward “{center}”, drawn "
            "words are pushed away.",
            f"The window moves on. After {steps:,} steps, “{one}” and “{other}” have been pulled "
            "the same ways, and their rows are alike.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", "row of U", "score", "chance of a yes", "truth − chance", "new score"],
        rows=[
            [
                word + ("" if kept else " (left out)"),
                told(row),
                shown(score, 2),
                f"{chance:.2f}",
                shown(force, 2),
                shown(after, 2),
            ]
            for word, kept, row, score, chance, force, after in zip(
                guess.asked,
                guess.kept,
                guess.guessed,
                guess.scores,
                guess.chances,
                guess.forces,
                guess.scores_after,
                strict=True,
            )
        ],
    )


def check(guess: Guess, later: Mapping[str, np.ndarray]) -> None:
    """Raise ValueError as `pull_and_push` says."""
    K, C = len(guess.drawn), len(guess.given)
    rows = [np.shape(guess.guessed), *map(np.shape, later.values())]
    if rows != [(1 + K, C)] + [(C,)] * len(later):
        raise ValueError(
            f"the neighbor, {K} drawn words and those of later need rows as wide as the center's, "
            f"{C}; got {rows}"
        )
    if not (1 <= K <= MOST_DRAWN and 2 <= len(later) <= MOST_LATER and C <= MOST_NUMBERS):
        raise ValueError(
            f"one can read up to {MOST_DRAWN} drawn words, 2 to {MOST_LATER} words later and "
            f"{MOST_NUMBERS} numbers in a row; got {K}, {len(later)} and {C}"
        )
    inside = range(
        max(0, guess.center - guess.window),
        min(len(guess.words), guess.center + guess.window + 1),
    )
    if guess.center == guess.neighbor or guess.neighbor not in inside:
        raise ValueError(
            f"word {guess.neighbor} is no neighbor of word {guess.center}, with {guess.window} "
            f"words on each side of {len(guess.words)} words"
        )


def in_letters(count: int) -> str:
    """A small number as a word."""
    return ("no", "one", "two", "three", "four")[count]


def told(row: np.ndarray) -> str:
    """A row of numbers, as one reads it."""
    return f"({', '.join(shown(x, 1) for x in row)})"


def draw(guess: Guess, later: Mapping[str, np.ndarray], steps: int, alt: str) -> str:
    """The drawing as SVG."""
    count = 1 + len(guess.drawn)
    column = max(84, CELL * len(guess.given) + 8)
    widths = [column if kept else LEFT_OUT for kept in guess.kept]
    centers = [LEFT + sum(widths[:i]) + widths[i] / 2 for i in range(count)]
    edge = LEFT + sum(widths)  # where the columns end
    width = edge + CURVE
    asked = [i for i in range(count) if guess.kept[i]]
    middle = (centers[asked[0]] + centers[asked[-1]]) / 2
    canvas = Canvas(width, ANEW + 24, alt)
    center = guess.words[guess.center]
    largest = float(np.abs([guess.given, guess.given_after, *guess.guessed]).max())

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(8, y - 8, name, "big", "start", tone=tone)
        canvas.write(8, y + 9, note, "note", "start")

    with canvas.step(1):
        draw_sentence(canvas, guess, width)
    with canvas.step(2):
        label(GIVEN, "E", "center’s row", "residual")
        canvas.write(middle - CELL * len(guess.given) / 2 - 10, GIVEN, center, "word", "end")
        canvas.cells(middle, GIVEN, guess.given, "residual", largest, width=CELL)
    with canvas.step(3):
        label(GUESSED, "U", "other rows")
        for i, (at, word) in enumerate(zip(centers, guess.asked, strict=True)):
            note = "true neighbor" if i == 0 else "drawn" if guess.kept[i] else "drawn, left out"
            canvas.write(at, NAMES, word, "big")
            canvas.write(at, NAMES + 19, note, "note")
            if guess.kept[i]:
                canvas.cells(at, GUESSED, guess.guessed[i], "ink", 2 * largest, width=CELL)
            else:
                canvas.line([(at - 26, NAMES), (at + 26, NAMES)], width=2)
    bus = GIVEN + 34
    with canvas.step(4):
        label(SCORE, "score", "E · U")
        canvas.line([(middle, GIVEN + 12), (middle, bus)], "residual", 2)
        canvas.line([(centers[asked[0]], bus), (centers[asked[-1]], bus)], "residual", 2)
        for at in (centers[i] for i in asked):
            canvas.line([(at, bus), (at, GUESSED - 14)], "residual", 2, arrow=True, flows=True)
            canvas.line([(at, GUESSED + 12), (at, SCORE - 14)], "ink", 2, arrow=True)
        for i in asked:
            canvas.write(centers[i], SCORE, shown(guess.scores[i], 2), "big")
    curve = SigmoidCurve(canvas, edge + 18, 132, CURVE - 34, 190, guess)
    with canvas.step(5):
        label(FLOOR - 28, "chance", "σ(score)")
        label(TRUTH, "truth", "a neighbor?")
        curve.frame()
        for i in asked:
            tall = max(1.5, guess.chances[i] * BAR)
            canvas.bar(centers[i] - 24, FLOOR - tall, 48, tall, "ink")
            canvas.write(centers[i], FLOOR - tall - 11, f"{guess.chances[i]:.2f}", "big")
            canvas.write(centers[i], TRUTH, "yes: 1" if i == 0 else "no: 0", "big")
            curve.dot(guess.scores[i])
    with canvas.step(6):
        label(FORCE, "force", "truth − chance")
        label(MOVED, "E, moved", "one step on", "residual")
        label(ANEW, "new score", "E · U again")
        for i in asked:
            name = "pull" if guess.forces[i] > 0 else "push"
            canvas.write(centers[i], FORCE - 8, name, "big")
            canvas.write(centers[i], FORCE + 9, shown(guess.forces[i], 2))
            canvas.line(
                [
                    (centers[i], FORCE + 20),
                    (centers[i], MOVED - 30),
                    (middle, FORCE + 30),
                    (middle, MOVED - 15),
                ],
                "ink",
                max(1.0, 8 * abs(float(guess.forces[i]))),
                flows=True,
            )
            canvas.write(centers[i], ANEW, shown(guess.scores_after[i], 2), "big")
            curve.slide(i)
        canvas.cells(middle, MOVED, guess.given_after, "residual", largest, width=CELL)
    with canvas.step(7):
        at = edge + CURVE / 2 + 40
        top = ANEW - 28 * (len(later) - 1)
        canvas.write(at - 30, top - 30, f"rows of E after {steps:,} steps", "note")
        deepest = float(np.abs(list(later.values())).max())
        for i, (word, row) in enumerate(later.items()):
            canvas.write(at - CELL * len(row) / 2 - 12, top + 28 * i, word, "big", "end")
            canvas.cells(at, top + 28 * i, row, "residual", deepest, width=CELL)
    return canvas.svg()


def draw_sentence(canvas: Canvas, guess: Guess, width: float) -> None:
    """The sentence, with the window around its center."""
    step = (width - 16) / len(guess.words)
    places = [8 + (i + 0.5) * step for i in range(len(guess.words))]
    first = max(0, guess.center - guess.window)
    last = min(len(guess.words) - 1, guess.center + guess.window)
    left, right = places[first] - step / 2 + 6, places[last] + step / 2 - 6
    canvas.box(left, SENTENCE - 24, right - left, 48)
    half = min(46, step / 2 - 10)
    canvas.box(places[guess.center] - half, SENTENCE - 17, 2 * half, 34, tone="residual")
    for at, word in zip(places, guess.words, strict=True):
        canvas.write(at, SENTENCE, word, "word")
    canvas.write(places[guess.center], SENTENCE + 38, "center", "note")
    canvas.write(places[guess.neighbor], SENTENCE + 38, "neighbor", "note")
    if right + 190 < width:
        y = SENTENCE + 38
        canvas.line([(right - 40, y), (right, y)], arrow=True, flows=True)
        canvas.write(right + 8, y, "the window slides on", "note", "start")
