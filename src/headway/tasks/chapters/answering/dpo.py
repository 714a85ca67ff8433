"""Build: DPO's loss of pairs of answers, from logits."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.answering.draw import CLOSE, IGNORE, draw_tensor
from headway.tasks.chapters.answering.mistakes import (
    BETA_MISPLACED,
    NO_LOG_SIGMOID,
    PADDING_COUNTED,
    REFERENCE_IGNORED,
    SIDES_SWAPPED,
)
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
from headway.tasks.engine.requirements import LARGE
from headway.tasks.engine.task import Case, Task

FAR, APART = "a policy far from its reference", "logits that are hundreds apart"


def preference_losses(logits, reference, targets, beta):
    """Losses (N,) and implied rewards (N, 2) of pairs; rows N + i are rejected for rows i."""
    counts = targets != -100
    strayed = 0
    for sign, scores in ((1, logits), (-1, reference)):
        said = scores.log_softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]
        strayed = strayed + sign * said.where(counts, torch.zeros(())).sum(-1)
    better, worse = (beta * strayed).chunk(2)
    return -functional.logsigmoid(better - worse), torch.stack([better, worse], 1)


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(
        label, lengths, V=6, T=7, beta=0.5, spread=1.5, same=False, suits=lambda *_: True, **options
    ):
        """`lengths` of the N preferred answers, then of the N rejected ones."""

        def one():
            logits, reference = (
                draw_tensor(rng, len(lengths), T, V, scale=spread) for _ in range(2)
            )
            targets = torch.full((len(lengths), T), IGNORE)
            for row, length in zip(targets, lengths, strict=True):
                start = int(rng.integers(0, T - length + 1))
                row[start : start + length] = torch.from_numpy(rng.integers(0, V, length))
            return logits, logits.clone() if same else reference, targets, beta

        return Case(label, *draw_until(lambda given: suits(*given), one), **options)

    # Of margins, an exponential is 0 in single precision, and infinite; or it never is either.
    def far(*given):
        margins = _margins(*given)
        return min(margins) < -150 and max(margins) > 150

    def near(*given):
        return max(map(abs, _margins(*given))) < 60

    def near_if_large(logits, reference, *others):
        """As `near`, also where the requirement of large numbers enlarges the logits."""
        return near(*(LARGE["float32"] * scores for scores in (logits, reference)), *others)

    b = float(rng.choice([0.2, 0.3, 0.4]))
    return [
        draw("pairs of answers", [3, 2, 5, 4, 3, 2], beta=b, suits=near_if_large, core=True),
        draw("long answers against short ones", [6, 5, 1, 2], T=9, beta=0.7, core=True),
        draw("one pair", [3, 4], beta=0.6),
        draw("the policy is still the reference", [3, 2, 4, 1], same=True),
        draw("another β", [3, 2, 4, 1], beta=2.0),
        draw("answers of one token", [1, 1, 1, 1], beta=0.4),
        draw("nothing but answers", [5, 5, 5, 5], T=5, beta=0.3),
        draw(FAR, [6, 6, 5, 6, 5, 6], T=8, beta=8.0, spread=6.0, suits=far),
        draw(APART, [3, 2, 4, 2], beta=0.1, spread=120.0, suits=near),
    ]


def _margins(*given):
    better, worse = preference_losses(*given)[1].T
    return (better - worse).tolist()


def _near(got, expected):
    return CLOSE(got, expected, None) is None


def _rewards_right(got, expected, case):
    """The rewards are right, and the losses are numbers, and aren't."""
    return (
        _near(got[1], expected[1])
        and np.shape(got[0]) == np.shape(expected[0])
        and bool(np.isfinite(np.asarray(got[0], dtype=float)).all())
    )


def _losses_fit(got, expected, case):
    """The losses are those of the rewards that come with them, which are wrong."""
    rewards = torch.as_tensor(np.asarray(got[1], dtype=float))
    losses = -functional.logsigmoid(rewards[:, 0] - rewards[:, 1])
    return not _near(got[1], expected[1]) and _near(got[0], losses.numpy())


def _as(*answers):
    """Whether losses and rewards, or at least the rewards, are those of a wrong answer."""

    def shows(got, expected, case):
        at = 0 if _near(got[1], expected[1]) else 1
        return any(_near(got[at], answer(*case.inputs)[at].numpy()) for answer in answers)

    return shows


SUM = "said.where(counts, torch.zeros(())).sum(-1)"
HALVES = "better, worse = (beta * strayed).chunk(2)"

averaged = changed(
    preference_losses,
    SUM,
    SUM + " / counts.sum(-1)",
    "said.where(counts, torch.zeros(())).mean(-1)",
)
padded = changed(
    preference_losses,
    "counts = targets != -100",
    "counts = torch.ones(targets.shape, dtype=torch.bool)",
)
reference_ignored = any_of(
    changed(preference_losses, "(-1, reference)", "(0, reference)"),
    changed(preference_losses, "strayed + sign * ", "strayed + max(sign, 0) * "),
    changed(
        preference_losses,
        SUM,
        SUM + " * (torch.arange(len(said)) < len(said) // 2 if sign < 0 else 1)",
        SUM + " * (torch.arange(len(said)) >= len(said) // 2 if sign < 0 else 1)",
    ),
)
swapped = any_of(
    changed(preference_losses, "better - worse)", "worse - better)"),
    changed(preference_losses, HALVES, "worse, better = (beta * strayed).chunk(2)"),
    changed(preference_losses, "(1, logits), (-1, reference)", "(-1, logits), (1, reference)"),
)
neighbors = changed(preference_losses, HALVES, "better, worse = (beta * strayed).view(-1, 2).T")
beta_misplaced = any_of(
    changed(preference_losses, "(beta * strayed)", "strayed", "(strayed / beta)"),
    changed(
        preference_losses,
        "(better - worse)",
        "((better - worse) / beta)",
        "(beta * (better - worse))",
    ),
    changed(preference_losses, "torch.stack([better, worse], 1)", "strayed.view(2, -1).T"),
    changed(preference_losses, "scores.log_softmax", "(beta * scores).log_softmax"),
)

dpo_task = Task(
    id="17-answering/preferences",
    title="The loss of a preference",
    kind="build",
    points=3,
    minutes=20,
    answer="preference_losses",
    cases=cases,
    reference=preference_losses,
    misconceptions=(
        Misconception(
            "mean-over-the-tokens",
            averaged,
            "You divide by the number of tokens. Is the probability of a whole answer a sum of "
            "logarithms, or their mean?",
            shows=_as(*averaged),
        ),
        PADDING_COUNTED.by(padded, shows=_as(*padded)),
        REFERENCE_IGNORED.by(reference_ignored, shows=_as(*reference_ignored)),
        SIDES_SWAPPED.by(swapped, shows=_as(*swapped)),
        seen(
            "other-pairs",
            "You compare other pairs of answers than those that belong together. Which rows hold "
            "the two answers to the first prompt?",
            _as(*neighbors),
        ),
        BETA_MISPLACED.by(beta_misplaced, shows=_as(*beta_misplaced)),
        seen(
            "underflow",
            "This is right while numbers are small. Where they are large, an exponential is "
            "infinite or becomes 0: does the formula need it by itself?",
            only_at=(FAR, APART),
        ),
        NO_LOG_SIGMOID.by(shows=_rewards_right),
        seen(
            "log-probabilities-off",
            "Your losses follow from your rewards, and the rewards are not right. Take one answer: "
            "which places of its row count, and which number does each of them add?",
            _losses_fit,
        ),
    ),
    compare=CLOSE,
)
