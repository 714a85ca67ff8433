"""Drawing: one step of gradient descent on the scores by which earlier words vote."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from headway.figures.gallery.shared.drawn import CELL, Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 97, 60, 118  # beside the columns, and how wide each is
# How far down each row runs; bars end at FLOOR.
WORD, VOTE, SCORE, FLOOR, SLOPE, NEXT, AFTER, LATER = 22, 64, 112, 196, 268, 330, 430, 552
BAR = 90  # height of a bar that stands for all the weight
MOST_WORDS = 9


@dataclass(frozen=True)
class Voters:
    """Earlier words that vote for the word that came, and the scores that weigh their votes.

    Attributes:
        words: N earlier words.
        answer: the word that came.
        votes: (N,) what each gives to that word, between 0 and 1.
        scores: (N,).
    """

    words: Sequence[str]
    answer: str
    votes: np.ndarray
    scores: np.ndarray

    @property
    def weights(self) -> np.ndarray:
        """(N,) the softmax of the scores."""
        e = np.exp(self.scores - np.max(self.scores))
        return e / e.sum()

    @property
    def chance(self) -> float:
        """What the mixture of the votes gives to the word that came."""
        return float(self.weights @ self.votes)

    @property
    def loss(self) -> float:
        """Minus the logarithm of that, in nats."""
        return float(-np.log(self.chance))

    @property
    def slopes(self) -> np.ndarray:
        """(N,) of the loss: each word's share of the weight, minus its share of the answer."""
        return self.weights - self.weights * self.votes / self.chance

    def after(self, rate: float) -> "Voters":
        """The same words, one step of gradient descent later."""
        return replace(self, scores=self.scores - rate * self.slopes)


def one_step(
    voters: Voters, rate: float, later: np.ndarray, steps: int, title: str, caption: str
) -> Stepped:
    """The drawing: forward, back, and forward again, in eight steps.

    Args:
        voters: the numbers before the step.
        rate: the learning rate.
        later: (N,) the scores after a whole training.
        steps: how many steps that took.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, nobody votes for the word that came, or
            there are not two to nine words.
    """
    check(voters, later)
    after, trained = voters.after(rate), replace(voters, scores=np.asarray(later, dtype=float))
    best = int(voters.slopes.argmin())
    word, answer = voters.words[best], voters.answer
    alt = (
        f"{len(voters.words)} words vote for “{answer}”. Before the step it has probability "
        f"{voters.chance:.2f} and the loss is {voters.loss:.2f}. The slopes flow back: "
        + ", ".join(f"{w} {shown(g, 3)}" for w, g in zip(voters.words, voters.slopes, strict=True))
        + f". After the step “{word}” has the weight {after.weights[best]:.2f} and “{answer}” "
        f"the probability {after.chance:.2f}; after {steps} steps {trained.weights[best]:.3f} and "
        f"{trained.chance:.3f}."
    )
    return stepped(
        draw(voters, after, trained, rate, steps, alt),
        steps=[
            f"The words so far. Each says how likely “{answer}” is: this is its vote.",
            "Each has a score as well, and a softmax turns the scores into weights: equal scores, "
            "equal weights.",
            f"The votes, each times its weight, add up to the probability of “{answer}”: "
            f"{voters.chance:.2f}.",
            f"“{answer}” is what came. The loss says how wrong we were: −ln {voters.chance:.2f} = "
            f"{voters.loss:.2f}.",
            "Now back: how much would the loss rise if one score rose? That is the score’s slope, "
            f"and below zero for “{word}” alone." if (voters.slopes < 0).sum() == 1 else
            "Now back: how much would the loss rise if one score rose? That is the score’s slope.",
            f"One step: take {rate:g} times its slope away from each score. “{word}” goes up, and "
            "who knew less than the mixture goes down.",
            f"Forward again: “{word}” has {after.weights[best]:.2f} instead of "
            f"{voters.weights[best]:.2f}, and the loss falls to {after.loss:.2f}.",
            f"And after {steps} steps, “{word}” has {trained.weights[best]:.1%} of the weight.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", "vote", "weight", "slope", "score after", "weight after",
                f"weight after {steps}"],
        rows=[
            [one, shown(v, 2), f"{w:.3f}", shown(g, 3), shown(s, 2), f"{wa:.3f}", f"{wl:.3f}"]
            for one, v, w, g, s, wa, wl in zip(
                voters.words, voters.votes, voters.weights, voters.slopes, after.scores,
                after.weights, trained.weights, strict=True,
            )
        ],
    )  # fmt: skip


