"""Build additive attention: scores from a small network."""

import numpy as np

from headway.tasks.chapters.attention.inputs import tensors
from headway.tasks.chapters.attention.mistakes import (
    KEYS_FOR_VALUES,
    MATRICES_MIXED_UP,
    NO_SOFTMAX,
    ONE_SHAPE_ONLY,
    OTHER_MIXTURE,
    OTHER_RESULTS_GIVEN,
    QUERIES_AND_KEYS_SWAPPED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    of_any_weights,
)
from headway.tasks.chapters.attention.telling import (
    Look,
    by,
    factor,
    look,
    mixture_alone_right,
    same_for_all_queries,
    scaled_otherwise,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, changed
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


def _parts(case: Case) -> tuple[np.ndarray, ...]:
    """What queries and keys bring to each unit, (..., T, 1, A) and (..., 1, S, A), and v."""
    query, key, _, W_q, W_k, v = (x.double().numpy() for x in case.inputs)
    return (query @ W_q)[..., :, None, :], (key @ W_k)[..., None, :, :], v


def looks(got, expected, case) -> list[Look]:
    query, key, value, *_ = (x.numpy() for x in case.inputs)
    a, b, v = _parts(case)
    return [look(*got, query, key, value, scores=np.tanh(a + b) @ v)]


def _scores_of(*scores):
    """Tell weights that are a softmax of other scores, however large, of (a, b, v)."""

    def shows(got, expected, case) -> bool:
        (it,) = looks(got, expected, case)
        others = (np.broadcast_to(each(*_parts(case)), it.scores.shape) for each in scores)
        return not scaled_otherwise(it) and any(
            factor(it._replace(scores=each), each) for each in others
        )

    return shows


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
        OTHER_RESULTS_GIVEN.by(
            changed(additive_attention, "weights @ value, weights", "weights, weights @ value"),
            shows=by(looks, mixture_alone_right),
        ),
        KEYS_FOR_VALUES.told(
            looks, changed(additive_attention, "weights @ value", "weights @ key")
        ),
        OTHER_MIXTURE.told(
            looks, changed(additive_attention, "weights @ value", "weights @ value.flip(-2)")
        ),
        Misconception(
            "scaled-like-dot-products",
            scored("pairs.tanh() @ v / len(v)"),
            "Your scores are those asked for, times or divided by a number. Is there a scale or a "
            "mean in this formula?",
            shows=by(looks, scaled_otherwise),
        ),
        Misconception(
            "tanh-misplaced",
            scored("pairs @ v"),
            "The tanh is missing, replaced by another curve, or given something else than asked. "
            "What should pass through it?",
            shows=_scores_of(
                lambda a, b, v: (a + b) @ v,
                lambda a, b, v: np.tanh((a + b) @ v),
                lambda a, b, v: np.tanh(np.tanh(a + b) @ v),
                lambda a, b, v: np.tanh((a + b) / np.sqrt(len(v))) @ v,
                lambda a, b, v: np.maximum(a + b, 0) @ v,
                lambda a, b, v: 1 / (1 + np.exp(-a - b)) @ v,
                lambda a, b, v: np.exp(a + b) @ v,
                lambda a, b, v: np.tanh((a + b) * v).sum(-1),
                lambda a, b, v: (np.tanh(a) + np.tanh(b)) @ v,
                lambda a, b, v: (a + np.tanh(b)) @ v,
                lambda a, b, v: (np.tanh(a) + b) @ v,
                lambda a, b, v: np.tanh(np.tanh(a) + np.tanh(b)) @ v,
            ),
        ),
        Misconception(
            "projections-not-added",
            scored(
                f"{OF_THE_PAGE} + {LATER}",
                OF_THE_PAGE.replace("mT", "permute(*reversed(range(key.dim())))"),
            ),
            "The two projections meet in a product or in a difference. What gave this kind of "
            "attention its name?",
            shows=_scores_of(
                lambda a, b, v: np.tanh(a * b) @ v,
                lambda a, b, v: np.tanh(a) * np.tanh(b) @ v,
                lambda a, b, v: a * b @ v,
                lambda a, b, v: (a * b).sum(-1),
                lambda a, b, v: np.tanh((a * b).sum(-1)),
                lambda a, b, v: np.tanh(a - b) @ v,
            ),
        ),
        Misconception(
            "vote-forgotten",
            scored("pairs.tanh().sum(dim=-1)"),
            "All units of the network count alike. Which argument says how much each counts?",
            shows=_scores_of(
                lambda a, b, v: np.tanh(a + b).sum(-1), lambda a, b, v: (a + b).sum(-1)
            ),
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.told(
            looks,
            changed(
                *scored("pairs.tanh().softmax(dim=-1) @ v"), "scores.softmax(dim=-1)", "scores"
            ),
        ),
        NO_SOFTMAX.told(looks, changed(additive_attention, "scores.softmax(dim=-1)", "scores")),
        QUERIES_AND_KEYS_SWAPPED.told(
            looks, paired("(query @ W_q).unsqueeze(-3) + (key @ W_k).unsqueeze(-2)")
        ),
        MATRICES_MIXED_UP.by(
            paired("(query @ W_k).unsqueeze(-2) + (key @ W_q).unsqueeze(-3)"),
        ),
        Misconception(
            "same-weights-for-all-queries",
            paired(
                "(query @ W_q).sum(dim=-2, keepdim=True).expand_as(query @ W_q).unsqueeze(-2)"
                " + (key @ W_k).unsqueeze(-3)"
            ),
            "All queries of a sentence get the same weights. What of each query comes into its "
            "scores, and which axis keeps queries apart?",
            shows=by(looks, same_for_all_queries),
        ),
        *of_any_weights(looks, additive_attention),
        ONE_SHAPE_ONLY.by(
            paired("(query @ W_q).unsqueeze(2) + (key @ W_k).unsqueeze(1)"),
            only_at=(
                "queries as wide as keys",
                "all sizes equal",
                "no batch",
                "batch and heads",
                "one query, one key",
                "a network of width one",
            ),
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
