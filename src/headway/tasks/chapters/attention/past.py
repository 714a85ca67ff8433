"""Debug: causal attention whose exponentials are measured against what nobody may see."""

import math

import numpy as np
import torch

from headway.tasks.chapters.attention.inputs import far_below, tensors
from headway.tasks.chapters.attention.mistakes import (
    ANOTHER_SCALE,
    EDGE_OFF_BY_ONE,
    EXPONENTIALS_OUT_OF_RANGE,
    FUTURE_VISIBLE,
    HIDDEN_SCORE_TOO_HIGH,
    KEYS_FOR_VALUES,
    MASK_AFTER_SOFTMAX,
    MASK_IGNORED,
    MASK_INVERTED,
    NO_MIXTURE,
    NO_SCALE,
    NO_SOFTMAX,
    ONE_SHAPE_ONLY,
    OTHER_RESULTS_GIVEN,
    PREFIX_LEFT_OUT_OF_THE_MASK,
    SCALE_MISPLACED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    TIMES_INFINITY,
    of_any_weights,
)
from headway.tasks.chapters.attention.telling import (
    Look,
    by,
    hidden_late,
    look_at_mixture,
    no_mixture,
    right_and_more,
    softmax,
    under_a_triangle,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import changed, either
from headway.tasks.engine.requirements import arguments_kept
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
    """Values are wider than there are keys, so that a mixture tells its weights."""

    def draw(batch, T, S, D, E):
        return tensors(rng, (*batch, T, D), (*batch, S, D), (*batch, S, E))

    return [
        Case(
            "a later word with a very high score",
            *loud(*draw((2,), 4, 4, 4, 5), at=-1),
            core=True,
        ),
        Case("some words after a prefix that was seen", *draw((2,), 3, 6, 3, 7), core=True),
        Case("a whole sentence", *draw((2,), 5, 5, 4, 6), path="other shapes"),
        Case("all sizes equal", *draw((3,), 3, 3, 3, 3), path="other shapes"),
        Case("no batch", *draw((), 4, 4, 2, 5), path="other shapes"),
        Case("scores far below zero", *far_below(rng, *draw((1,), 2, 3, 4, 5))),
        Case("an earlier word with a very high score", *loud(*draw((1,), 3, 4, 4, 5), at=0)),
        Case("scores below minus a billion", *all_alike_and_low(*draw((1,), 3, 3, 4, 5))),
        Case("one new word", *draw((2,), 1, 4, 3, 5), path="other shapes"),
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
zero_filled = changed(repaired_past, "-torch.inf", "0.0")
after = changed(repaired_past, f"    scores = {FILL}\n", "")
emptied = changed(*after, SOFTMAX, f"{SOFTMAX}.masked_fill(~visible, 0.0)")
shared_out_anew = changed(*emptied, "    return", f"    {SHARE}\n    return")  # as the given code


def looks(got, expected, case) -> list[Look]:
    query, key, value = (x.numpy() for x in case.inputs)
    T, S = query.shape[-2], key.shape[-2]
    return [look_at_mixture(got, query, key, value, np.tri(T, S, S - T, dtype=bool))]


def _from_the_first_word(it: Look) -> bool:
    T, S = it.scores.shape[-2:]
    return T < S and under_a_triangle(it, 0, T - S)


def _one_off(it: Look) -> bool:
    T, S = it.scores.shape[-2:]
    return under_a_triangle(it, S - T - 1, S - T + 1)


def _lost_below_what_is_hidden(got, expected, case) -> bool:
    """Whether rows with a hidden score far above all visible ones are NaN, 0 or a plain mean."""
    query, key, value = (x.double().numpy() for x in case.inputs)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    T, S = scores.shape[-2:]
    visible = np.tri(T, S, S - T, dtype=bool)
    below = scores.max(-1) > np.where(visible, scores, -np.inf).max(-1) + 50
    plain = np.isclose(got, softmax(0 * scores, visible) @ value)
    lost = np.isnan(got).all(-1) | (got == 0).all(-1) | plain.all(-1)
    wrong = ~np.isclose(got, expected, atol=1e-3).all(-1)
    return bool(wrong.any()) and not (wrong & ~(below & lost)).any()


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
        OTHER_RESULTS_GIVEN.by(
            changed(repaired_past, "weights @ value", "weights @ value, weights"),
            shows=right_and_more,
        ),
        HIDDEN_SCORE_TOO_HIGH.told(
            looks,
            changed(*zero_filled, SOFTMAX, f"{SOFTMAX}.masked_fill(~visible, 0.0)"),
        ),
        EXPONENTIALS_OUT_OF_RANGE.by(
            # No maximum is subtracted; hidden scores of 0 take part in it.
            changed(masked_late, "(scores - top).exp()", "scores.exp()"),
            changed(masked_late, "scores.amax", "scores.masked_fill(~visible, 0.0).amax"),
            changed(
                masked_late,
                "scores.amax(dim=-1, keepdim=True)",
                "scores[..., visible].max()",  # one for all
                "scores.max()",
            ),
            only_at=(
                "scores far below zero",
                "an earlier word with a very high score",
                "scores below minus a billion",
            ),
        ),
        TIMES_INFINITY.by(
            changed(repaired_past, FILL, "scores * torch.where(visible, 1.0, -torch.inf)")
        ),
        MASK_INVERTED.told(
            looks,
            changed(masked_late, "scores.amax", "scores.masked_fill(visible, -torch.inf).amax"),
            changed(repaired_past, "~visible", "visible"),
            changed(repaired_past, TRIANGLE, ".triu(S - T)"),
        ),
        MASK_AFTER_SOFTMAX.by(
            changed(*shared_out_anew, TRIANGLE, ".tril()"),
            changed(*emptied, "0.0)", "0.0).softmax(dim=-1)"),
            shows=either(by(looks, hidden_late), _lost_below_what_is_hidden),
        ),
        MASK_IGNORED.told(looks, changed(repaired_past, FILL, "scores")),
        SOFTMAX_OVER_THE_WRONG_AXIS.told(
            looks, changed(repaired_past, "softmax(dim=-1)", "softmax(dim=0)")
        ),
        EDGE_OFF_BY_ONE.by(
            changed(repaired_past, TRIANGLE, ".tril(S - T - 1)", ".tril(S - T + 1)"),
            shows=by(looks, _one_off),
        ),
        PREFIX_LEFT_OUT_OF_THE_MASK.by(
            changed(repaired_past, TRIANGLE, ".tril()", ".tril(T - S)"),
            shows=by(looks, _from_the_first_word),
        ),
        KEYS_FOR_VALUES.by(changed(repaired_past, "weights @ value", "weights @ key")),
        NO_SCALE.told(looks, changed(repaired_past, SCALE, "")),
        SCALE_MISPLACED.told(looks, changed(repaired_past, SCALE, " * math.sqrt(query.shape[-1])")),
        ANOTHER_SCALE.told(looks, changed(repaired_past, SCALE, " / query.shape[-1]")),
        NO_SOFTMAX.told(
            looks,
            changed(repaired_past, SOFTMAX, f"{SOFTMAX} * 0 + visible / visible.sum(-1, True)"),
        ),
        FUTURE_VISIBLE.told(
            looks, changed(repaired_past, TRIANGLE, ".tril(S - T) | (torch.arange(S) % 2 > 0)")
        ),
        *of_any_weights(looks, repaired_past),
        NO_MIXTURE.by(
            changed(repaired_past, "return weights @ value", "return weights @ value + 1"),
            shows=lambda got, expected, case: no_mixture(got, expected, case.inputs[2].numpy()),
        ),
        ONE_SHAPE_ONLY.by(
            only_at=(
                "a whole sentence",
                "all sizes equal",
                "no batch",
                "one new word",
                "a single word",
            )
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
