"""Debug: causal attention whose mask comes after the softmax."""

import math

import numpy as np
import torch

from headway.tasks.chapters.attention.causal import causal_mask
from headway.tasks.chapters.attention.steps import attend, scaled_scores, tensors
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def given_past(query, key, value):
    """The faulty function that the notebook hands out."""
    T, S = query.shape[-2], key.shape[-2]
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    visible = torch.ones_like(scores, dtype=torch.bool).tril(S - T)
    weights = scores.softmax(dim=-1)
    weights = weights.masked_fill(~visible, 0.0)
    return weights @ value


def repaired_past(query, key, value):
    """The same with the mask on the scores, before the softmax."""
    return by()(query, key, value)


def by(
    weigh=lambda scores, visible: scores.masked_fill(~visible, -torch.inf).softmax(dim=-1),
    diagonal=lambda T, S: S - T,
    scores_of=scaled_scores,
):
    """A repair: weigh(scores, visible) → weights, with the mask's diagonal at this place."""

    def attend_to_the_past(query, key, value):
        scores = scores_of(query, key)
        visible = torch.ones_like(scores, dtype=torch.bool).tril(diagonal(*scores.shape[-2:]))
        return weigh(scores, visible) @ value

    return attend_to_the_past


def past_cases(rng: np.random.Generator) -> list[Case]:
    def draw(batch, T, S, D, E):
        return tensors(rng, (*batch, T, D), (*batch, S, D), (*batch, S, E))

    return [
        Case("a whole sentence", *draw((2,), 5, 5, 4, 3), core=True),
        Case("some words after a prefix that was seen", *draw((2,), 3, 6, 3, 2), core=True),
        Case("all sizes equal", *draw((3,), 3, 3, 3, 3)),
        Case("no batch", *draw((), 4, 4, 2, 3)),
        Case("one new word", *draw((2,), 1, 4, 3, 2)),
        Case("a single word", *draw((1,), 1, 1, 2, 2)),
    ]


def ones_and_infinity(scores, visible):
    return (scores * torch.where(visible, 1.0, -torch.inf)).softmax(dim=-1)


def kept(scores, visible):
    """The weights that the faulty function ends up with."""
    return scores.softmax(dim=-1).masked_fill(~visible, 0.0)


def ahead(query, key, value):
    scores = scaled_scores(query, key)
    visible = torch.ones_like(scores, dtype=torch.bool).triu(key.shape[-2] - query.shape[-2])
    return scores.masked_fill(~visible, -torch.inf).softmax(dim=-1) @ value


past = Task(
    id="08-attention/past",
    title="Repair a causal attention",
    kind="debug",
    points=2,
    minutes=8,
    answer="attend_to_the_past",
    cases=past_cases,
    reference=repaired_past,
    given=given_past,
    misconceptions=(
        Misconception(
            "zero-for-mask",
            by(lambda scores, visible: scores.masked_fill(~visible, 0.0).softmax(dim=-1)),
            "The mask comes before the softmax now, and gives the future the score 0. What is e "
            "to the power 0?",
        ),
        Misconception(
            "zero-for-mask-and-again",
            by(
                lambda scores, visible: (
                    scores.masked_fill(~visible, 0.0).softmax(dim=-1).masked_fill(~visible, 0.0)
                )
            ),
            "You mask twice, and still the rows lack something. Which score did the future have "
            "inside the softmax?",
        ),
        Misconception(
            "ones-and-minus-infinity",
            by(ones_and_infinity),
            "You multiply by ones and minus infinity, and rows become NaN. What is minus infinity "
            "times a negative score?",
        ),
        Misconception(
            "minus-infinity-on-weights",
            by(
                lambda scores, visible: scores.softmax(dim=-1).masked_fill(~visible, -torch.inf),
            ),
            "Minus infinity is in the weights now. Which numbers should become very low: those "
            "before or those after the softmax?",
        ),
        Misconception(
            "weights-set-to-minus-1e9",
            by(lambda scores, visible: scores.softmax(dim=-1).masked_fill(~visible, -1e9)),
            "Your hidden weights are −1e9, and so the mixture is huge. Is it the weights or the "
            "scores that should become very low?",
        ),
        Misconception(
            "softmax-again",
            by(lambda scores, visible: kept(scores, visible).softmax(dim=-1)),
            "Your rows sum to one again. The future had the weight 0 before your second softmax: "
            "what is e to the power 0?",
        ),
        Misconception(
            "softmax-twice",
            by(
                lambda scores, visible: (
                    scores.softmax(dim=-1).masked_fill(~visible, -torch.inf).softmax(dim=-1)
                )
            ),
            "Your rows sum to one again, but the weights are too even: they have passed through a "
            "softmax twice. What should the mask act on?",
        ),
        Misconception(
            "mask-left-out",
            by(lambda scores, visible: scores.softmax(dim=-1)),
            "Every row sums to one, and every word sees the future. Where has the mask gone?",
        ),
        Misconception(
            "mask-inverted",
            by(
                lambda scores, visible: (
                    scores.masked_fill(visible, -torch.inf).softmax(dim=-1).nan_to_num(0.0)
                )
            ),
            "Your words see the future and nothing else. Which places does the fill lower?",
        ),
        Misconception(
            "mask-inverted-nan",
            by(lambda scores, visible: scores.masked_fill(visible, -torch.inf).softmax(dim=-1)),
            "Your words see the future and nothing else, and the last one NaN. Which places does "
            "the fill lower?",
        ),
        Misconception(
            "looks-ahead",
            ahead,
            "Each word sees itself and what comes later. Was the triangle at fault?",
        ),
        Misconception(
            "columns-repaired",
            by(
                lambda scores, visible: (
                    kept(scores, visible) / kept(scores, visible).sum(dim=-2, keepdim=True)
                )
            ),
            "Your columns sum to one. Whose weights belong together: those of a key or those of a "
            "query?",
        ),
        Misconception(
            "divided-by-number",
            by(lambda scores, visible: kept(scores, visible) / visible.sum(dim=-1, keepdim=True)),
            "You divide a row by how many keys it sees. What do the weights that are left add up "
            "to, and does that depend on their number alone?",
        ),
        Misconception(
            "top-left",
            by(diagonal=lambda T, S: 0),
            "Right for a whole sentence. After a prefix, your first word sees the first key only. "
            "Was the diagonal at fault?",
        ),
        Misconception(
            "own-position-hidden",
            by(diagonal=lambda T, S: S - T - 1),
            "No word sees itself, and the first of a sentence gives NaN. Was the diagonal at "
            "fault?",
        ),
        Misconception(
            "one-ahead",
            by(diagonal=lambda T, S: S - T + 1),
            "The mask acts in the right place now, and every word sees one word too many. Was the "
            "diagonal at fault?",
        ),
        Misconception(
            "weights-returned-too",
            lambda query, key, value: attend(
                query, key, value, causal_mask(query.shape[-2], key.shape[-2])
            ),
            "The mixture is right. You return the weights as well: what does the docstring ask "
            "for?",
        ),
        Misconception(
            "scale-lost",
            by(scores_of=lambda query, key: query @ key.mT),
            "The mask is in its place now, and the scale has gone.",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
