"""Debug: a mixture in which experts that were not chosen take weight."""

import numpy as np
import torch

from headway.tasks.chapters.experts.draw import (
    CLOSE,
    apart,
    draw_tensor,
    draw_words,
    right_at_words,
)
from headway.tasks.chapters.experts.mistakes import (
    NOT_RENORMALIZED,
    OTHER_EXPERTS_CHOSEN,
    PADDING_TAKES_PART,
    SOFTMAX_TWICE,
)
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import changed, seen
from headway.tasks.engine.requirements import LARGE_NUMBERS
from headway.tasks.engine.task import Case, Task


def mix_all(x, router, wide, narrow, k, words):
    """Mixed (B, T, C) of x (B, T, C), wide (E, C, M) and narrow (E, M, C); padding gets zeros."""
    scores = x @ router
    least = scores.topk(k, dim=-1).values[..., -1:]
    kept = scores >= least
    weights = scores.masked_fill(~kept, -torch.inf).softmax(-1)
    hidden = torch.einsum("btc,ecm->btem", x, wide).relu()
    made = torch.einsum("btem,emc->btec", hidden, narrow)
    mixed = torch.einsum("bte,btec->btc", weights, made)
    return mixed * words[..., None]


LOW = -1.2  # if all scores are below it, fillers like −10 take weight, and −1000 of large numbers
WEIGHTS = "scores.masked_fill(~kept, -torch.inf).softmax(-1)"


def left_in(got, expected, case) -> bool:
    """Whether each token's result is one in which all that it left out have the same weight.

    With the sums a of e^s over the chosen, A of e^s times what they say, and B of what the n
    others say, it is (A + u B) / (a + n u) for some u > 0.
    """
    x, router, wide, narrow, k, words = (torch.as_tensor(part) for part in case.inputs)
    got = torch.as_tensor(got)
    if got.shape != x.shape or got.dtype not in (torch.float32, torch.float64):
        return False
    x, router, wide, narrow = (part.double() for part in (x, router, wide, narrow))
    scores = x @ router
    chosen = scores >= scores.topk(int(k)).values[..., -1:]
    made = torch.einsum("btem,emc->btec", torch.einsum("btc,ecm->btem", x, wide).relu(), narrow)
    powers = scores.exp() * chosen
    whole, others = powers.sum(-1, keepdim=True), (~chosen).sum(-1, keepdim=True)
    said = (powers[..., None] * made).sum(2), (~chosen[..., None] * made).sum(2)
    missing, slope = said[0] - got * whole, others * got - said[1]
    u = (missing * slope).sum(-1, keepdim=True) / slope.square().sum(-1, keepdim=True)
    told = (missing - u * slope).abs().amax(-1) < 1e-3 * whole[..., 0]
    return bool((told & (u[..., 0] > 0))[words].all()) and not got[~words].any()


# The faulty function that the notebook hands out.
(leaking,) = changed(mix_all, WEIGHTS, "(scores * kept).softmax(-1)")


def limits_count(scores, k, words) -> list[bool]:
    """Whether words keep others by a limit that some tokens share, or by their scores' mean."""
    least = scores.topk(k).values[..., -1:]
    limits = [scores.mean(-1, keepdim=True)]
    limits += [least.amin(axis, keepdim=True) for axis in (0, 1) if least.shape[axis] > 1]
    return [bool(((scores >= limit) != (scores >= least))[words].any()) for limit in limits]


def repair_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, E, k, C=4, M=5, padded=False, low=False):
        """`low`: all scores of some token are far below 0."""
        words = draw_words(rng, B, T, padded)

        def suits(drawn):
            scores = drawn[0] @ drawn[1]
            return (
                apart(scores)
                and (not low or scores.amax(-1).min() < LOW)
                and (k == E or all(limits_count(scores, k, words)))
            )

        x, router = draw_until(
            suits, lambda: (draw_tensor(rng, B, T, C), draw_tensor(rng, C, E, scale=0.8))
        )
        return x, router, draw_tensor(rng, E, C, M), draw_tensor(rng, E, M, C), k, words

    x, router, *rest = draw(2, 3, 4, 2, low=True)
    return [
        Case("two texts, two of four experts", *draw(2, 3, 4, 2, low=True), core=True),
        Case("one of each token", *draw(2, 4, 3, 1)),
        Case("three of five", *draw(1, 4, 5, 3)),
        Case("all experts", *draw(2, 2, 3, 3)),
        Case("texts with padding", *draw(2, 4, 4, 2, padded=True)),
        Case("a single token", *draw(1, 1, 5, 2)),
        Case("as many texts, tokens and experts", *draw(3, 3, 3, 2)),
        LARGE_NUMBERS.case(30 * x, 30 * router, *rest),
    ]


repair_task = Task(
    id="18-experts/repair",
    title="Repair it",
    kind="debug",
    points=2,
    minutes=12,
    answer="mix_all",
    cases=repair_cases,
    reference=mix_all,
    given=leaking,
    misconceptions=(
        NOT_RENORMALIZED.by(changed(mix_all, WEIGHTS, "scores.softmax(-1) * kept")),
        seen(
            "left-out-too-little",
            "Experts that were not chosen still get some weight. Which score gets no share of a "
            "softmax at all?",
            left_in,
        ),
        SOFTMAX_TWICE.by(
            changed(
                mix_all,
                WEIGHTS,
                "scores.softmax(-1).masked_fill(~kept, -torch.inf).softmax(-1)",
                "(scores.softmax(-1) * kept).softmax(-1)",
            )
        ),
        OTHER_EXPERTS_CHOSEN.by(
            changed(
                mix_all,
                "scores.topk(k, dim=-1).values[..., -1:]",
                "scores.topk(k, dim=-1).values[..., :1]",
                "scores.topk(k, dim=-1).values.min()",
                "scores.topk(k, dim=-1).values[..., -1:].amin(0)",
                "scores.topk(k, dim=-1).values[..., -1:].amin(1, keepdim=True)",
                "scores.mean(-1, keepdim=True)",
                "scores.topk(k, dim=-1, largest=False).values[..., -1:]",
            ),
            changed(mix_all, "scores >= least", "scores > least", "scores <= least"),
            changed(mix_all, "~kept", "kept"),
        ),
        PADDING_TAKES_PART.by(
            shows=lambda got, expected, case: right_at_words(got, expected, case.inputs[5])
        ),
    ),
    compare=CLOSE,
)
