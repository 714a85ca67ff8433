"""Build the choice of experts, with a bias that takes part in the choice only."""

import numpy as np
import torch

from headway.tasks.chapters.experts.draw import CLOSE, draw_scores
from headway.tasks.chapters.experts.mistakes import (
    NOT_RENORMALIZED,
    OTHER_EXPERTS_CHOSEN,
    RESULTS_IN_ANOTHER_ORDER,
    SCORES_FOR_WEIGHTS,
    SOFTMAX_TWICE,
    WHOLE_TOO_SMALL,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
from headway.tasks.engine.task import Case, Task

BIAS, AS_THEY_ARE = "a bias", "weights that are not renormalized"


def choose(scores, k, renormalized=True, bias=None):
    """weights (..., k) and chosen (..., k) for scores (..., E)."""
    ranked = scores if bias is None else scores + bias
    chosen = ranked.topk(k, dim=-1).indices
    if renormalized:
        weights = scores.gather(-1, chosen).softmax(-1)
    else:
        weights = scores.softmax(-1).gather(-1, chosen)
    return weights, chosen


def choose_cases(rng: np.random.Generator) -> list[Case]:
    def signed(*shape, k, shift=0.0):
        """Scores of which others are the largest if their signs are left out."""
        return draw_until(
            lambda scores: signs_count(scores, k), lambda: draw_scores(rng, *shape) + shift
        )

    def biased(*shape, k):
        """Scores, and a bias with which other experts are chosen, in another order, for each."""

        def tells(drawn):
            scores, bias = drawn
            plain, other, opposite = (choose(scores, k, True, b)[1] for b in (None, bias, -bias))
            changes = (plain != other).any(-1) & (other != opposite).any(-1)
            sets = other.sort(-1).values.flatten(0, -2)
            several = len(sets.unique(dim=0)) > 1
            return bool(changes.all()) and several and signs_count(scores + bias, k)

        def draw():
            bias = np.round(rng.permutation(shape[-1]) * 0.77 - 1, 2)
            return draw_scores(rng, *shape), torch.from_numpy(bias).float()

        return draw_until(tells, draw)

    def with_bias(*shape, k, renormalized):
        scores, bias = biased(*shape, k=k)
        return scores, k, renormalized, bias

    # So far from 0 that 30 times as much is too much for an exponential.
    far = signed(2, 4, 5, k=2, shift=torch.tensor([3.0, -3.0])[:, None, None])

    def three_best():
        tied = draw_scores(rng, 3, 5)
        tied[:, 2:] = tied.amax(1, keepdim=True)
        return tied

    tied = draw_until(lambda scores: signs_count(scores, 2), three_best)
    return [
        Case("two texts, two of five experts", far, 2, core=True),
        Case("three of many", signed(4, 12, k=3), 3),
        Case("one of each token", signed(2, 3, 6, k=1), 1),
        Case("all of them", signed(2, 3, 4, k=4), 4),
        Case("a single token", signed(5, k=3), 3),
        Case("equal scores", tied, 2),
        Case("one, as it is", signed(2, 3, 6, k=1), 1, False, path=AS_THEY_ARE),
        Case("two, as they are", signed(3, 4, 5, k=2), 2, False, path=AS_THEY_ARE),
        Case("another choice", *with_bias(2, 3, 6, k=2, renormalized=True), path=BIAS),
        Case(
            "another choice, not renormalized",
            *with_bias(4, 6, k=3, renormalized=False),
            path=BIAS,
        ),
    ]


def signs_count(scores, k) -> bool:
    """Whether other experts, or all in another order, have the largest |scores|."""
    one, other = (each.topk(k).indices for each in (scores, scores.abs()))
    if k < scores.shape[-1]:
        one, other = one.sort(-1).values, other.sort(-1).values
    return not one.equal(other)


def arguments(case: Case) -> tuple:
    """The scores, k, whether weights are renormalized, and the bias of a case."""
    return (*case.inputs, True, None) if len(case.inputs) == 2 else (*case.inputs, None)[:4]


def same_choice(got, expected, case) -> Difference | None:
    """As `CLOSE`; of experts with the same score, any will do."""
    if isinstance(got, list) and len(got) == 2 and _as_good(got[1], expected, case):
        got = [got[0], expected[1]]
    return CLOSE(got, expected, case)


def ranks(chosen, case: Case) -> np.ndarray:
    """The scores, with the bias, of chosen experts (..., k).

    Raises:
        TypeError, ValueError, IndexError: for what is no choice of different experts.
    """
    scores, _, _, bias = arguments(case)
    chosen, ranked = np.asarray(chosen), np.asarray(scores if bias is None else scores + bias)
    if chosen.min() < 0 or (np.diff(np.sort(chosen)) == 0).any():
        raise ValueError("an expert is chosen twice, or doesn't exist")
    return np.take_along_axis(ranked, chosen, -1)


def _as_good(mine, expected, case) -> bool:
    """Whether experts have the scores of those expected, and each comes once."""
    try:
        return np.array_equal(ranks(mine, case), ranks(expected[1], case))
    except (TypeError, ValueError, IndexError):
        return False


def others_chosen(got, expected, case) -> bool:
    """Whether other experts are chosen, in whatever order."""
    mine, theirs = (np.sort(ranks(each[1], case)) for each in (got, expected))
    return not np.array_equal(mine, theirs)


SOME, ALL = "scores.gather(-1, chosen).softmax(-1)", "scores.softmax(-1).gather(-1, chosen)"

choose_task = Task(
    id="18-experts/choose",
    title="Whom to ask",
    kind="build",
    points=2,
    minutes=15,
    answer="choose",
    cases=choose_cases,
    reference=choose,
    misconceptions=(
        seen(
            "bias-unused",
            "Your choice doesn't follow the bias, or goes against it. If an expert's bias grows, "
            "what should become of the tokens it gets?",
            lambda got, expected, case: case.path == BIAS and others_chosen(got, expected, case),
        ),
        OTHER_EXPERTS_CHOSEN.by(shows=others_chosen),
        NOT_RENORMALIZED.by(changed(choose, SOME, ALL)),
        WHOLE_TOO_SMALL.by(changed(choose, ALL, SOME)),
        SCORES_FOR_WEIGHTS.by(
            changed(
                choose,
                SOME,
                "scores.gather(-1, chosen)",
                "(s := scores.gather(-1, chosen)) / s.sum(-1, keepdim=True)",
            )
        ),
        SOFTMAX_TWICE.by(
            changed(choose, SOME, "scores.softmax(-1).gather(-1, chosen).softmax(-1)")
        ),
        Misconception(
            "bias-in-the-weights",
            any_of(
                changed(
                    *changed(choose, SOME, "ranked.gather(-1, chosen).softmax(-1)"),
                    ALL,
                    "ranked.softmax(-1).gather(-1, chosen)",
                ),
                changed(choose, SOME, "ranked.gather(-1, chosen).softmax(-1)"),
                changed(choose, ALL, "ranked.softmax(-1).gather(-1, chosen)"),
            ),
            "The bias has come into your weights. It is there to send fewer tokens to those who "
            "have too many; should what they say count less, too?",
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(choose, "return weights, chosen", "return chosen, weights")
        ),
    ),
    compare=same_choice,
)
