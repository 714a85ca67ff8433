"""Build scaled dot-product attention for batches, with masks."""

import math

import numpy as np
import torch

from headway.tasks.attention.steps import (
    added,
    after,
    along,
    attend,
    filled,
    inverted,
    mask_on_queries,
    multiplied,
    over_everything,
    scaled_by,
    scaled_weights,
    tensors,
    three_dimensions_only,
    transposed,
    variant,
)
from headway.tasks.compare import close
from headway.tasks.task import Case, Misconception, Task


def some_of(rng: np.random.Generator, *shape):
    """A mask in which every query sees one key at least, and one of them not all."""
    mask = rng.random(shape) < 0.5
    np.put_along_axis(mask, rng.integers(shape[-1], size=(*shape[:-1], 1)), True, axis=-1)
    mask[..., 0, :] = np.arange(shape[-1]) != rng.integers(shape[-1])
    return torch.from_numpy(mask)


def attend_cases(rng: np.random.Generator) -> list[Case]:
    def draw(batch, T, S, D, E, size=1.0):
        return tensors(rng, (*batch, T, D), (*batch, S, D), (*batch, S, E), size=size)

    padding = torch.tensor([[5], [3]]) > torch.arange(5)
    blind = some_of(rng, 2, 3, 4)
    blind[1, 2] = False
    one_blind = some_of(rng, 3, 3, 3)
    one_blind[0, 1] = False
    return [
        Case("more keys than queries", *draw((2,), 3, 5, 4, 3, size=1.5), core=True),
        Case("a mask for each sentence", *draw((2,), 3, 5, 4, 2), some_of(rng, 2, 3, 5), core=True),
        Case("more queries than keys", *draw((3,), 4, 2, 2, 5), some_of(rng, 3, 4, 2)),
        Case("all sizes equal", *draw((3,), 3, 3, 3, 3), one_blind),
        Case("all sizes equal, without a mask", *draw((3,), 3, 3, 3, 3)),
        Case("one mask for all sentences", *draw((2,), 4, 4, 3, 2), some_of(rng, 4, 4)),
        Case("no batch", *draw((), 2, 4, 9, 1)),
        Case("batch and heads, padded", *draw((2, 2), 3, 5, 2, 4), padding[:, None, None, :]),
        Case("a query that may see nothing", *draw((2,), 3, 4, 2, 3), blind),
        Case("scores far below zero", *_shifted(*draw((1,), 2, 3, 4, 2)), some_of(rng, 1, 2, 3)),
    ]


