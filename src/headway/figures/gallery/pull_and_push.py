"""Drawing: one step of negative sampling pulls a true neighbor nearer and pushes drawn words away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.drawn import Canvas, shown
from headway.figures.gallery.stepped import Stepped, stepped

LEFT, COLUMN, PLANE = 112, 102, 262  # what stands beside the columns, a column, and the plane
# How far down each row runs.
SENTENCE, NAMES, GIVEN, GUESSED, SCORE, FLOOR, TRUTH, FORCE, MOVED, ANEW = (
    *(32, 112, 176, 250, 300, 398),
    *(424, 462, 528, 566),
)
BAR = 60  # height of a bar that stands for a chance of 1
MOST_DRAWN, MOST_LATER = 3, 6


@dataclass(frozen=True)
class Guess:
    """One step of training, in numbers.

    Attributes:
        words: the sentence.
        center, neighbor: the places of the two words of the pair.
        window: how many words on each side are neighbors.
        drawn: K words drawn by chance; one of them may be the true neighbor.
        given: (2,) the center's row of E before the step.
        guessed: (1 + K, 2) the rows of U before the step, of the neighbor and of those drawn.
        rate: by how much of its slope a row moves.
    """

    words: Sequence[str]
    center: int
    neighbor: int
    window: int
    drawn: Sequence[str]
    given: np.ndarray
    guessed: np.ndarray
    rate: float

    @property
    def asked(self) -> list[str]:
        """The words that are asked about: the true neighbor, then those drawn."""
        return [self.words[self.neighbor], *self.drawn]

    @property
    def kept(self) -> np.ndarray:
        """(1 + K,) False where a drawn word is the true one, and so is left out."""
        return np.array([True, *(word != self.words[self.neighbor] for word in self.drawn)])

    @property
    def scores(self) -> np.ndarray:
        """(1 + K,) the dot products."""
        return self.guessed @ self.given

    @property
    def chances(self) -> np.ndarray:
        """(1 + K,) their sigmoids."""
        return 1 / (1 + np.exp(-self.scores))

    @property
    def forces(self) -> np.ndarray:
        """(1 + K,) truth minus chance: above 0 pulls, below 0 pushes."""
        truth = np.arange(len(self.guessed)) == 0
        return np.where(self.kept, truth - self.chances, 0.0)

    @property
    def given_after(self) -> np.ndarray:
        """(2,) the center's row after the step."""
        return self.given + self.rate * self.forces @ self.guessed

    @property
    def guessed_after(self) -> np.ndarray:
        """(1 + K, 2) the other rows after the step."""
        return self.guessed + self.rate * self.forces[:, None] * self.given

    @property
    def scores_after(self) -> np.ndarray:
        """(1 + K,) the dot products after the step."""
        return self.guessed_after @ self.given_after


