"""Build additive attention: scores from a small network."""

import numpy as np

from headway.tasks.chapters.attention.inputs import tensors
from headway.tasks.chapters.attention.mistakes import (
    KEYS_FOR_VALUES,
    MATRICES_MIXED_UP,
    NO_SOFTMAX,
    ONE_SHAPE_ONLY,
    OTHER_RESULTS_GIVEN,
    QUERIES_AND_KEYS_SWAPPED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def additive_attention(query, key, value, W_q, W_k, v):
    """softmax(vᵀ tanh(q W_q + k W_k)) V, and the weights."""
    pairs = (query @ W_q).unsqueeze(-2) + (key @ W_k).unsqueeze(-3)  # (..., T, S, A)
    scores = pairs.tanh() @ v
    weights = scores.softmax(dim=-1)
    return weights @ value, weights


def additive_cases(rng: np.random.Generator) -> list[Case]:
    def draw(batch, T, S, D_q, D_k, E, A):
        here = tensors(rng, (*batch, T, D_q), (*batch, S, D_k), (*batch, S, E))
        return *here, *tensors(rng, (D_q, A), (D_k, A)), *tensors(rng, (A,), size=2.0)

    return [
        Case("keys wider than queries", *draw((2,), 3, 5, 2, 4, 3, 6), core=True),
        Case("queries as wide as keys", *draw((3,), 4, 2, 3, 3, 2, 5)),
        Case("all sizes equal", *draw((3,), 3, 3, 3, 3, 3, 3)),
        Case("no batch", *draw((), 2, 4, 3, 2, 1, 4)),
        Case("batch and heads", *draw((2, 2), 2, 3, 2, 2, 2, 3)),
        Case("one query, one key", *draw((1,), 1, 1, 3, 2, 4, 2)),
        Case("a network of width one", *draw((2,), 2, 4, 2, 3, 2, 1)),
    ]


def paired(*pairs: str) -> AnyOf:
    """Queries and keys that meet in another way."""
    right = "(query @ W_q).unsqueeze(-2) + (key @ W_k).unsqueeze(-3)"
    return changed(additive_attention, right, *pairs)


def scored(*scores: str) -> AnyOf:
    """Pairs that become scores in another way."""
    return changed(additive_attention, "pairs.tanh() @ v", *scores)


LATER = "pairs.new_full(pairs.shape[-3:-1], float('-inf')).triu(1)"
OF_THE_PAGE = "(query @ W_q) @ (key @ W_k).mT / len(v) ** 0.5"
tanh_each = paired("(query @ W_q).tanh().unsqueeze(-2) + (key @ W_k).tanh().unsqueeze(-3)")

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
            "tanh-misplaced",
            any_of(
                scored("pairs @ v", "(pairs @ v).tanh()"),
                scored("pairs.relu() @ v", "pairs.sigmoid() @ v"),
                changed(*tanh_each, "pairs.tanh() @ v", "pairs @ v"),
            ),
            "The tanh is missing, replaced by another curve, or given something else than asked. "
            "What should pass through it?",
        ),
        Misconception(
            "projections-not-added",
            any_of(
                paired(
                    "(query @ W_q).unsqueeze(-2) * (key @ W_k).unsqueeze(-3)",
                    "(query @ W_q).unsqueeze(-2) - (key @ W_k).unsqueeze(-3)",
                ),
                scored(
                    "(query @ W_q) @ (key @ W_k).mT",
                    OF_THE_PAGE,
                    f"{OF_THE_PAGE} + {LATER}",
                    OF_THE_PAGE.replace("mT", "permute(*reversed(range(key.dim())))"),
                ),
            ),
            "The two projections meet in a product or in a difference. What gave this kind of "
            "attention its name?",
        ),
        Misconception(
            "vote-forgotten",
            scored("pairs.tanh().sum(dim=-1)"),
            "All units of the network count alike. Which argument says how much each counts?",
        ),
        Misconception(
            "scaled-like-dot-products",
            scored(
                "pairs.tanh() @ v / len(v)",
                "pairs.tanh() @ v / len(v) ** 0.5",
                "pairs.tanh() @ v / query.shape[-1] ** 0.5",
            ),
            "You divide your scores by a width or by its root. Is there a scale or a mean in this "
            "formula?",
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(
            changed(
                additive_attention,
                "scores.softmax(dim=-1)",
                "scores.softmax(dim=-2)",
                "scores.softmax(dim=0)",
                "scores.softmax(dim=1)",
            ),
            changed(
                *scored("pairs.tanh().softmax(dim=-1) @ v"), "scores.softmax(dim=-1)", "scores"
            ),
        ),
        NO_SOFTMAX.by(changed(additive_attention, "scores.softmax(dim=-1)", "scores")),
        QUERIES_AND_KEYS_SWAPPED.by(
            paired("(query @ W_q).unsqueeze(-3) + (key @ W_k).unsqueeze(-2)")
        ),
        ONE_SHAPE_ONLY.by(paired("(query @ W_q).unsqueeze(2) + (key @ W_k).unsqueeze(1)")),
        MATRICES_MIXED_UP.by(paired("(query @ W_k).unsqueeze(-2) + (key @ W_q).unsqueeze(-3)")),
        Misconception(
            "queries-added-up",
            paired(
                "(query @ W_q).sum(dim=-2, keepdim=True).expand_as(query @ W_q).unsqueeze(-2)"
                " + (key @ W_k).unsqueeze(-3)"
            ),
            "All queries of a sentence get the same weights: those of all queries added up. Which "
            "new axis keeps them apart?",
        ),
        KEYS_FOR_VALUES.by(changed(additive_attention, "weights @ value", "weights @ key")),
        OTHER_RESULTS_GIVEN.by(
            changed(additive_attention, "weights @ value, weights", "weights, weights @ value")
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
