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
    HIDDEN_WITHOUT_NEED,
    KEYS_FOR_VALUES,
    MASK_AFTER_SOFTMAX,
    MASK_IGNORED,
    MASK_INVERTED,
    NO_SCALE,
    NOTHING_VISIBLE,
    ONE_SHAPE_ONLY,
    OTHER_RESULTS_GIVEN,
    QUERIES_AND_KEYS_SWAPPED,
    SCALE_MISPLACED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    TIMES_INFINITY,
    WRONGLY_TRANSPOSED,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import changed
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
UNMASKED = f"return weights @ value, query @ key.mT{SCALE}"

unscaled = changed(attend, SCALE, "")
emptied_only = changed(attend, HIDE, "")
filled_only = changed(attend, EMPTY, "")
inverted_first = changed(attend, "~mask, -torch.inf", "mask, -torch.inf")
TURNED = "key.permute(*reversed(range(key.dim())))"  # as `key.T` does
LATER = "torch.full(scores.shape[-2:], -torch.inf).triu(1)"
exponentials = changed(*emptied_only, "scores.softmax(dim=-1)", "scores.exp()")
multiplied = changed(*exponentials, "weights.masked_fill(~mask, 0.0)", "weights * mask")


def by_shared_exponentials(attention):
    """Weights that a softmax by hand makes of exponentials, NaN and all, or with zeros for NaN."""
    share, without_nan = f"{SHARE}\n    ", "weights = weights.nan_to_num(0.0)\n    "
    return changed(attention, RETURN, share + RETURN, share + without_nan + RETURN)


def mixed_first(attention):
    """The weights are emptied when the mixture is made already."""
    mixed, given_back = "    mixed = weights @ value\n", "    return mixed, weights"
    return changed(attention, f"{EMPTY}    {RETURN}", f"{mixed}{EMPTY}{given_back}")


def word_by_word(query, key, value, mask=None):
    """The page's loops, for one sentence and without a mask."""
    rows = [[query[t] @ k / math.sqrt(query.shape[-1]) for k in key] for t in range(len(query))]
    weights = torch.stack([torch.stack(row).softmax(dim=-1) for row in rows])
    return weights @ value, weights


unmasked = changed(*filled_only, HIDE, "")
shared_out_anew = changed(
    *emptied_only,
    "weights.masked_fill(~mask, 0.0)",
    f"weights * mask\n        {SHARE}",
)

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
        NO_SCALE.by(
            unscaled,
            changed(*unmasked, SCALE, ""),
            changed(*unmasked, f"key.mT{SCALE}", TURNED),
        ),
        ANOTHER_SCALE.by(
            changed(
                attend,
                SCALE,
                " / query.shape[-1]",
                " / query.shape[-1] ** 1 / 2",
                " / (query.shape[-1] / 2)",
            ),
            changed(
                attend,
                "query.shape[-1]",
                "value.shape[-1]",
                "key.shape[-2]",
                "query.shape[-2]",
                "query.shape[1]",
                "query.shape[0]",
            ),
        ),
        SCALE_MISPLACED.by(
            changed(attend, SCALE, " * math.sqrt(query.shape[-1])"),
            changed(*unscaled, "return", f"weights = weights{SCALE}\n    return"),
        ),
        COSINE_FOR_DOT_PRODUCT.by(changed(attend, SCALE, f" / {LENGTHS}", f" / {LENGTHS}{SCALE}")),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(
            changed(
                attend,
                "scores.softmax(dim=-1)",
                "scores.softmax(dim=-2)",
                "scores.softmax(dim=1)",
                "scores.softmax(dim=0)",
                "scores.flatten(-2).softmax(dim=-1).view_as(scores)",
            )
        ),
        QUERIES_AND_KEYS_SWAPPED.by(
            changed(attend, "query @ key.mT", "key @ query.mT"),
            lambda *given: attend(*given[:3], *(mask.mT for mask in given[3:])),
        ),
        MASK_IGNORED.by(unmasked),
        HIDDEN_WITHOUT_NEED.by(
            changed(*unmasked, "scores.softmax", f"(scores + {LATER}).softmax"),
            changed(*filled_only, HIDE, f"{HIDE}    scores = scores + {LATER}\n"),
            changed(attend, HIDE, f"{HIDE}    scores = scores + {LATER}\n"),
        ),
        MASK_AFTER_SOFTMAX.by(
            emptied_only,
            changed(*emptied_only, "0.0", "-1e9"),
            shared_out_anew,  # what is left is made to sum to one again
            changed(
                *emptied_only,
                "weights.masked_fill(~mask, 0.0)",
                f"weights * mask\n        {SHARE.replace('True)', 'True).add(1e-9)')}",
            ),
        ),
        MASK_INVERTED.by(
            inverted_first,
            changed(*inverted_first, "~mask", "mask"),
            changed(attend, "weights.masked_fill(~mask", "weights.masked_fill(mask"),
            changed(*filled_only, "~mask", "mask"),
        ),
        HIDDEN_SCORE_TOO_HIGH.by(
            changed(attend, "-torch.inf", "0.0", "-50.0", "-1e2", "-1e3", "-1e4"),
            changed(
                *changed(attend, "weights.masked_fill(~mask, 0.0)", "weights * mask.any(-1, True)"),
                "-torch.inf",
                "-50.0",
                "-1e3",
                "-1e4",
            ),
            changed(*filled_only, FILL, "scores.masked_fill(~mask, 0.0)", "scores + mask.float()"),
            changed(attend, FILL, "torch.where(mask, scores, scores.min())"),
        ),
        TIMES_INFINITY.by(
            changed(
                *filled_only,
                FILL,
                "scores * torch.where(mask, 1.0, -torch.inf)",
                "scores + (~mask).float() * -torch.inf",
            )
        ),
        NOTHING_VISIBLE.by(
            filled_only,
            changed(*filled_only, "-torch.inf", "-1e9"),
            changed(*filled_only, RETURN, "return (weights @ value).nan_to_num(), weights"),
            mixed_first(attend),
            mixed_first(*changed(attend, "-torch.inf", "-1e9")),
            changed(  # the mixture is emptied, the weights are not
                *changed(*filled_only, "-torch.inf", "-1e9"),
                RETURN,
                "seen = 1 if mask is None else mask.any(-1, keepdim=True)\n"
                "    return weights @ value * seen, weights",
            ),
        ),
        EXPONENTIALS_OUT_OF_RANGE.by(
            by_shared_exponentials(*exponentials), by_shared_exponentials(*multiplied)
        ),
        KEYS_FOR_VALUES.by(changed(attend, "weights @ value", "weights @ key")),
        WRONGLY_TRANSPOSED.by(
            changed(attend, "weights @ value", "weights @ value.mT"),
            changed(
                attend,
                "key.mT",
                TURNED,
                "key.reshape(*key.shape[:-2], key.shape[-1], -1)",
            ),
            *(
                changed(one, "key.mT", TURNED)
                for one in (*unmasked, *filled_only, *shared_out_anew)
            ),
        ),
        OTHER_RESULTS_GIVEN.by(
            changed(
                attend,
                RETURN,
                "return weights @ value",
                "return weights, weights @ value",
                "return weights @ value, scores",
                UNMASKED,
            )
        ),
        ONE_SHAPE_ONLY.by(
            word_by_word,
            changed(attend, "query @ key.mT", 'torch.einsum("btd,bsd->bts", query, key)'),
            changed(
                attend,
                f"scores = {FILL}",
                "scores[~mask] = -torch.inf",
                "scores[..., ~mask] = -torch.inf",
            ),
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
