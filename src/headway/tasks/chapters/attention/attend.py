"""Build scaled dot-product attention for batches, with masks."""

import math

import numpy as np
import torch

from headway.tasks.chapters.attention.inputs import far_below, tensors
from headway.tasks.chapters.attention.mistakes import (
    ANOTHER_SCALE,
    COSINE_FOR_DOT_PRODUCT,
    EXPONENTIALS_OUT_OF_RANGE,
    HIDDEN_SCORE_TOO_HIGH,
    KEYS_FOR_VALUES,
    MASK_AFTER_SOFTMAX,
    MASK_IGNORED,
    MASK_INVERTED,
    NO_SCALE,
    NO_SOFTMAX,
    NOTHING_VISIBLE,
    ONE_SHAPE_ONLY,
    OTHER_MIXTURE,
    OTHER_RESULTS_GIVEN,
    QUERIES_AND_KEYS_SWAPPED,
    SCALE_MISPLACED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    TIMES_INFINITY,
    WRONGLY_TRANSPOSED,
    of_any_weights,
)
from headway.tasks.chapters.attention.telling import (
    Look,
    by,
    look,
    mixture_alone_right,
    same,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import changed, either
from headway.tasks.engine.task import Case, Task


def attend(query, key, value, mask=None):
    """What each query gets, (..., T, E), and the weights, (..., T, S)."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ value, weights


def some_of(rng: np.random.Generator, *shape):
    """A mask in which every query sees one key at least, and one of them not all."""
    mask = rng.random(shape) < 0.5
    np.put_along_axis(mask, rng.integers(shape[-1], size=(*shape[:-1], 1)), True, axis=-1)
    mask[..., 0, :] = np.arange(shape[-1]) != rng.integers(shape[-1])
    return torch.from_numpy(mask)


def attend_cases(rng: np.random.Generator) -> list[Case]:
    def draw(batch, T, S, D, E, size=1.0):
        return tensors(rng, (*batch, T, D), (*batch, S, D), (*batch, S, E), size=size)

    def masked():
        mask = some_of(rng, 2, 3, 5)
        return Case("a mask for each sentence", *draw((2,), 3, 5, 4, 2), mask, core=True)

    padding = torch.tensor([[5], [3]]) > torch.arange(5)
    blind = some_of(rng, 2, 3, 4)
    blind[1, 2] = False
    one_blind = some_of(rng, 3, 3, 3)
    one_blind[0, 1] = False
    one_sees_all = some_of(rng, 1, 2, 3)
    one_sees_all[:, 1] = True
    return [
        Case("more keys than queries", *draw((2,), 3, 5, 6, 3, size=1.5), core=True),
        draw_telling(attend_task, masked, TIMES_INFINITY.name),
        Case(
            "more queries than keys",
            *draw((3,), 4, 2, 2, 5),
            some_of(rng, 3, 4, 2),
            path="other shapes",
        ),
        Case(
            "all sizes equal, and a query that may see nothing",
            *draw((3,), 3, 3, 3, 3),
            one_blind,
            path="nothing visible",
        ),
        Case("all sizes equal, without a mask", *draw((3,), 3, 3, 3, 3), path="other shapes"),
        Case(
            "one mask for all sentences",
            *draw((2,), 4, 4, 3, 2),
            some_of(rng, 4, 4),
            path="other shapes",
        ),
        Case("no batch", *draw((), 2, 4, 9, 1), path="other shapes"),
        Case(
            "batch and heads, padded",
            *draw((2, 2), 3, 5, 2, 4),
            padding[:, None, None, :],
            path="other shapes",
        ),
        Case(
            "a query that may see nothing", *draw((2,), 3, 4, 2, 3), blind, path="nothing visible"
        ),
        Case(
            "scores far below zero",
            *far_below(rng, *draw((1,), 2, 3, 4, 2)),
            one_sees_all,
        ),
        Case(
            "a hidden key with a very high score",
            *_loud(*draw((1,), 2, 3, 4, 2)),
            torch.tensor([True, False, True]).repeat(1, 2, 1),
        ),
    ]


def _loud(query, key, value):
    """The score of key 1 about 20,000 above the others."""
    quiet = torch.tensor([[0.1], [1.0], [0.1]])
    return query + 20.0, key * quiet + torch.tensor([[0.0], [500.0], [0.0]]), value


SCALE = " / math.sqrt(query.shape[-1])"
FILL = "scores.masked_fill(~mask, -torch.inf)"
LENGTHS = "(query.norm(dim=-1)[..., None] * key.norm(dim=-1)[..., None, :])"
HIDE = f"    if mask is not None:\n        scores = {FILL}\n"
EMPTY = "    if mask is not None:\n        weights = weights.masked_fill(~mask, 0.0)\n"
RETURN = "return weights @ value, weights"
SHARE = "weights = weights / weights.sum(dim=-1, keepdim=True)"
TURNED = "key.permute(*reversed(range(key.dim())))"  # as `key.T` does

emptied_only = changed(attend, HIDE, "")
filled_only = changed(attend, EMPTY, "")
unmasked = changed(*filled_only, HIDE, "")
exponentials = changed(*emptied_only, "scores.softmax(dim=-1)", "scores.exp()")
shared_out_anew = changed(
    *emptied_only, "weights.masked_fill(~mask, 0.0)", f"weights * mask\n        {SHARE}"
)


def looks(got, expected, case) -> list[Look]:
    query, key, value, *mask = (np.asarray(x) for x in case.inputs)
    mixed, weights = got
    return [look(mixed, weights, query, key, value, *mask)]


def _in_another_form(got, expected, case) -> bool:
    """Whether right numbers come alone, in the other order, or with others."""
    parts = [got] if isinstance(got, np.ndarray) else got
    found = [[same(np.asarray(part), right) for right in expected] for part in parts]
    return found in ([[True, False]], [[False, True]], [[False, True], [True, False]]) or (
        len(found) > 2 and any(map(any, found))
    )


def word_by_word(query, key, value, mask=None):
    """The page's loops, for one sentence and without a mask."""
    rows = [[query[t] @ k / math.sqrt(query.shape[-1]) for k in key] for t in range(len(query))]
    weights = torch.stack([torch.stack(row).softmax(dim=-1) for row in rows])
    return weights @ value, weights


attend_task = Task(
    id="08-attention/attend",
    title="Attention for batches, with masks",
    kind="build",
    points=3,
    minutes=20,
    answer="attend",
    cases=attend_cases,
    reference=attend,
    misconceptions=(
        NOTHING_VISIBLE.told(
            looks,
            filled_only,
            only_at=(
                "all sizes equal, and a query that may see nothing",
                "a query that may see nothing",
            ),
        ),
        OTHER_RESULTS_GIVEN.by(
            changed(attend, RETURN, "return weights @ value"),
            shows=either(_in_another_form, by(looks, mixture_alone_right)),
        ),
        KEYS_FOR_VALUES.told(looks, changed(attend, "weights @ value", "weights @ key")),
        OTHER_MIXTURE.told(
            looks, changed(attend, RETURN, "return weights @ value.flip(-2), weights")
        ),
        HIDDEN_SCORE_TOO_HIGH.told(looks, changed(attend, "-torch.inf", "0.0")),
        MASK_IGNORED.told(looks, unmasked),
        MASK_INVERTED.told(
            looks,
            changed(attend, "~mask, -torch.inf", "mask, -torch.inf"),
            changed(*filled_only, "~mask", "mask"),
            changed(attend, "weights.masked_fill(~mask", "weights.masked_fill(mask"),
        ),
        MASK_AFTER_SOFTMAX.told(
            looks,
            emptied_only,
            changed(*emptied_only, "0.0", "-1e9"),
            shared_out_anew,  # what is left is made to sum to one again,
            only_at=("a hidden key with a very high score",),
        ),
        TIMES_INFINITY.told(
            looks,
            changed(
                *filled_only,
                FILL,
                "scores * torch.where(mask, 1.0, -torch.inf)",
                "scores + (~mask).float() * -torch.inf",
            ),
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.told(
            looks, changed(attend, "softmax(dim=-1)", "softmax(dim=-2)", "softmax(dim=1)")
        ),
        NO_SCALE.told(looks, changed(attend, SCALE, "")),
        SCALE_MISPLACED.told(
            looks,
            changed(attend, SCALE, " * math.sqrt(query.shape[-1])"),
            changed(*changed(attend, SCALE, ""), "return", f"weights = weights{SCALE}\n    return"),
        ),
        ANOTHER_SCALE.told(looks, changed(attend, "query.shape[-1]", "value.shape[-1]")),
        COSINE_FOR_DOT_PRODUCT.told(looks, changed(attend, SCALE, f" / {LENGTHS}")),
        QUERIES_AND_KEYS_SWAPPED.told(
            looks, lambda *given: attend(*given[:3], *(mask.mT for mask in given[3:]))
        ),
        NO_SOFTMAX.told(looks, changed(attend, "scores.softmax(dim=-1)", "scores.sigmoid()")),
        EXPONENTIALS_OUT_OF_RANGE.by(
            changed(*exponentials, RETURN, f"{SHARE}\n    {RETURN}"),
            only_at=("scores far below zero",),
        ),
        WRONGLY_TRANSPOSED.by(
            changed(attend, "weights @ value", "weights @ value.mT"),
            changed(attend, "key.mT", TURNED, "key.reshape(*key.shape[:-2], key.shape[-1], -1)"),
            *(changed(one, "key.mT", TURNED) for one in (*unmasked, *filled_only)),
        ),
        *of_any_weights(looks, attend),
        ONE_SHAPE_ONLY.by(
            word_by_word,
            only_at=(
                "more queries than keys",
                "all sizes equal, without a mask",
                "one mask for all sentences",
                "no batch",
                "batch and heads, padded",
            ),
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
