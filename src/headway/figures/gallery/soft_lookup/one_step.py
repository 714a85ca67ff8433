"""Drawing: words that vote, each made a little louder or softer, until the guess is right."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped
from headway.figures.gallery.soft_lookup.loss_hill import LossHill

MOST_WORDS = 9
TOP, ROW, BAR = 62, 30, 16  # how far down the first word is, from word to word, a bar's height
GUESS, HILL = 48, 190  # heights: from the last word to the guess, and of the hill


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
    """The drawing: a guess, how wrong it was, one step, and all steps, in six steps.

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
    best, N = int(voters.slopes.argmin()), len(voters.words)
    word, answer = voters.words[best], voters.answer
    alt = (
        f"{N} words vote for “{answer}”. Before the step it has probability "
        f"{voters.chance:.2f} and the loss is {voters.loss:.2f}. The slopes: "
        + ", ".join(f"{w} {shown(g, 3)}" for w, g in zip(voters.words, voters.slopes, strict=True))
        + f". After the step “{word}” has the weight {after.weights[best]:.2f} and “{answer}” "
        f"the probability {after.chance:.2f}; after {steps} steps {trained.weights[best]:.3f} and "
        f"{trained.chance:.3f}. The loss rolls down a hill, from {voters.loss:.2f} to "
        f"{after.loss:.2f} to {trained.loss:.3f}."
    )
    alone = (voters.slopes < 0).sum() == 1
    stages = voters, after, trained
    return stepped(
        draw(stages, steps, alt),
        steps=[
            f"{N} words, and what each says about “{answer}”: the more green, the surer it is.",
            f"At first all are equally loud. Together they give “{answer}” {voters.chance:.2f}."
            if np.ptp(voters.weights) < 1e-6
            else f"Some are louder. Together they give “{answer}” {voters.chance:.2f}.",
            f"“{answer}” is what came, so {voters.chance:.2f} was too little. How wrong that was, "
            f"the loss, is a height on a hill: {voters.loss:.2f}.",
            "Which way is down? Try each word a little louder: the loss falls for "
            + (f"“{word}” alone." if alone else f"“{word}” most of all."),
            f"One step down: “{word}” gets louder, and the others softer. “{answer}” has "
            f"{after.chance:.2f} now.",
            f"And {steps} steps down, “{word}” has {trained.weights[best]:.1%} of the say, and "
            f"“{answer}” {trained.chance:.2f}.",
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
        upright=draw(stages, steps, alt, upright=True),
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


def draw(stages: tuple[Voters, Voters, Voters], steps: int, alt: str, upright: bool = False) -> str:
    """The drawing as SVG: the words with their bars, and below them the hill."""
    voters = stages[0]
    # Where columns begin: what is said, three times how loud, and arrows; and the longest bar.
    says, firsts, arrows, full = (
        (84, (120, 200, 265), 160, 82) if upright else (120, (196, 372, 500), 290, 190)
    )
    width = 350 if upright else 740
    lines = [TOP + ROW * i for i in range(len(voters.words))]
    guess = lines[-1] + GUESS
    canvas = Canvas(width, guess + 60 + HILL, alt)
    best = int(voters.slopes.argmin())
    loudest = max(float(now.weights.max()) for now in stages)
    names = ["at first", "one step", f"{steps} steps"]

    def pill(x: float, y: float, share: float) -> None:
        canvas.box(x, y - 7, 30, 14)
        if share > 0:
            with canvas.moving("widens"):
                canvas.bar(x, y - 7, 30 * share, 14, "value")

    def bars(k: int) -> None:
        """How loud the words are at a stage, and what they make of the answer."""
        now, x = stages[k], firsts[k]
        canvas.write(x, TOP - 34, names[k], "start")
        for y, weight in zip(lines, now.weights, strict=True):
            long = max(2.0, full * float(weight) / loudest)
            with canvas.moving("widens", after=0.06 * (y - TOP) / ROW):
                canvas.bar(x, y - BAR / 2, long, BAR, "key")
        pill(x, guess, now.chance)
        canvas.write(x, guess + 24, f"{now.chance:.2f}", "word", "start", tone="value")

    with canvas.step(1):
        canvas.write(says, TOP - 34, "says", "start")
        for y, word, vote in zip(lines, voters.words, voters.votes, strict=True):
            loud = ("word",) if word == voters.words[best] else ()
            canvas.write(6, y, word, *loud, "start")
            pill(says, y, float(vote))
    with canvas.step(2):
        bars(0)
        canvas.write(6, guess, f"“{voters.answer}”", "word", "start", tone="value")
    scores = [now.scores for now in stages]
    hill = LossHill(canvas, 10, guess + 64, width - 20, HILL - 24, voters.votes, scores, best)
    with canvas.step(3):
        hill.frame(voters.words[best])
        hill.label(0, names[0])
    with canvas.step(3, until=5):
        hill.ball(0)
    with canvas.step(4):
        steepest = float(np.abs(voters.slopes).max())
        for y, slope in zip(lines, voters.slopes, strict=True):
            share = abs(float(slope)) / max(steepest, 1e-9)
            if share < 0.01:
                continue
            long, wide = (12 + 14 * share) * (1 if upright else 1.8), 1.5 + 3.5 * share
            middle = arrows + (14 if upright else 30)
            way = long / 2 if slope < 0 else -long / 2
            with canvas.moving("draws"):
                canvas.line([(middle - way, y), (middle + way, y)], "ink", wide, arrow=True)
    with canvas.step(5):
        bars(1)
        hill.label(1, names[1])
    with canvas.step(5, until=6):
        hill.ball(1)
    with canvas.step(6):
        bars(2)
        hill.ball(2)
        hill.label(2, names[2])
    return canvas.svg(upright)
