"""Build the causal mask, also for the newest words of a longer text."""

import numpy as np
import torch

from headway.tasks.chapters.attention.mistakes import (
    EDGE_OFF_BY_ONE,
    FUTURE_VISIBLE,
    MASK_INVERTED,
    MASK_OF_NUMBERS,
    PREFIX_LEFT_OUT_OF_THE_MASK,
    QUERIES_AND_KEYS_SWAPPED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def causal_mask(T, S):
    """(T, S), True where s ≤ S − T + t: the queries are the last T of S positions."""
    query, key = torch.arange(S - T, S)[:, None], torch.arange(S)
    return key <= query


def causal_cases(rng: np.random.Generator) -> list[Case]:
    T = int(rng.integers(3, 12))
    more = int(rng.integers(2, 12))
    return [
        Case("a whole sentence", T + 1, T + 1, core=True),
        Case("some words after a prefix that was seen", T, T + more, core=True),
        Case("two words after a long prefix", 2, 9),
        Case("one new word", 1, 6),
        Case("a single word", 1, 1),
        Case("two words", 2, 2),
    ]


causal = Task(
    id="08-attention/causal",
    title="Nobody sees what comes later",
    kind="build",
    points=1,
    minutes=8,
    answer="causal_mask",
    cases=causal_cases,
    reference=causal_mask,
    misconceptions=(
        EDGE_OFF_BY_ONE.by(changed(causal_mask, "key <= query", "key < query", "key - 1 <= query")),
        PREFIX_LEFT_OUT_OF_THE_MASK.by(
            changed(
                causal_mask,
                "torch.arange(S - T, S)",
                "torch.arange(T)",
                "torch.arange(T - S, 2 * T - S)",
            ),
            changed(causal_mask, "key <= query", "(key <= query) & (key >= S - T)"),
            lambda T, S: causal_mask(T, T),
            lambda T, S: causal_mask(S, S),
        ),
        Misconception(
            "only-the-prefix-seen",
            changed(causal_mask, "key <= query", "(key < S - T) | (key == query)"),
            "Each query sees the prefix and itself, and no word between. Are those later?",
        ),
        MASK_INVERTED.by(
            changed(
                causal_mask, "key <= query", "key > query", "key > query - (S - T)", "key >= query"
            ),
            lambda T, S: ~causal_mask(T, T),
            lambda T, S: ~causal_mask(S, S),
        ),
        FUTURE_VISIBLE.by(
            changed(causal_mask, "key <= query", "torch.ones(T, S) > 0", "key <= query + T")
        ),
        QUERIES_AND_KEYS_SWAPPED.by(changed(causal_mask, "key <= query", "(key <= query).mT")),
        MASK_OF_NUMBERS.by(
            changed(
                causal_mask,
                "key <= query",
                "(key <= query).float()",
                "torch.where(key <= query, 0.0, -torch.inf)",
                "torch.where(key <= query, 1.0, -torch.inf)",
            )
        ),
    ),
    compare=equal(same_kind=True),
    alike=equal(),
)
