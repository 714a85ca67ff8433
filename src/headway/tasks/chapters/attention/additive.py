"""Build additive attention: scores from a small network."""

import math

import numpy as np

from headway.tasks.chapters.attention.steps import attend, scaled_by, tensors
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def additive_attention(query, key, value, W_q, W_k, v):
    """softmax(vᵀ tanh(q W_q + k W_k)) V, and the weights."""
    return variant()(query, key, value, W_q, W_k, v)


def pairs_of(query, key, W_q, W_k):
    """q W_q + k W_k for each query with each key, (..., T, S, A)."""
    return (query @ W_q).unsqueeze(-2) + (key @ W_k).unsqueeze(-3)


def variant(
    pairs=pairs_of,
    score=lambda pairs, v: pairs.tanh() @ v,
    weigh=lambda scores, width: scores.softmax(dim=-1),
):
    """Additive attention with one of its steps replaced."""

    def attention(query, key, value, W_q, W_k, v):
        weights = weigh(score(pairs(query, key, W_q, W_k), v), len(v))
        return weights @ value, weights

    return attention


def additive_cases(rng: np.random.Generator) -> list[Case]:
    def draw(batch, T, S, D_q, D_k, E, A):
        here = tensors(rng, (*batch, T, D_q), (*batch, S, D_k), (*batch, S, E))
        return *here, *tensors(rng, (D_q, A), (D_k, A)), *tensors(rng, (A,), size=2.0)

    return [
        Case("keys wider than queries", *draw((2,), 3, 5, 2, 4, 3, 6), core=True),
        Case("queries as wide as keys", *draw((3,), 4, 2, 3, 3, 2, 5), core=True),
        Case("all sizes equal", *draw((3,), 3, 3, 3, 3, 3, 3)),
        Case("no batch", *draw((), 2, 4, 3, 2, 1, 4)),
        Case("batch and heads", *draw((2, 2), 2, 3, 2, 2, 2, 3)),
        Case("one query, one key", *draw((1,), 1, 1, 3, 2, 4, 2)),
        Case("a network of width one", *draw((2,), 2, 4, 2, 3, 2, 1)),
    ]


def tanh_each(query, key, W_q, W_k):
    return (query @ W_q).tanh().unsqueeze(-2) + (key @ W_k).tanh().unsqueeze(-3)


def multiplied(query, key, W_q, W_k):
    return (query @ W_q).unsqueeze(-2) * (key @ W_k).unsqueeze(-3)


def minus(query, key, W_q, W_k):
    return (query @ W_q).unsqueeze(-2) - (key @ W_k).unsqueeze(-3)


def transposed(query, key, W_q, W_k):
    return pairs_of(query, key, W_q, W_k).transpose(-2, -3)


def summed_over_queries(query, key, W_q, W_k):
    whole = (query @ W_q).sum(dim=-2, keepdim=True).expand(*query.shape[:-1], W_q.shape[1])
    return whole.unsqueeze(-2) + (key @ W_k).unsqueeze(-3)


