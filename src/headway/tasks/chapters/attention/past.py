"""Debug: causal attention whose exponentials are measured against what nobody may see."""

import math

import numpy as np
import torch

from headway.tasks.chapters.attention.inputs import far_below, tensors
from headway.tasks.chapters.attention.mistakes import (
    ANOTHER_SCALE,
    EDGE_OFF_BY_ONE,
    EXPONENTIALS_OUT_OF_RANGE,
    HIDDEN_SCORE_TOO_HIGH,
    KEYS_FOR_VALUES,
    MASK_AFTER_SOFTMAX,
    MASK_IGNORED,
    MASK_INVERTED,
    NO_SCALE,
    NOT_NORMALIZED,
    OTHER_RESULTS_GIVEN,
    PREFIX_LEFT_OUT_OF_THE_MASK,
    SCALE_MISPLACED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    TIMES_INFINITY,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import AnyOf, changed
from headway.tasks.engine.task import Case, Task


def given_past(query, key, value):
    """The faulty function that the notebook hands out."""
    T, S = query.shape[-2], key.shape[-2]
    D = query.shape[-1]
    scores = query @ key.mT
    scores = scores / math.sqrt(D)
    top = scores.amax(dim=-1, keepdim=True)
    parts = (scores - top).exp()
    parts = parts.tril(S - T)
    return parts @ value / parts.sum(dim=-1, keepdim=True)


def masked_late(query, key, value):
    """The same with a mask, from which some repairs go wrong."""
    T, S = query.shape[-2], key.shape[-2]
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    top = scores.amax(dim=-1, keepdim=True)
    parts = (scores - top).exp()
    parts = parts.masked_fill(~visible, 0.0)
    return parts @ value / parts.sum(dim=-1, keepdim=True)


def repaired_past(query, key, value):
    """Another way to write the same, with the mask on the scores, before the softmax."""
    T, S = query.shape[-2], key.shape[-2]
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    visible = torch.ones_like(scores, dtype=torch.bool).tril(S - T)
    scores = scores.masked_fill(~visible, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ value


def past_cases(rng: np.random.Generator) -> list[Case]:
    def draw(batch, T, S, D, E):
        return tensors(rng, (*batch, T, D), (*batch, S, D), (*batch, S, E))

    return [
        Case(
            "a later word with a very high score",
            *loud(*draw((2,), 4, 4, 4, 3), at=-1),
            core=True,
        ),
        Case("some words after a prefix that was seen", *draw((2,), 3, 6, 3, 2), core=True),
        Case("a whole sentence", *draw((2,), 5, 5, 4, 3), path="other shapes"),
        Case("all sizes equal", *draw((3,), 3, 3, 3, 3), path="other shapes"),
        Case("no batch", *draw((), 4, 4, 2, 3), path="other shapes"),
        Case("scores far below zero", *far_below(rng, *draw((1,), 2, 3, 4, 2))),
        Case("an earlier word with a very high score", *loud(*draw((1,), 3, 4, 4, 2), at=0)),
        Case("scores below minus a billion", *all_alike_and_low(*draw((1,), 3, 3, 4, 2))),
        Case("one new word", *draw((2,), 1, 4, 3, 2), path="other shapes"),
        # What everything that is built owes, and is easily lost in a repair.
        arguments_kept(
            *draw((2,), 3, 4, 2, 2),
        ),
        Case("a single word", *draw((1,), 1, 1, 2, 2), path="other shapes"),
    ]


def loud(query, key, value, at):
    """The score of the key in this place is about 20,000 above the others."""
    key[..., at, :] += 500.0
    return query + 20.0, key, value


def all_alike_and_low(query, key, value):
    """All scores are −2³², without any rounding."""
    return torch.full_like(query, 2.0**17), torch.full_like(key, -(2.0**14)), value


FILL = "scores.masked_fill(~visible, -torch.inf)"
SCALE = " / math.sqrt(query.shape[-1])"
SOFTMAX = "scores.softmax(dim=-1)"
TRIANGLE = ".tril(S - T)"
SHARE = "weights = weights / weights.sum(dim=-1, keepdim=True)"
inverted = changed(repaired_past, "~visible", "visible")
zero_filled = changed(repaired_past, "-torch.inf", "0.0")
after = changed(repaired_past, f"    scores = {FILL}\n", "")
emptied = changed(*after, SOFTMAX, f"{SOFTMAX}.masked_fill(~visible, 0.0)")


shared_out_anew = changed(*emptied, "    return", f"    {SHARE}\n    return")  # as the given code


def renormalized(*guards: str) -> AnyOf:
    """The weights are emptied after the softmax and shared out anew, with a guard against 0/0."""
    return changed(
        *emptied,
        "    return",
        *(f"    {SHARE.replace('True)', f'True){guard}')}\n    return" for guard in guards),
    )


past = Task(
    id="08-attention/past",
    title="Repair a causal attention",
    kind="debug",
    points=2,
    minutes=10,
    answer="attend_to_the_past",
    cases=past_cases,
    reference=repaired_past,
    given=given_past,
    misconceptions=(
        HIDDEN_SCORE_TOO_HIGH.by(
            zero_filled,
            changed(*zero_filled, SOFTMAX, f"{SOFTMAX}.masked_fill(~visible, 0.0)"),
            changed(repaired_past, "-torch.inf", "-50.0", "-1e4", "-1e9"),
            changed(
                repaired_past,
                FILL,
                "scores - 50.0 * ~visible",
                "scores - 1e3 * ~visible",
                "scores - 1e4 * ~visible",
            ),
        ),
        EXPONENTIALS_OUT_OF_RANGE.by(
            # No maximum is subtracted; hidden scores of 0 take part in it.
            changed(masked_late, "(scores - top).exp()", "scores.exp()"),
            changed(
                masked_late,
                "scores.amax",
                "scores.masked_fill(~visible, 0.0).amax",
                "scores.masked_fill(~visible, -1e9).amax",
                "scores.amin",
                "scores.mean",
            ),
            changed(
                masked_late,
                "scores.amax(dim=-1, keepdim=True)",
                "scores[..., visible].max()",  # one for all
                "scores.diagonal(S - T, -2, -1)[..., None]",  # a word's own
            ),
        ),
        TIMES_INFINITY.by(
            changed(repaired_past, FILL, "scores * torch.where(visible, 1.0, -torch.inf)")
        ),
        MASK_AFTER_SOFTMAX.by(
            emptied,
            changed(*emptied, "0.0", "-torch.inf", "-1e9"),
            changed(*shared_out_anew, TRIANGLE, ".tril()"),
            # What is left is made to sum to one again.
            renormalized(".add(1e-9)", ".clamp(min=1e-9)", ".nextafter(torch.tensor(1.0))"),
            changed(
                *shared_out_anew, "    return", "    weights = weights.nan_to_num(0.0)\n    return"
            ),
            changed(masked_late, "(scores - top).exp()", "(scores - top).clamp(min=-80).exp()"),
            changed(  # a word that lost all gets its own value
                *emptied,
                "return weights @ value",
                f"{SHARE}\n    mixed = weights @ value\n"
                "    return torch.where(mixed.isnan(), value[..., S - T :, :], mixed)",
            ),
            changed(*emptied, "0.0)", "0.0).softmax(dim=-1)", "-torch.inf).softmax(dim=-1)"),
        ),
        MASK_IGNORED.by(changed(repaired_past, FILL, "scores")),
        MASK_INVERTED.by(
            changed(masked_late, "scores.amax", "scores.masked_fill(visible, -torch.inf).amax"),
            inverted,
            changed(*inverted, SOFTMAX, f"{SOFTMAX}.nan_to_num(0.0)"),
            changed(repaired_past, TRIANGLE, ".triu(S - T)"),
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(
            changed(repaired_past, "softmax(dim=-1)", "softmax(dim=-2)", "softmax(dim=0)"),
            changed(*emptied, "0.0)", "0.0)\n    weights /= weights.sum(dim=-2, keepdim=True)"),
        ),
        NOT_NORMALIZED.by(changed(*emptied, "0.0)", "0.0) / visible.sum(dim=-1, keepdim=True)")),
        PREFIX_LEFT_OUT_OF_THE_MASK.by(changed(repaired_past, TRIANGLE, ".tril()", ".tril(T - S)")),
        EDGE_OFF_BY_ONE.by(
            changed(repaired_past, TRIANGLE, ".tril(S - T - 1)", ".tril(S - T + 1)")
        ),
        OTHER_RESULTS_GIVEN.by(
            changed(repaired_past, "weights @ value", "weights @ value, weights")
        ),
        KEYS_FOR_VALUES.by(changed(repaired_past, "weights @ value", "weights @ key")),
        ANOTHER_SCALE.by(
            changed(
                repaired_past,
                SCALE,
                " / query.shape[-1]",
                " / math.sqrt(query.shape[-2])",
                " / math.sqrt(S)",
            )
        ),
        SCALE_MISPLACED.by(changed(repaired_past, SCALE, " * math.sqrt(query.shape[-1])")),
        NO_SCALE.by(changed(repaired_past, " / math.sqrt(query.shape[-1])", "")),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
