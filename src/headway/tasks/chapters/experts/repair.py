"""Debug: a mixture in which experts that were not chosen take weight."""

import numpy as np
import torch

from headway.tasks.chapters.experts.draw import CLOSE, apart, draw_tensor
from headway.tasks.chapters.experts.mistakes import (
    NOT_RENORMALIZED,
    OTHER_EXPERTS_CHOSEN,
    SCORES_FOR_WEIGHTS,
    SOFTMAX_OVER_THE_TOKENS,
    SOFTMAX_TWICE,
    WEIGHTS_MISSING,
)
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def mix_all(x, router, wide, narrow, k):
    """Mixed (B, T, C) of x (B, T, C), wide (E, C, M) and narrow (E, M, C)."""
    scores = x @ router
    least = scores.topk(k, dim=-1).values[..., -1:]
    kept = scores >= least
    weights = scores.masked_fill(~kept, -torch.inf).softmax(-1)
    hidden = torch.einsum("btc,ecm->btem", x, wide).relu()
    made = torch.einsum("btem,emc->btec", hidden, narrow)
    return torch.einsum("bte,btec->btc", weights, made)


WEIGHTS = "scores.masked_fill(~kept, -torch.inf).softmax(-1)"
LEAST, KEPT = "scores.topk(k, dim=-1).values[..., -1:]", "scores >= least"

# The faulty function that the notebook hands out.
(leaking,) = changed(mix_all, WEIGHTS, "(scores * kept).softmax(-1)")


def repair_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, E, k, C=4, M=5):
        x, router = draw_until(
            lambda drawn: apart(drawn[0] @ drawn[1]),
            lambda: (draw_tensor(rng, B, T, C), draw_tensor(rng, C, E, scale=0.8)),
        )
        return x, router, draw_tensor(rng, E, C, M), draw_tensor(rng, E, M, C), k

    return [
        Case("two texts, two of four experts", *draw(2, 3, 4, 2), core=True),
        Case("one of each token", *draw(2, 4, 3, 1)),
        Case("three of five", *draw(1, 4, 5, 3)),
        Case("all experts", *draw(2, 2, 3, 3)),
        Case("a single token", *draw(1, 1, 5, 2)),
        Case("as many texts, tokens and experts", *draw(3, 3, 3, 2)),
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
        SCORES_FOR_WEIGHTS.by(
            changed(
                mix_all,
                WEIGHTS,
                "scores * kept",
                "(scores * kept) / (scores * kept).sum(-1, keepdim=True)",
            )
        ),
        Misconception(
            "left-out-too-little",
            changed(
                mix_all,
                WEIGHTS,
                "scores.masked_fill(~kept, -1).softmax(-1)",
                "scores.masked_fill(~kept, -5).softmax(-1)",
                "scores.masked_fill(~kept, scores.min().item()).softmax(-1)",
                "scores.softmax(-1)",
                "scores.clamp(min=least).softmax(-1)",
            ),
            "Experts that were not chosen still get some weight. Which score gets no share of a "
            "softmax at all?",
        ),
        Misconception(
            "chosen-left-out",
            changed(mix_all, WEIGHTS, "scores.masked_fill(kept, -torch.inf).softmax(-1)"),
            "You leave out those who were chosen. What does True say in this table?",
        ),
        SOFTMAX_TWICE.by(
            changed(
                mix_all,
                WEIGHTS,
                "scores.softmax(-1).masked_fill(~kept, -torch.inf).softmax(-1)",
                "(scores.softmax(-1) * kept).softmax(-1)",
            )
        ),
        SOFTMAX_OVER_THE_TOKENS.by(
            changed(
                mix_all,
                WEIGHTS,
                "scores.masked_fill(~kept, -torch.inf).softmax(1).nan_to_num(0.0)",
                "scores.masked_fill(~kept, -torch.inf).softmax(1)",
            )
        ),
        OTHER_EXPERTS_CHOSEN.by(
            changed(
                mix_all,
                LEAST,
                "scores.topk(k, dim=-1).values[..., :1]",
                "scores.topk(k, dim=-1).values.min()",
                "scores.topk(k, dim=-1, largest=False).values[..., -1:]",
            ),
            changed(mix_all, KEPT, "scores <= least"),
        ),
        WEIGHTS_MISSING.by(changed(mix_all, WEIGHTS, "kept.float()", "kept / k")),
    ),
    compare=CLOSE,
)