def pull_and_push(
    guess: Guess, later: Mapping[str, np.ndarray], steps: int, title: str, caption: str
) -> Stepped:
    """The drawing, in seven steps.

    Args:
        guess: the numbers of one step.
        later: words with their rows (2,) of E at the end of training; the first two are alike.
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
        f"{word}: row {pair(row)}, score {shown(score, 2)}, chance {chance:.2f}"
        + ("" if kept else ", left out")
        for word, row, score, chance, kept in zip(
            guess.asked, guess.guessed, guess.scores, guess.chances, guess.kept, strict=True
        )
    )
    alt = (
        f"The center “{center}” with the row {pair(guess.given)} meets its neighbor and drawn "
        f"words. {said}. After the step the scores are "
        f"{', '.join(shown(score, 2) for score in guess.scores_after)}. After {steps:,} steps: "
        + "; ".join(f"{word} {pair(row)}" for word, row in later.items())
        + "."
    )
    return stepped(
        draw(guess, later, steps, alt),
        steps=[
            f"A window slides over the text. Now “{center}” is its center, and “{neighbor}” is a "
            "neighbor.",
            f"“{center}” takes its row of E: two numbers, an arrow in the plane.",
            f"“{neighbor}” takes its row of U, and so do {len(guess.drawn)} words drawn by chance. "
            + (
                "One of them is the true neighbor, so it is left out."
                if not guess.kept.all()
                else "They are no neighbors, or hardly ever."
            ),
            "Row times row is a score: how well does the word fit there?",
            "The sigmoid turns scores into chances of a yes. The truth is yes for "
            f"“{neighbor}” and no for {others or 'no other word'}.",
            f"Truth minus chance moves the rows: “{neighbor}” is pulled toward “{center}”, drawn "
            "words are pushed away. What was most wrong moves most.",
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
                pair(row),
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
    K = len(guess.drawn)
    rows = [np.shape(guess.given), np.shape(guess.guessed), *map(np.shape, later.values())]
    if rows != [(2,), (1 + K, 2)] + [(2,)] * len(later):
        raise ValueError(
            f"a center, its neighbor and {K} drawn words need rows of two numbers each, and so do "
            f"the words of later; got {rows}"
        )
    if not (1 <= K <= MOST_DRAWN and 2 <= len(later) <= MOST_LATER and len(guess.words) <= 7):
        raise ValueError(
            f"one can read up to {MOST_DRAWN} drawn words, 2 to {MOST_LATER} words later and 7 in "
            f"a sentence; got {K}, {len(later)} and {len(guess.words)}"
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


def pair(row: np.ndarray) -> str:
    """Two numbers, as one reads a row."""
    return f"({', '.join(shown(x, 1) for x in row)})"


def draw(guess: Guess, later: Mapping[str, np.ndarray], steps: int, alt: str) -> str:
    """The drawing as SVG."""
    count = 1 + len(guess.drawn)
    edge = LEFT + count * COLUMN  # where the columns end
    width = edge + PLANE
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(count)]
    middle = (centers[0] + centers[-1]) / 2
    canvas = Canvas(width, ANEW + 24, alt)
    center = guess.words[guess.center]
    largest = float(np.abs([guess.given, guess.given_after, *guess.guessed]).max())

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(8, y - 8, name, "big", "start", tone=tone)
        canvas.write(8, y + 9, note, "note", "start")

    plane = Plane(canvas, edge + PLANE / 2 + 8, 254, PLANE / 2 - 22)
    plane.fit([guess.given, guess.given_after, *guess.guessed, *guess.guessed_after])

    with canvas.step(1):
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
        if right + 60 < width:
            canvas.line(
                [(right + 8, SENTENCE + 20), (right + 48, SENTENCE + 20)], arrow=True, flows=True
            )
            canvas.write(right + 56, SENTENCE + 38, "the window slides on", "note", "start")
    with canvas.step(2):
        label(GIVEN, "E", "center’s row", "residual")
        canvas.write(middle - 50, GIVEN, center, "word", "end")
        canvas.cells(middle, GIVEN, guess.given, "residual", largest)
        plane.frame()
        plane.arrow(guess.given, center, "residual", 4, "word")
    with canvas.step(3):
        label(GUESSED, "U", "neighbors’ rows")
        for i, (at, word) in enumerate(zip(centers, guess.asked, strict=True)):
            note = "true neighbor" if i == 0 else "drawn" if guess.kept[i] else "drawn, left out"
            canvas.write(at, NAMES, word, "big")
            canvas.write(at, NAMES + 19, note, "note")
            if guess.kept[i]:
                canvas.cells(at, GUESSED, guess.guessed[i], "ink", 2 * largest)
                plane.arrow(guess.guessed[i], word, "ink", 2)
            else:
                canvas.line([(at - 26, NAMES), (at + 26, NAMES)], width=2)
    asked = [i for i in range(count) if guess.kept[i]]
    bus = GIVEN + 34
    with canvas.step(4):
        label(SCORE, "score", "E · U")
        canvas.line([(middle, GIVEN + 12), (middle, bus)], "residual", 2)
        ends = [centers[asked[0]], middle, centers[asked[-1]]]
        canvas.line([(min(ends), bus), (max(ends), bus)], "residual", 2)
        for i in asked:
            canvas.line(
                [(centers[i], bus), (centers[i], GUESSED - 14)],
                "residual",
                2,
                arrow=True,
                flows=True,
            )
            canvas.line(
                [(centers[i], GUESSED + 12), (centers[i], SCORE - 14)], "ink", 2, arrow=True
            )
            canvas.write(centers[i], SCORE, shown(guess.scores[i], 2), "big")
    with canvas.step(5):
        label(FLOOR - 28, "chance", "σ(score)")
        label(TRUTH, "truth", "is it there?")
        for i in asked:
            tall = max(1.5, guess.chances[i] * BAR)
            canvas.bar(centers[i] - 24, FLOOR - tall, 48, tall, "ink")
            canvas.write(centers[i], FLOOR - tall - 11, f"{guess.chances[i]:.2f}", "big")
            canvas.write(centers[i], TRUTH, "yes: 1" if i == 0 else "no: 0", "big")
    with canvas.step(6):
        label(FORCE, "force", "truth − chance")
        label(MOVED, "E, moved", "one step on", "residual")
        label(ANEW, "score", "after the step")
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
        canvas.cells(middle, MOVED, guess.given_after, "residual", largest)
        plane.move(guess.given, guess.given_after, "residual", 3)
        for i in asked:
            plane.move(guess.guessed[i], guess.guessed_after[i], "ink", 3)
    with canvas.step(7):
        at = edge + PLANE / 2 + 24
        top = ANEW - 28 * (len(later) - 1)
        canvas.write(at - 10, top - 32, f"rows of E after {steps:,} steps", "note")
        deepest = float(np.abs(list(later.values())).max())
        for i, (word, row) in enumerate(later.items()):
            canvas.write(at - 50, top + 28 * i, word, "big", "end")
            canvas.cells(at, top + 28 * i, row, "residual", deepest)
    return canvas.svg()


class Plane:
    """Rows of two numbers as arrows from one point.

    Args:
        canvas: on which it is drawn.
        x, y: its middle.
        half: from the middle to an edge.
    """

    def __init__(self, canvas: Canvas, x: float, y: float, half: float):
        self.canvas, self.x, self.y, self.half, self.unit = canvas, x, y, half, 1.0

    def fit(self, rows: Sequence[np.ndarray]) -> None:
        """Choose the unit, so that names still have room beside the longest arrow."""
        self.unit = (self.half - 26) / float(np.abs(rows).max())

    def at(self, row: np.ndarray) -> tuple[float, float]:
        return self.x + self.unit * float(row[0]), self.y - self.unit * float(row[1])

    def frame(self) -> None:
        """The two axes."""
        for dx, dy in ((self.half, 0), (0, self.half)):
            ends = [(self.x - dx, self.y - dy), (self.x + dx, self.y + dy)]
            self.canvas.line(ends, "ink", 0.4)

    def arrow(self, row: np.ndarray, name: str, tone: str, width: float, *kinds: str) -> None:
        """An arrow, and its name behind the tip."""
        x, y = self.at(row)
        self.canvas.line([(self.x, self.y), (x, y)], tone, width, arrow=True)
        away = np.array([x - self.x, y - self.y])
        dx, dy = 12 * away / (np.linalg.norm(away) or 1)
        side = "start" if dx > 4 else "end" if dx < -4 else ""
        kinds = (*kinds, side) if side else kinds
        colored = tone if tone == "residual" else ""
        self.canvas.write(x + dx, y + dy, name, *kinds, tone=colored)

    def move(self, row: np.ndarray, after: np.ndarray, tone: str, width: float) -> None:
        """From the tip of an arrow to where the step leads."""
        self.canvas.line([self.at(row), self.at(after)], tone, width, arrow=True, flows=True)
