"""Drawing: guesses pull a word's row one way and push it another, until words of a kind meet."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.embeddings.guess import Guess
from headway.figures.gallery.embeddings.word_roads import WordRoads
from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_DRAWN, MOST_WORDS, FEWEST_STEPS = 3, 8, 5
# Of what is asked: how far down the sentence and the first word are, and from word to word.
SENTENCE, FIRST, ROW, NAMES = 34, 158, 66, 122
LETTER = 11  # how wide a letter of a word is, at most


@dataclass(frozen=True)
class Journey:
    """One guess, and the roads of some words through all of them.

    Attributes:
        guess: one step of training in numbers, two for each word.
        words: N words.
        tracks: (S, N, 2) their rows of E after each of S steps.
    """

    guess: Guess
    words: Sequence[str]
    tracks: np.ndarray

    @property
    def alike(self) -> tuple[str, str, str]:
        """A word, the one that ends nearest to it, and the one that ends farthest away."""
        one = max(0, [*self.words].index(self.center) if self.center in self.words else 0)
        order = np.linalg.norm(self.tracks[-1] - self.tracks[-1, one], axis=1).argsort()
        return tuple(self.words[i] for i in (one, order[1], order[-1]))

    @property
    def center(self) -> str:
        """The word in the middle of the window."""
        return self.guess.words[self.guess.center]


def pull_and_push(journey: Journey, title: str, caption: str) -> Stepped:
    """The drawing, in four steps.

    Args:
        journey: the guess, and the words on their way.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, there is too much to read, or the neighbor
            is not in the center's window.
    """
    check(journey)
    guess, center = journey.guess, journey.center
    neighbor, (one, near, far) = guess.words[guess.neighbor], journey.alike
    strangers = [
        f"“{word}”" for word, kept in zip(guess.drawn, guess.kept[1:], strict=True) if kept
    ]
    others = " and ".join(dict.fromkeys(strangers))
    said = "; ".join(
        f"{word}: chance {chance:.2f}" + (f", force {shown(force, 2)}" if kept else ", left out")
        for word, chance, force, kept in zip(
            guess.asked, guess.chances, guess.forces, guess.kept, strict=True
        )
    )
    ends = "; ".join(
        f"{word} from {told(first)} to {told(last)}"
        for word, first, last in zip(
            journey.words, journey.tracks[0], journey.tracks[-1], strict=True
        )
    )
    steps = len(journey.tracks)
    alt = (
        f"The center “{center}” with the row {told(guess.given)} is asked for its neighbor and for "
        f"words drawn by chance. {said}. It moves to {told(guess.given_after)}. Through {steps:,} "
        f"steps the words move: {ends}."
    )
    left_out = "" if guess.kept.all() else " One of those is the true neighbor, so it is left out."
    return stepped(
        draw(journey, alt),
        steps=[
            f"A window slides over the text. Now “{center}” is in the middle, and “{neighbor}” is "
            "near.",
            f"Is it a neighbor? The model is asked about “{neighbor}”, and about words drawn by "
            f"chance. Each dot is its guess.{left_out}",
            f"The farther a guess is from the truth, the more it moves the row of “{center}”: "
            f"“{neighbor}” pulls it" + (f", {others} push it away." if others else "."),
            f"All words begin at a ring, by chance. {steps:,} steps later, “{one}” and “{near}” "
            f"have been pulled the same ways and are close, and “{far}” is far away.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", "row of U", "score", "chance of a yes", "truth − chance", "new score"],
        rows=[
            [
                word + ("" if kept else " (left out)"),
                told(row), shown(score, 2), f"{chance:.2f}", shown(force, 2), shown(after, 2),
            ]
            for word, kept, row, score, chance, force, after in zip(
                guess.asked, guess.kept, guess.guessed, guess.scores, guess.chances, guess.forces,
                guess.scores_after, strict=True,
            )
        ],
        upright=draw(journey, alt, upright=True),
    )  # fmt: skip


def check(journey: Journey) -> None:
    """Raise ValueError as `pull_and_push` says."""
    guess, N = journey.guess, len(journey.words)
    K, tracks = len(guess.drawn), np.shape(journey.tracks)
    if np.shape(guess.given) != (2,) or np.shape(guess.guessed) != (1 + K, 2):
        raise ValueError(
            f"on a plane, the center needs a row of two numbers and so do {1 + K} words that are "
            f"asked about; got {np.shape(guess.given)} and {np.shape(guess.guessed)}"
        )
    if tracks[1:] != (N, 2) or tracks[0] < FEWEST_STEPS:
        raise ValueError(f"{N} words need {FEWEST_STEPS} steps or more of ({N}, 2); got {tracks}")
    if not (1 <= K <= MOST_DRAWN and 2 <= N <= MOST_WORDS):
        raise ValueError(
            f"one can read up to {MOST_DRAWN} drawn words and 2 to {MOST_WORDS} words on their "
            f"way; got {K} and {N}"
        )
    inside = range(*seen(guess))
    if guess.center == guess.neighbor or guess.neighbor not in inside:
        raise ValueError(
            f"word {guess.neighbor} is no neighbor of word {guess.center}, with {guess.window} "
            f"words on each side of {len(guess.words)} words"
        )


def seen(guess: Guess) -> tuple[int, int]:
    """The places from which on and up to which the window sees words."""
    return (
        max(0, guess.center - guess.window),
        min(len(guess.words), guess.center + guess.window + 1),
    )


def told(row: np.ndarray) -> str:
    """A row of numbers, as one reads it."""
    return f"({', '.join(shown(x, 1) for x in row)})"


def draw(journey: Journey, alt: str, upright: bool = False) -> str:
    """The drawing as SVG: what is asked, and the map, beside it or below."""
    count = len(journey.guess.asked)
    asked = FIRST + ROW * (count - 1) + 40
    if upright:
        canvas, wide, place = Canvas(350, asked + 372, alt), 350, (1, asked + 20, 348, 350)
    else:
        high = max(asked, 400)
        canvas, wide, place = Canvas(740, high + 2, alt), 292, (318, 1, 420, high)
    roads = WordRoads(canvas, *place, journey.guess, journey.words, journey.tracks)
    with canvas.step(1):
        draw_window(canvas, journey.guess, wide)
        roads.frame()
    draw_guesses(canvas, journey.guess, wide)
    with canvas.step(3):
        roads.one_step()
    with canvas.step(4):
        roads.all_steps()
    return canvas.svg(upright)


def draw_window(canvas: Canvas, guess: Guess, wide: float) -> None:
    """What the window sees, its center in color."""
    first, beyond = seen(guess)
    words = guess.words[first:beyond]
    wanted = [LETTER * len(word) + 10 for word in words]
    gap = max(0.0, (wide - 48 - sum(wanted)) / len(words))
    at, x = [], 24 + gap / 2
    for each in wanted:
        at.append(x + each / 2)
        x += each + gap
    canvas.box(20, SENTENCE - 24, wide - 40, 48)
    half = wanted[guess.center - first] / 2 + 2
    canvas.box(at[guess.center - first] - half, SENTENCE - 17, 2 * half, 34, tone="residual")
    for place, word in zip(at, words, strict=True):
        canvas.write(place, SENTENCE, word, "word")
    if first > 0:
        canvas.write(8, SENTENCE, "…")
    if beyond < len(guess.words):
        canvas.write(wide - 8, SENTENCE, "…")
    canvas.write(at[guess.center - first], SENTENCE + 38, "center", "note")
    canvas.write(at[guess.neighbor - first], SENTENCE + 38, "neighbor", "note")


def draw_guesses(canvas: Canvas, guess: Guess, wide: float) -> None:
    """For each word that is asked about, how far the guess is from the truth."""
    left, right = NAMES, wide - 22
    lines = [FIRST + ROW * i for i in range(len(guess.asked))]
    dots = [left + chance * (right - left) for chance in guess.chances]
    with canvas.step(2):
        canvas.write(left, FIRST - 30, "no")
        canvas.write(right, FIRST - 30, "yes")
        for i, (y, word, kept) in enumerate(zip(lines, guess.asked, guess.kept, strict=True)):
            note = "the neighbor" if i == 0 else "by chance" if kept else "left out"
            canvas.write(6, y - 8, word, "big", "start")
            canvas.write(6, y + 10, note, "note", "start")
            canvas.line([(left, y), (right, y)], "faint", 2)
            if kept:
                with canvas.moving("arrives", dx=(left + right) / 2 - dots[i]):
                    canvas.line([(dots[i], y), (dots[i], y)], "ink", 13)
    with canvas.step(3):
        for i in np.flatnonzero(guess.kept):
            y, pulls = lines[i], guess.forces[i] > 0
            end = right if pulls else left
            with canvas.moving("draws"):
                canvas.line([(dots[i], y), (end, y)], "ink", 4, arrow=abs(end - dots[i]) > 12)
            at = (dots[i] + end) / 2 if pulls else dots[i] + 12
            canvas.write(at, y - 15 if pulls else y - 13, "pull" if pulls else "push", "big",
                         *(() if pulls else ("start",)))  # fmt: skip
