"""Build scaled dot-product attention for batches, with masks."""

import math

import numpy as np
import torch

from headway.tasks.chapters.attention.hiding import HIDING
from headway.tasks.chapters.attention.steps import (
    along,
    attend,
    over_everything,
    scaled_by,
    scaled_scores,
    scaled_weights,
    tensors,
    three_dimensions_only,
    transposed,
    variant,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


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
    one_sees_all = some_of(rng, 1, 2, 3)
    one_sees_all[:, 1] = True
    return [
        Case("more keys than queries", *draw((2,), 3, 5, 6, 3, size=1.5), core=True),
        Case("a mask for each sentence", *draw((2,), 3, 5, 4, 2), some_of(rng, 2, 3, 5), core=True),
        Case("more queries than keys", *draw((3,), 4, 2, 2, 5), some_of(rng, 3, 4, 2)),
        Case("all sizes equal", *draw((3,), 3, 3, 3, 3), one_blind),
        Case("all sizes equal, without a mask", *draw((3,), 3, 3, 3, 3)),
        Case("one mask for all sentences", *draw((2,), 4, 4, 3, 2), some_of(rng, 4, 4)),
        Case("no batch", *draw((), 2, 4, 9, 1)),
        Case("batch and heads, padded", *draw((2, 2), 3, 5, 2, 4), padding[:, None, None, :]),
        Case("a query that may see nothing", *draw((2,), 3, 4, 2, 3), blind),
        Case("scores far below zero", *_shifted(*draw((1,), 2, 3, 4, 2)), one_sees_all),
        Case(
            "a hidden key with a very high score",
            *_loud(*draw((1,), 2, 3, 4, 2)),
            torch.tensor([True, False, True]).repeat(1, 2, 1),
        ),
    ]


def _shifted(query, key, value):
    """All scores near −1,200, a few apart."""
    return torch.full_like(query, 20.0), key / 4 - 30.0, value


def _loud(query, key, value):
    """The score of key 1 about 1,000 above the others."""
    quiet = torch.tensor([[0.1], [1.0], [0.1]])
    return query + 20.0, key * quiet + torch.tensor([[0.0], [25.0], [0.0]]), value


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
            "scaled-by-second-axis",
            scaled_by(lambda q, k, v: math.sqrt(q.shape[1])),
            "You take the width from axis 1, whatever the number of dimensions. Which axis holds "
            "the numbers of a query?",
        ),
        Misconception(
            "half-the-width",
            scaled_by(lambda q, k, v: q.shape[-1] / 2),
            "You divide by half the width, which is right at a width of 4. In what order does "
            "Python compute a power and a division?",
        ),
        Misconception(
            "scaled-by-twice-the-width",
            scaled_by(lambda q, k, v: 2 * q.shape[-1]),
            "You divide by the width and by 2 as well. In what order does Python compute a power "
            "and a division?",
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
        *HIDING,
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
            "pair-swapped",
            lambda *given: attend(*given)[::-1],
            "Both are right, and they come the wrong way round. Which is asked for first?",
        ),
        Misconception(
            "scores-for-weights",
            lambda *given: (attend(*given)[0], scaled_scores(*given[:2])),
            "The mixture is right. Beside it you return the scores: what are they turned into "
            "before they mix?",
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
