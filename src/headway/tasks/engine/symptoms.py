"""Mistakes of any task that shows in the form of a value: its shape, its size, its order.

They are the last to be named, since they tell what came out and not how. A task that asks for a
value itself (*predict*) has none of them, since they would tell the right value.
"""

from typing import Any

import numpy as np

from headway.tasks.engine.mistakes import Misconception, seen
from headway.tasks.engine.task import Task

NEAR = {"rtol": 1e-4, "atol": 1e-7}


def symptoms_of(task: Task) -> tuple[Misconception, ...]:
    """The symptoms that may be named for a task."""
    return () if task.secret else (STOPS,) if task.kind == "train" else (*SYMPTOMS, STOPS)


def _parts(value: Any) -> list[np.ndarray]:
    """The arrays of numbers of a value, which may be one, a number, or a list or dict of them."""
    if isinstance(value, dict):
        return [part for item in value.values() for part in _parts(item)]
    if isinstance(value, list) and not _is_array(value):
        return [part for item in value for part in _parts(item)]
    return [np.asarray(value)]


def _is_array(value: list) -> bool:
    try:
        return np.asarray(value).dtype.kind in "biuf"
    except ValueError:
        return False


def _pairs(got: Any, expected: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """The parts that differ, of two values with as many parts of the same shapes; else none."""
    mine, right = _parts(got), _parts(expected)
    if [part.shape for part in mine] != [part.shape for part in right]:
        return []
    if not all(part.dtype.kind in "biuf" for part in (*mine, *right)):
        return []
    both = zip(mine, right, strict=True)
    return [(a, b) for a, b in both if not np.allclose(a, b, equal_nan=True, **NEAR)]


def _transposed(got, expected, case) -> bool:
    return any(
        a.ndim >= 2 and a.shape == b.mT.shape and np.allclose(a, b.mT, **NEAR)
        for a, b in zip(_parts(got), _parts(expected), strict=True)
        if a.shape != b.shape or not np.allclose(a, b, **NEAR)
    )


def _other_shape(got, expected, case) -> bool:
    mine, right = _parts(got), _parts(expected)
    return [part.shape for part in mine] != [part.shape for part in right]


def _not_finite(got, expected, case) -> bool:
    return any((~np.isfinite(a) & np.isfinite(b)).any() for a, b in _pairs(got, expected))


def _factor(got, expected, case) -> bool:
    ratios = [_ratio(a, b) for a, b in _pairs(got, expected)]
    return bool(ratios) and all(ratio is not None for ratio in ratios)


def _ratio(a: np.ndarray, b: np.ndarray) -> float | None:
    """The number that all of `b` were multiplied by to get `a`; None if there is no such."""
    if a.size < 3 or a.dtype.kind == "b" or not b.any():
        return None
    ratio = float((a * b).sum() / (b * b).sum())
    return ratio if ratio and np.allclose(a, ratio * b, **NEAR) else None


def _added(got, expected, case) -> bool:
    pairs = _pairs(got, expected)
    return bool(pairs) and all(
        a.size >= 3 and a.dtype.kind != "b" and np.ptp(a - b) < 1e-4 * abs(a - b).max()
        for a, b in pairs
    )


def _reordered(got, expected, case) -> bool:
    pairs = _pairs(got, expected)
    return bool(pairs) and all(
        a.size >= 3 and a.dtype.kind != "b" and np.allclose(np.sort(a.ravel()), np.sort(b.ravel()))
        for a, b in pairs
    )


def _flags(got, expected) -> list[tuple[np.ndarray, np.ndarray]]:
    pairs = _pairs(got, expected)
    return pairs if all(b.dtype.kind == "b" for _, b in pairs) else []


def _too_much_allowed(got, expected, case) -> bool:
    pairs = _flags(got, expected)
    return bool(pairs) and all((a.astype(bool) | ~b).all() for a, b in pairs)


def _too_little_allowed(got, expected, case) -> bool:
    pairs = _flags(got, expected)
    return bool(pairs) and all((~a.astype(bool) | b).all() for a, b in pairs)


SYMPTOMS = (
    seen(
        "transposed",
        "Your numbers are right, but rows stand where columns should. Which axis comes first?",
        _transposed,
    ),
    seen(
        "another-shape",
        "What you return has another form than what is asked for: more or fewer parts, axes or "
        "items. What does each axis of the result stand for?",
        _other_shape,
    ),
    seen(
        "not-finite",
        "There is NaN or infinity where a number is asked for. Which step divides by zero, or "
        "takes the exponential of a large number or the logarithm of 0?",
        _not_finite,
    ),
    seen(
        "off-by-a-factor",
        "All your numbers are off by one and the same factor. What did you divide or multiply by, "
        "or not?",
        _factor,
    ),
    seen(
        "off-by-a-constant",
        "All your numbers are off by one and the same amount. What is added once too often, or not "
        "at all?",
        _added,
    ),
    seen(
        "in-another-order",
        "Your numbers are those asked for, in other places. What decides their order?",
        _reordered,
    ),
    seen(
        "too-much-allowed",
        "What should be marked is, and more. Which of yours should not be, and what rules it out?",
        _too_much_allowed,
    ),
    seen(
        "too-little-allowed",
        "What you mark is right, but not all that should be. Which are missing, and what do they "
        "have in common?",
        _too_little_allowed,
    ),
)
STOPS = seen(
    "stops-with-an-exception",
    "Your code stops with an exception where the task asks for a result. What is special about "
    "what it was given there: its size, its shape, or that something is missing?",
)
