"""Build the choice of experts, with a bias that takes part in the choice only."""

import numpy as np
import torch

from headway.tasks.chapters.experts.draw import CLOSE, draw_scores
from headway.tasks.chapters.experts.mistakes import (
    NOT_RENORMALIZED,
    OTHER_EXPERTS_CHOSEN,
    RESULTS_IN_ANOTHER_ORDER,
    SCORES_FOR_WEIGHTS,
    SOFTMAX_OVER_THE_TOKENS,
    SOFTMAX_TWICE,
    WEIGHTS_OF_OTHERS,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
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
    def biased(*shape, k):
        """Scores, and a bias with which other experts are chosen, in another order, for each."""
        scores = draw_scores(rng, *shape)

        def tells(bias):
            plain, other, opposite = (choose(scores, k, True, b)[1] for b in (None, bias, -bias))
            changes = (plain != other).any(-1) & (other != opposite).any(-1)
            sets = other.sort(-1).values.flatten(0, -2)
            return bool(changes.all()) and len(sets.unique(dim=0)) > 1

        def draw():
            return torch.from_numpy(np.round(rng.permutation(shape[-1]) * 0.77 - 1, 2)).float()

        return scores, k, draw_until(tells, draw)

    def with_bias(*shape, k, renormalized):
        scores, k, bias = biased(*shape, k=k)
        return scores, k, renormalized, bias

    large = draw_scores(rng, 2, 4, 5) + 3  # so that 30 times as much is too much for an exponential
    tied = draw_scores(rng, 3, 5)
    tied[:, 2:] = tied.amax(1, keepdim=True)  # three are the best
    return [
        Case("two texts, two of five experts", large, 2, core=True),
        Case("three of many", draw_scores(rng, 4, 12), 3),
        Case("one of each token", draw_scores(rng, 2, 3, 6), 1),
        Case("all of them", draw_scores(rng, 2, 3, 4), 4),
        Case("a single token", draw_scores(rng, 5), 2),
        Case("equal scores", tied, 2),
        Case("one, as it is", draw_scores(rng, 2, 3, 6), 1, False, path=AS_THEY_ARE),
        Case("two, as they are", draw_scores(rng, 3, 4, 5), 2, False, path=AS_THEY_ARE),
        Case("another choice", *with_bias(2, 3, 6, k=2, renormalized=True), path=BIAS),
        Case(
            "another choice, not renormalized",
            *with_bias(4, 6, k=3, renormalized=False),
            path=BIAS,
        ),
    ]


def arguments(case: Case) -> tuple:
    """The scores, k, whether weights are renormalized, and the bias of a case."""
    return (*case.inputs, True, None) if len(case.inputs) == 2 else (*case.inputs, None)[:4]


def same_choice(got, expected, case) -> Difference | None:
    """As `CLOSE`; of experts with the same score, any will do."""
    if isinstance(got, list) and len(got) == 2 and _as_good(got[1], expected, case):
        got = [got[0], expected[1]]
    return CLOSE(got, expected, case)


def _as_good(mine, expected, case) -> bool:
    """Whether experts have the scores of those expected, and each comes once."""
    scores, _, _, bias = arguments(case)
    ranked = torch.as_tensor(scores if bias is None else scores + bias).numpy()
    if not isinstance(expected, list) or len(expected) != 2:
        return False
    both = []
    for given in (mine, expected[1]):
        if not isinstance(given, np.ndarray | list):
            return False
        try:
            chosen = np.asarray(given)
        except ValueError:
            return False
        fits = chosen.dtype.kind in "iu" and chosen.shape[:-1] == ranked.shape[:-1]
        if not fits or not chosen.size or chosen.min() < 0 or chosen.max() >= ranked.shape[-1]:
            return False
        both.append(chosen)
    a, b = both
    if a.shape != b.shape or (np.diff(np.sort(a, axis=-1), axis=-1) == 0).any():
        return False
    return bool((np.take_along_axis(ranked, a, -1) == np.take_along_axis(ranked, b, -1)).all())


CHOSEN = "ranked.topk(k, dim=-1).indices"
SOME, ALL = "scores.gather(-1, chosen).softmax(-1)", "scores.softmax(-1).gather(-1, chosen)"
RANKED = "scores if bias is None else scores + bias"

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
        OTHER_EXPERTS_CHOSEN.by(
            changed(
                choose,
                CHOSEN,
                "ranked.topk(k, dim=-1, largest=False).indices",
                "ranked.argsort(-1)[..., :k]",
                "ranked.abs().topk(k, dim=-1).indices",
                "torch.arange(k).expand(*scores.shape[:-1], k)",
            )
        ),
        NOT_RENORMALIZED.by(changed(choose, SOME, ALL)),
        Misconception(
            "renormalized-unasked",
            changed(choose, ALL, SOME),
            "Your weights add up to one where they should be shares of a whole that all experts "
            "divide. With one expert, what could the router still learn from them?",
        ),
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
        Misconception(
            "bias-unused",
            changed(choose, RANKED, "scores", "scores if bias is None else scores - bias"),
            "Your choice doesn't follow the bias, or goes against it. If an expert's bias grows, "
            "what should become of the tokens it gets?",
        ),
        WEIGHTS_OF_OTHERS.by(
            changed(
                choose,
                SOME,
                "scores[..., :k].softmax(-1)",
                "scores.gather(-1, chosen.sort(-1).values).softmax(-1)",
                "scores.gather(-1, chosen).sort(-1).values.softmax(-1)",
            ),
            changed(choose, "return weights, chosen", "return weights, chosen.sort(-1).values"),
        ),
        Misconception(
            "not-the-largest-first",
            any_of(
                changed(choose, CHOSEN, "ranked.topk(k, dim=-1).indices.sort(-1).values"),
                changed(choose, CHOSEN, "ranked.argsort(-1)[..., -k:]"),
            ),
            "These are the right experts with the right weights, but not the largest first. Is "
            "your order that of the scores, and from which end?",
        ),
        SOFTMAX_OVER_THE_TOKENS.by(
            changed(choose, SOME, "scores.gather(-1, chosen).softmax(0)"),
            changed(choose, SOME, "scores.softmax(0).gather(-1, chosen)"),
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(choose, "return weights, chosen", "return chosen, weights")
        ),
    ),
    compare=same_choice,
)