def _shifted(query, key, value):
    """All scores near −1,000, a few apart."""
    return torch.full_like(query, 20.0), key / 4 - 25.0, value


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
        Misconception(
            "no-scale",
            scaled_by(lambda q, k, v: 1.0),
            "Your weights are too sharp, and the more so the wider the queries. Which step between "
            "dot products and softmax is missing?",
        ),
        Misconception(
            "scaled-by-width",
            scaled_by(lambda q, k, v: q.shape[-1]),
            "You divide by the width. By what does the spread of a dot product grow when the "
            "width grows four times?",
        ),
        Misconception(
            "scaled-by-width-of-values",
            scaled_by(lambda q, k, v: math.sqrt(v.shape[-1])),
            "Right where values are as wide as queries. How many numbers are added up in one dot "
            "product?",
        ),
        Misconception(
            "scaled-by-number-of-keys",
            scaled_by(lambda q, k, v: math.sqrt(k.shape[-2])),
            "Right where there are as many keys as numbers in each. How many numbers are added up "
            "in one dot product?",
        ),
        Misconception(
            "scaled-by-number-of-queries",
            scaled_by(lambda q, k, v: math.sqrt(q.shape[-2])),
            "Right where there are as many queries as numbers in each. Should the number of "
            "queries change what one of them sees?",
        ),
        Misconception(
            "scale-after-softmax",
            scaled_weights,
            "Your rows of weights do not sum to one. Is it the scores or the weights that are "
            "scaled?",
        ),
        Misconception(
            "over-the-queries",
            variant(weigh=along(-2)),
            "Your columns of weights sum to one. Who shares out a whole here, a key or a query?",
        ),
        Misconception(
            "over-the-batch",
            variant(weigh=along(0)),
            "Your weights sum to one down the batch. Do the sentences of a batch compete with each "
            "other?",
        ),
        Misconception(
            "second-axis",
            variant(weigh=along(1)),
            "You take the softmax over axis 1, whatever the number of dimensions. How do you name "
            "the axis of the keys, however many stand before it?",
        ),
        Misconception(
            "over-everything",
            variant(weigh=over_everything),
            "All weights of a sentence together sum to one. What should each row sum to?",
        ),
        Misconception(
            "scores-transposed",
            transposed,
            "Where there are as many queries as keys you get numbers, elsewhere an error. Your "
            "scores have a row for each key: who asks?",
        ),
        Misconception(
            "all-axes-turned",
            variant(lambda q, k: q @ k.permute(*reversed(range(k.dim()))) / math.sqrt(q.shape[-1])),
            "Right without a batch. With one, T turns all axes around, the batch's too. Which of "
            "the two ways to transpose swaps the last two axes only?",
        ),
        Misconception(
            "reshaped-for-transposed",
            variant(
                lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], -1) / math.sqrt(q.shape[-1])
            ),
            "The shapes fit, and the numbers are in the wrong places. Does a reshape turn rows "
            "into columns, or does it deal out the same row anew?",
        ),
        Misconception(
            "mask-ignored",
            variant(weigh=lambda scores, mask: scores.softmax(dim=-1)),
            "Right without a mask. With one, nothing changes.",
        ),
        Misconception(
            "mask-after-softmax",
            variant(weigh=after(lambda weights, mask: weights * mask)),
            "Hidden keys get no weight, but the others no longer sum to one: the hidden have taken "
            "their share first. When must they disappear?",
        ),
        Misconception(
            "weights-set-to-minus-1e9",
            variant(weigh=after(lambda weights, mask: weights.masked_fill(~mask, -1e9))),
            "Your hidden weights are −1e9, and so the mixture is huge. Is it the weights or the "
            "scores that should become very low?",
        ),
        Misconception(
            "mask-inverted",
            variant(weigh=inverted(lambda weights, mask: weights)),
            "Your queries see what is hidden from them, and give NaN where nothing is. What does "
            "True mean in this mask?",
        ),
        Misconception(
            "mask-inverted-twice",
            variant(weigh=inverted(lambda weights, mask: weights.masked_fill(mask, 0.0))),
            "Your queries see what is hidden from them, and nothing else. What does True mean in "
            "this mask?",
        ),
        Misconception(
            "mask-inverted-first",
            variant(weigh=inverted(lambda weights, mask: weights.masked_fill(~mask, 0.0))),
            "With a mask, nothing is left but zeros and NaN. You fill twice: which places each "
            "time, and what does True mean?",
        ),
        Misconception(
            "zero-for-mask",
            variant(weigh=filled(0.0)),
            "You give hidden keys the score 0. What is e to the power 0?",
        ),
        Misconception(
            "zero-for-mask-and-again",
            variant(weigh=filled(0.0, then=0.0)),
            "Hidden keys have no weight in the end, and yet the others lack some. Which score did "
            "the hidden keys have inside the softmax, and what is e to that power?",
        ),
        Misconception(
            "ones-and-minus-infinity",
            variant(weigh=multiplied),
            "You multiply by ones and minus infinity, and most rows become NaN. What is minus "
            "infinity times a negative score, and times 0?",
        ),
        Misconception(
            "mask-added",
            variant(weigh=added),
            "You add the mask to the scores as it is, as 0 and 1. How much should be added where "
            "it is False?",
        ),
        Misconception(
            "nan-where-nothing",
            variant(weigh=filled(-torch.inf)),
            "A query that may see nothing gives NaN. What is 0 divided by 0, and what is asked "
            "for here?",
        ),
        Misconception(
            "equal-where-nothing",
            variant(weigh=filled(-1e9)),
            "A query that may see nothing sees everything alike. If all scores of a row are "
            "equally low, how does a softmax share?",
        ),
        Misconception(
            "low-but-not-low-enough",
            variant(weigh=filled(-1e2, then=0.0)),
            "Right while scores are small. Where all scores lie far below zero, the hidden keys "
            "take everything. Which number is below every score?",
        ),
        Misconception(
            "mask-transposed",
            variant(weigh=mask_on_queries),
            "Right without a mask. Do the rows of the mask belong to the queries or to the keys?",
        ),
        Misconception(
            "keys-for-values",
            variant(mix=lambda weights, key, value: weights @ key),
            "Your weights are right, and you mix the keys. What is handed out?",
        ),
        Misconception(
            "values-transposed",
            variant(mix=lambda weights, key, value: weights @ value.mT),
            "Your weights are right. Where a value is as wide as there are keys you get numbers, "
            "elsewhere an error. Along which axis do the values lie, one behind the other?",
        ),
        Misconception(
            "weights-not-returned",
            lambda *given: attend(*given)[0],
            "What you return is a right mixture, and nothing else. Which second thing does the "
            "docstring ask for?",
        ),
        Misconception(
            "three-dimensions-only",
            three_dimensions_only,
            "Right for one batch dimension. With none, or with batch and heads, it raises. How do "
            "you name the last two axes, however many stand before them?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
