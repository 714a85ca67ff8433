"""Debug: heads put together by a `view` where a transpose is needed."""

import math

import numpy as np
import torch

from headway.tasks.chapters.many_heads.heads import draw, into_heads, out_of_heads
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def given_heads(x, W_Q, W_K, W_V, W_O, heads):
    """The faulty function that the notebook hands out."""
    B, T, C = x.shape
    D = C // heads
    query, key, value = ((x @ W).view(B, T, heads, D).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = query @ key.transpose(2, 3) / math.sqrt(D)
    later = torch.ones(T, T, dtype=torch.bool).triu(1)
    weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
    mixed = weights @ value
    return mixed.view(B, T, C) @ W_O


def repaired_heads(x, W_Q, W_K, W_V, W_O, heads):
    """The same with line 8 mended."""
    return _heads(x, W_Q, W_K, W_V, W_O, heads)


def _heads(
    x,
    W_Q,
    W_K,
    W_V,
    W_O,
    heads,
    split=into_heads,
    merge=out_of_heads,
    later=1,
    added_up=lambda C, heads: C // heads,
):
    """A right function, but for the ways in and out, the mask, and what the scale is made of."""
    B, T, C = x.shape
    query, key, value = (split(x @ W, heads) for W in (W_Q, W_K, W_V))
    scores = query @ key.mT / math.sqrt(added_up(C, heads))
    if later is not None:
        hidden = torch.ones(T, T, dtype=torch.bool).triu(later)
        scores = scores.masked_fill(hidden, -torch.inf)
    return merge(scores.softmax(dim=-1) @ value).reshape(B, T, C) @ W_O


def repair_cases(rng: np.random.Generator) -> list[Case]:
    def inputs(B, T, C, heads):
        return draw(rng, B, T, C), *(0.7 * draw(rng, C, C) for _ in range(4)), heads

    return [
        Case("three heads, five tokens", *inputs(2, 5, 12, 3), core=True),
        Case("two heads, six tokens", *inputs(1, 6, 8, 2), core=True),
        Case("as many heads as tokens", *inputs(2, 4, 8, 4)),
        Case("one head", *inputs(2, 3, 4, 1)),
        Case("a single token", *inputs(2, 1, 6, 3)),
    ]


def _with(**changes):
    return lambda *args: _heads(*args, **changes)


def _view_in(x, heads):
    B, T, C = x.shape
    return x.reshape(B, heads, T, C // heads)


def _view_out(x):
    B, H, T, D = x.shape
    return x.reshape(B, T, H * D)


repair = Task(
    id="09-many-heads/repair",
    title="Repair the heads",
    kind="debug",
    points=2,
    minutes=10,
    answer="causal_heads",
    cases=repair_cases,
    reference=repaired_heads,
    given=given_heads,
    misconceptions=(
        Misconception(
            "way-in-made-like-the-way-out",
            _with(split=_view_in, merge=_view_out),
            "Now both ways are wrong alike, and cancel. But inside, a head holds whole tokens, and "
            "the mask hides the wrong ones: change the last token, and earlier outputs change. "
            "Which of the two ways was right?",
        ),
        Misconception(
            "other-way-changed",
            _with(split=_view_in),
            "The way out is mended now, and the way in is broken. Was it at fault?",
        ),
        Misconception(
            "last-axes-turned",
            _with(merge=lambda x: x.transpose(2, 3)),
            "You have turned tokens and columns inside each head. Which axis stands between the "
            "batch and the tokens, and has to get out of the way?",
        ),
        Misconception(
            "interleaved",
            _with(merge=lambda x: x.permute(0, 2, 3, 1)),
            "Each token has its own numbers now, in another order: the heads take turns. Which "
            "rows of the last matrix belong to the first head?",
        ),
        Misconception(
            "first-axes-turned",
            _with(merge=lambda x: x.transpose(0, 1)),
            "You have turned batch and heads. Which axis must stand right before the columns, so "
            "that both can become one?",
        ),
        Misconception(
            "heads-added",
            _with(merge=lambda x: x.sum(1).repeat(1, 1, x.shape[1])),
            "The tokens are right again, but you add the heads to each other. Where should each of "
            "them stand?",
        ),
        Misconception(
            "mask-suspected",
            _with(later=None, merge=_view_out),
            "You have taken the mask away, and the fault is still there. Do the weights come out "
            "wrong, or what is done with the mixtures?",
        ),
        Misconception(
            "mask-moved",
            _with(later=0, merge=_view_out),
            "You have moved the mask: the first token sees nothing now. Were the weights wrong?",
        ),
        Misconception(
            "scale-suspected",
            _with(added_up=lambda C, heads: C, merge=_view_out),
            "You divide by the width of the model, and the fault is still there. Over how many "
            "numbers does a score of one head run?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