additive = Task(
    id="08-attention/additive",
    title="Additive attention",
    kind="build",
    points=2,
    minutes=15,
    answer="additive_attention",
    cases=additive_cases,
    reference=additive_attention,
    misconceptions=(
        Misconception(
            "tanh-forgotten",
            variant(score=lambda pairs, v: pairs @ v),
            "All queries of a sentence get the same weights. Without anything curved between sum "
            "and vote, the query adds the same to all its scores. Which step is missing?",
        ),
        Misconception(
            "tanh-outside",
            variant(score=lambda pairs, v: (pairs @ v).tanh()),
            "All your scores lie between −1 and 1. Which comes first, the tanh or the vote?",
        ),
        Misconception(
            "tanh-each",
            variant(tanh_each, lambda pairs, v: pairs @ v),
            "All queries of a sentence get the same weights: those of the keys alone. Is the query "
            "left out, or does it pass through the tanh by itself and add the same to all its "
            "scores? What should pass through the tanh?",
        ),
        Misconception(
            "product-for-sum",
            variant(multiplied),
            "You multiply query and key number by number. What gave this kind of attention its "
            "name?",
        ),
        Misconception(
            "minus-for-sum",
            variant(minus),
            "You take the difference of the two projections. What gave this kind of attention its "
            "name?",
        ),
        Misconception(
            "relu-for-tanh",
            variant(score=lambda pairs, v: pairs.relu() @ v),
            "There is a bend between sum and vote, and it is that of a ReLU. Which function is "
            "asked for?",
        ),
        Misconception(
            "sigmoid-for-tanh",
            variant(score=lambda pairs, v: pairs.sigmoid() @ v),
            "There is a curve between sum and vote, and it runs from 0 to 1. Which function is "
            "asked for?",
        ),
        Misconception(
            "vote-forgotten",
            variant(score=lambda pairs, v: pairs.tanh().sum(dim=-1)),
            "All units of the network count alike. Which argument says how much each counts?",
        ),
        Misconception(
            "vote-averaged",
            variant(score=lambda pairs, v: pairs.tanh() @ v / len(v)),
            "Your scores are divided by the width of the network. Is there a mean in the formula?",
        ),
        Misconception(
            "scaled",
            variant(weigh=lambda scores, width: (scores / math.sqrt(width)).softmax(dim=-1)),
            "Your scores are divided by a square root. Which kind of score needs that? A tanh "
            "never leaves −1 … 1.",
        ),
        Misconception(
            "scaled-by-width-of-queries",
            lambda q, k, value, W_q, W_k, v: variant(
                weigh=lambda scores, width: (scores / math.sqrt(q.shape[-1])).softmax(dim=-1)
            )(q, k, value, W_q, W_k, v),
            "Your scores are divided by the square root of the queries' width, as dot products "
            "are. Is there a scale in this formula?",
        ),
        Misconception(
            "over-the-queries",
            variant(weigh=lambda scores, width: scores.softmax(dim=-2)),
            "Your columns of weights sum to one. Who shares out a whole, a key or a query?",
        ),
        Misconception(
            "over-the-batch",
            variant(weigh=lambda scores, width: scores.softmax(dim=0)),
            "Your weights sum to one down the batch. Do the sentences of a batch compete with each "
            "other?",
        ),
        Misconception(
            "softmax-before-the-vote",
            variant(
                score=lambda pairs, v: pairs.tanh().softmax(dim=-1) @ v,
                weigh=lambda scores, width: scores,
            ),
            "Your weights do not add up to one: your softmax runs over the units of the network. "
            "Who competes here, units or keys?",
        ),
        Misconception(
            "no-softmax",
            variant(weigh=lambda scores, width: scores),
            "You mix the values by the scores as they are. What should weights add up to?",
        ),
        Misconception(
            "pairs-transposed",
            variant(transposed),
            "Where there are as many queries as keys you get numbers, elsewhere an error. Which "
            "of the two counts the rows of your scores?",
        ),
        Misconception(
            "three-dimensions-only",
            variant(lambda q, k, W_q, W_k: (q @ W_q).unsqueeze(2) + (k @ W_k).unsqueeze(1)),
            "Right for one batch dimension. With none, or with batch and heads, it raises. Can an "
            "axis be counted from the end?",
        ),
        Misconception(
            "matrices-swapped",
            lambda q, k, value, W_q, W_k, v: additive_attention(q, k, value, W_k, W_q, v),
            "Where queries are as wide as keys you get numbers, elsewhere an error. Which matrix "
            "meets the keys?",
        ),
        Misconception(
            "queries-added-up",
            variant(summed_over_queries),
            "All queries of a sentence get the same weights: those of all queries added up. Which "
            "new axis keeps them apart?",
        ),
        Misconception(
            "dot-product",
            lambda q, k, value, W_q, W_k, v: attend(q @ W_q, k @ W_k, value),
            "This is scaled dot-product attention of the two projections. What stands in its place "
            "here?",
        ),
        Misconception(
            "dot-product-undivided",
            lambda q, k, value, W_q, W_k, v: scaled_by(lambda *sizes: 1.0)(q @ W_q, k @ W_k, value),
            "This is dot-product attention of the two projections, and v takes no part. What "
            "stands in its place here?",
        ),
        Misconception(
            "pair-swapped",
            lambda *given: additive_attention(*given)[::-1],
            "Both are right, and they come the wrong way round. Which is asked for first?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
