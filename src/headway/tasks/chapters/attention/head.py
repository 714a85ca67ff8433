"""Train: one head of attention, from what asks and what is asked to the mixture."""

import math

import numpy as np

from headway.tasks.chapters.attention.steps import attend, tensors
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def head(x, memory, W_Q, W_K, W_V):
    """softmax(x W_Q (memory W_K)ᵀ / √D) memory W_V."""
    return mixed(x @ W_Q, memory @ W_K, memory @ W_V)


def mixed(query, key, value, scale=None, dim=-1):
    scores = query @ key.mT / (math.sqrt(query.shape[-1]) if scale is None else scale)
    return scores.softmax(dim=dim) @ value


def head_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, S, C, D, E):
        return tensors(rng, (B, T, C), (B, S, C), (C, D), (C, D), (C, E), size=0.8)

    x, memory, *weights = draw(2, 4, 4, 3, 2, 5)
    return [
        Case("three ask five", *draw(2, 3, 5, 6, 4, 2), core=True),
        Case("four ask two", *draw(3, 4, 2, 3, 2, 5), core=True),
        Case("as many ask as are asked", x, memory, *weights),
        Case("a sentence asks itself", x.clone(), x.clone(), *(w.clone() for w in weights)),
        Case("all sizes equal", *draw(3, 3, 3, 3, 3, 3)),
        Case("one asks six", *draw(2, 1, 6, 4, 4, 4)),
    ]


head_task = Task(
    id="08-attention/head",
    title="One head",
    kind="train",
    points=2,
    minutes=10,
    answer="head",
    cases=head_cases,
    reference=head,
    misconceptions=(
        Misconception(
            "values-from-the-query",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, m @ W_K, x @ W_V),
            "Right where a sentence asks itself; with other lengths it raises. Each key names a "
            "value: where must both come from?",
        ),
        Misconception(
            "keys-from-the-query",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, x @ W_K, m @ W_V),
            "Right where a sentence asks itself; with other lengths it raises. Whose keys does a "
            "query meet?",
        ),
        Misconception(
            "memory-ignored",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, x @ W_K, x @ W_V),
            "Right where a sentence asks itself. The memory makes no difference: which two of the "
            "three come from it?",
        ),
        Misconception(
            "all-from-memory",
            lambda x, m, W_Q, W_K, W_V: mixed(m @ W_Q, m @ W_K, m @ W_V),
            "Right where a sentence asks itself. Your result has a row for each word of the "
            "memory: who asks?",
        ),
        Misconception(
            "roles-swapped",
            lambda x, m, W_Q, W_K, W_V: mixed(m @ W_Q, x @ W_K, x @ W_V),
            "Right where a sentence asks itself. Your result has a row for each word of the "
            "memory: who asks, and who is asked?",
        ),
        Misconception(
            "no-scale",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, m @ W_K, m @ W_V, 1.0),
            "Your weights are too sharp. Which step between dot products and softmax is missing?",
        ),
        Misconception(
            "scaled-by-model-width",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, m @ W_K, m @ W_V, math.sqrt(x.shape[-1])),
            "Right where a query is as wide as the word it was made from. Of how many numbers is a "
            "query made after the projection?",
        ),
        Misconception(
            "scaled-twice",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, m @ W_K, m @ W_V, W_Q.shape[1]),
            "Your scores are divided by the width. If your attention divides by its square root, "
            "who else does?",
        ),
        Misconception(
            "matrices-transposed",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q.mT, m @ W_K.mT, m @ W_V.mT),
            "Where all sizes are equal you get numbers, elsewhere an error. Which axis of a matrix "
            "meets the words?",
        ),
        Misconception(
            "query-and-key-matrices-swapped",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_K, m @ W_Q, m @ W_V),
            "All shapes are right. Which matrix makes the questions, and which the labels?",
        ),
        Misconception(
            "key-and-value-matrices-swapped",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, m @ W_V, m @ W_K),
            "Where keys are as wide as values you get numbers, elsewhere an error. Which matrix "
            "makes what is handed out?",
        ),
        Misconception(
            "values-not-projected",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, m @ W_K, m),
            "Your result is as wide as a word that came in: you mix the words themselves. What is "
            "made of them first?",
        ),
        Misconception(
            "over-the-queries",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, m @ W_K, m @ W_V, dim=-2),
            "Where a single word asks, you get the sum of all values. Along which axis do the "
            "weights of one query lie?",
        ),
        Misconception(
            "not-projected",
            lambda x, m, W_Q, W_K, W_V: mixed(x, m, m),
            "You let the words themselves ask and be asked. What do the three matrices do to them "
            "first?",
        ),
        Misconception(
            "query-matrix-for-keys",
            lambda x, m, W_Q, W_K, W_V: mixed(x @ W_Q, m @ W_Q, m @ W_V),
            "All shapes are right. One matrix makes both the questions and the labels: which one "
            "have you not used?",
        ),
        Misconception(
            "weights-returned-too",
            lambda x, m, W_Q, W_K, W_V: attend(x @ W_Q, m @ W_K, m @ W_V),
            "The mixture is right. You return the weights as well: which of the two does the "
            "docstring ask for?",
        ),
        Misconception(
            "weights-for-mixture",
            lambda x, m, W_Q, W_K, W_V: (x @ W_Q @ (m @ W_K).mT / math.sqrt(W_Q.shape[1])).softmax(
                dim=-1
            ),
            "These are the weights, and they are right. What is asked for is what they mix.",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