def check(voters: Voters, later: np.ndarray) -> None:
    """Raise ValueError as `one_step` says."""
    N = len(voters.words)
    shapes = [np.shape(part) for part in (voters.votes, voters.scores, later)]
    if shapes != [(N,)] * 3:
        raise ValueError(
            f"{N} words need a vote, a score and a later score each; got {shapes[0]}, {shapes[1]} "
            f"and {shapes[2]}"
        )
    if not 2 <= N <= MOST_WORDS:
        raise ValueError(f"one can read 2 to {MOST_WORDS} words, got {N}")
    if np.min(voters.votes) < 0 or np.max(voters.votes) > 1 or not np.any(voters.votes):
        raise ValueError(
            f"votes are between 0 and 1, and one word at least votes for {voters.answer!r}; got "
            f"{np.asarray(voters.votes).tolist()}"
        )


def draw(voters: Voters, after: Voters, trained: Voters, rate: float, steps: int, alt: str) -> str:
    """The drawing as SVG."""
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(len(voters.words))]
    edge = centers[-1] + COLUMN / 2 + 14  # where the answers begin
    middle = edge + 50
    canvas = Canvas(edge + RIGHT - 6, LATER + 22, alt)
    best = int(voters.slopes.argmin())

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(6, y - 8, name, "big", "start", tone=tone)
        canvas.write(6, y + 9, note, "note", "start")

    def bars(floor: float, now: Voters, digits: int) -> None:
        for center, weight in zip(centers, now.weights, strict=True):
            canvas.bar(
                center - 18, floor - max(1.5, weight * BAR), 36, max(1.5, weight * BAR), "key"
            )
            canvas.write(center, floor - weight * BAR - 10, shown(weight, digits))

    def ends(y: float, now: Voters, digits: int) -> None:
        """Probability and loss, at the right of a row of bars."""
        canvas.cells(middle, y - 14, [now.chance], "value", 1, digits, 52)
        canvas.write(middle, y - 38, f"“{now.answer}”", "big")
        canvas.write(middle, y + 10, f"loss {shown(now.loss, digits)}", "big")

    with canvas.step(1):
        label(VOTE, "votes", f"for “{voters.answer}”", "value")
        for center, word, vote in zip(centers, voters.words, voters.votes, strict=True):
            canvas.write(center, WORD, word, "big")
            canvas.cells(center, VOTE, [vote], "value", 1, 0 if vote in (0, 1) else 1)
    with canvas.step(2):
        label(SCORE, "scores", "before", "key")
        label(FLOOR - 18, "weights", "softmax")
        for center, score in zip(centers, voters.scores, strict=True):
            canvas.cells(center, SCORE, [score], "key", 1, 0 if score == 0 else 2)
        bars(FLOOR, voters, 2)
    with canvas.step(3):
        bus = FLOOR + 9
        canvas.line([(centers[0] - 18, bus), (edge - 4, bus)], "value", 2)
        canvas.line(
            [(edge - 4, bus), (edge - 4, FLOOR - 40), (middle - 30, FLOOR - 40)],
            "value",
            2,
            arrow=True,
            flows=True,
        )
        canvas.cells(middle, FLOOR - 40, [voters.chance], "value", 1, 2, 52)
        canvas.write(middle, FLOOR - 64, f"“{voters.answer}”", "big")
    with canvas.step(4):
        canvas.line([(middle, FLOOR - 26), (middle, FLOOR - 8)], arrow=True)
        canvas.write(middle, FLOOR + 6, f"loss {voters.loss:.2f}", "big")
    with canvas.step(5):
        label(SLOPE, "slopes", "of the loss", "query")
        above = SLOPE - 34
        canvas.line(
            [(middle, FLOOR + 18), (middle, above), (centers[0], above)], "query", 2, flows=True
        )
        largest = np.abs(voters.slopes).max()
        for i, (center, slope) in enumerate(zip(centers, voters.slopes, strict=True)):
            wide = 1 + 5 * abs(slope) / largest
            canvas.line(
                [(center, above), (center, SLOPE - 14)], "query", wide, arrow=True, flows=i == best
            )
            canvas.cells(center, SLOPE, [slope], "query", largest, 3, CELL + 10)
    with canvas.step(6):
        label(NEXT, "scores", f"− {rate:g} · slope", "key")
        for center, slope, score in zip(centers, voters.slopes, after.scores, strict=True):
            canvas.line(
                [(center, SLOPE + 13), (center, NEXT - 14)],
                "key",
                1 + 3 * abs(slope) / largest,
                arrow=True,
            )
            canvas.cells(center, NEXT, [score], "key", 1, 2)
    with canvas.step(7):
        label(AFTER - 18, "weights", "after one step")
        bars(AFTER, after, 2)
        ends(AFTER - 14, after, 2)
    with canvas.step(8):
        label(LATER - 18, "weights", f"after {steps} steps")
        bars(LATER, trained, 3)
        ends(LATER - 14, trained, 3)
    return canvas.svg()
