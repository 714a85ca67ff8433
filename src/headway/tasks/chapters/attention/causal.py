"""Build the causal mask, also for the newest words of a longer text."""

import numpy as np
import torch

from headway.tasks.chapters.attention.mistakes import (
    EDGE_OFF_BY_ONE,
    FUTURE_VISIBLE,
    MASK_INVERTED,
    MASK_OF_NUMBERS,
    ONE_SHAPE_ONLY,
    PREFIX_LEFT_OUT_OF_THE_MASK,
    QUERIES_AND_KEYS_SWAPPED,
    SEEN_WITHOUT_WEIGHT,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import changed, either
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


def marked(got, expected) -> np.ndarray:
    """What a mask marks as visible: True, 1 or another number than 0 and −∞.

    Raises:
        ValueError: if it has another shape than the right mask.
    """
    mask = np.asarray(got)
    if mask.shape != expected.shape:
        raise ValueError("another shape")
    return mask != 0


def of_numbers(got, expected, case) -> bool:
    """Whether the right places are marked by numbers, or the others by −∞."""
    mask = np.asarray(got, dtype=float)
    return mask.dtype != bool and any(
        np.array_equal(each, expected) for each in (mask != 0, mask == 0, np.isfinite(mask))
    )


def swapped(got, expected, case) -> bool:
    mask = np.asarray(got)
    return mask.shape == expected.mT.shape and np.array_equal(mask != 0, expected.mT)


def square(got, expected, case) -> bool:
    """Whether there are as many rows as columns where there should be fewer."""
    T, S = expected.shape
    return np.shape(got) in ((T, T), (S, S)) and T != S


def inverted(got, expected, case) -> bool:
    """Whether what should be hidden is marked, and at most each word itself besides."""
    mask, (T, S) = marked(got, expected), expected.shape
    itself = np.eye(T, S, S - T, dtype=bool)
    return bool((mask & ~expected).any()) and not (mask & expected & ~itself).any()


def sees_the_future(got, expected, case) -> bool:
    T, S = expected.shape
    return bool((marked(got, expected) & ~causal_mask(T, S).numpy()).any())


def lacks_the_prefix(got, expected, case) -> bool:
    """Whether no query sees anything of what came before the first query."""
    mask, (T, S) = marked(got, expected), expected.shape
    before = expected[:, : S - T]
    return bool(before.any()) and not mask[:, : S - T].any()


def lacks_something(got, expected, case) -> bool:
    return not (marked(got, expected) & ~expected).any()


def as_without_prefix(got, expected, case) -> bool:
    """Whether this is the causal mask of texts without a prefix, or with one on the wrong side."""
    mask, (T, S) = marked(got, expected), expected.shape
    return T < S and any(np.array_equal(mask, np.tri(T, S, k)) for k in (0, T - S))


def one_off(got, expected, case) -> bool:
    mask, (T, S) = marked(got, expected), expected.shape
    return any(np.array_equal(mask, np.tri(T, S, S - T + k)) for k in (-1, 1))


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
        MASK_OF_NUMBERS.by(
            changed(causal_mask, "key <= query", "(key <= query).float()"), shows=of_numbers
        ),
        EDGE_OFF_BY_ONE.by(changed(causal_mask, "key <= query", "key < query"), shows=one_off),
        PREFIX_LEFT_OUT_OF_THE_MASK.by(
            changed(causal_mask, "torch.arange(S - T, S)", "torch.arange(T)"),
            shows=either(square, as_without_prefix, lacks_the_prefix),
            only_at=("two words after a long prefix", "one new word"),
        ),
        MASK_INVERTED.by(
            changed(causal_mask, "key <= query", "key > query", "key > query - (S - T)"),
            lambda T, S: ~causal_mask(T, T),
            shows=inverted,
        ),
        QUERIES_AND_KEYS_SWAPPED.by(
            changed(causal_mask, "key <= query", "(key <= query).mT"), shows=swapped
        ),
        FUTURE_VISIBLE.by(
            changed(causal_mask, "key <= query", "torch.ones(T, S) > 0"), shows=sees_the_future
        ),
        SEEN_WITHOUT_WEIGHT.by(
            changed(causal_mask, "key <= query", "(key < S - T) | (key == query)"),
            shows=lacks_something,
        ),
        ONE_SHAPE_ONLY.by(only_at=("a single word", "two words")),
    ),
    compare=equal(same_kind=True),
    alike=equal(),
)
