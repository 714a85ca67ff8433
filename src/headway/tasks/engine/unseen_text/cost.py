"""Measure how well a model predicts texts that it has not seen, in bits per byte.

The answer is a pair of functions: `fit(text, seed)` returns the model's numbers, a dictionary of
arrays, and `predict(numbers, seen)` returns the probabilities of the next byte. Each byte of a text
is revealed only after it was predicted. Its cost, −log₂ P, is computed here.

`fit` and `predict` run one after the other, each in a place of its own, and only the numbers pass
from one to the other. In grading a place is a session. In a notebook's check it is a namespace.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from headway.tasks.engine.probe.outcomes import Raised
from headway.tasks.engine.unseen_text.refusals import (
    FAR_FROM_ONE,
    FIT,
    PREDICT,
    Budget,
    Refused,
    probabilities,
    require_numbers,
)

TINY, MOST_BITS = 1e-9, 12  # bounds for the cost of the last seen byte, "late" below
SHARED = "shared state"
LEFT = "predict uses something that fit has left; in grading, it has nothing but the arrays."

# Asks a function of the answer: (FIT or PREDICT, *arguments) -> plain data.
Ask = Callable[..., Any]
# A new place for the function that it is given, FIT or PREDICT.
Place = Callable[[int], AbstractContextManager[Ask]]


class Stopped(Exception):  # noqa: N818 - an ending, and no error of the program
    """The answer's code raised an exception."""

    def __init__(self, outcome: Raised):
        super().__init__(outcome)
        self.outcome = outcome


def cost_of(
    place: Place, text: np.ndarray, seed: int, rows: np.ndarray, budget: Budget
) -> dict | None:
    """Compute the cost of a model's predictions.

    Args:
        text, seed: arguments of `fit`.
        rows: (B, T), texts to predict; the first byte of each is given.
        budget: the limits of the model.

    Returns:
        {"numbers": how many, "bits": float64 (B, T − 1), the cost of each byte, "last": the 10 %
        quantile of the probability that the next byte repeats the last seen byte, "late": the mean
        cost of such a repetition, "apart": the largest difference between two rows of a prediction,
        "shared": whether `predict` returns something else where `fit` has run, "steady": whether it
        returns the same for the first bytes when it is asked again}. None if `fit` returns None.

    Raises:
        Refused: if the model is not measured.
        Stopped: if one of the functions raises.
    """
    with place(FIT) as ask:
        numbers = ask(FIT, text.copy(), seed)
        if numbers is None:
            return None
        require_numbers(numbers, budget)
        there = _steady_prediction(ask, numbers, rows[:, :1])
    bits, last, apart = [], [], 0.0
    shared = there is not None  # until `predict` says the same in a place of its own
    every = np.arange(len(rows))
    with place(PREDICT) as ask:
        for T in range(1, rows.shape[1]):
            try:
                P = _prediction(ask, numbers, rows[:, :T])
            except (Refused, Stopped):
                if shared:
                    raise Refused(SHARED, LEFT) from None
                raise
            if T == 1:
                first, shared = P, shared and not _alike(there, P)
            with np.errstate(divide="ignore"):
                bits.append(-np.log2(P[every, rows[:, T]]))
            if not np.isfinite(bits[-1]).all():
                said = "a byte that occurs had probability 0, which costs infinitely many bits."
                raise Refused("impossible bytes", said)
            last.append(P[every, rows[:, T - 1]])
            apart = max(apart, float(np.ptp(P, axis=0).max()))
        again = _steady_prediction(ask, numbers, rows[:, :1])
    return {
        "numbers": sum(array.size for array in numbers.values()),
        "bits": np.stack(bits, axis=1),
        "last": float(np.quantile(last, 0.1)),
        "late": float(np.mean(np.minimum(-np.log2(np.maximum(last, TINY)), MOST_BITS))),
        "apart": apart,
        "shared": shared,
        "steady": again is not None and _alike(first, again),
    }


def _prediction(ask: Ask, numbers: dict[str, np.ndarray], seen: np.ndarray) -> np.ndarray:
    """The probabilities of the next byte; `predict` gets copies, which it may change."""
    copies = {name: array.copy() for name, array in numbers.items()}
    return probabilities(ask(PREDICT, copies, seen.copy()), len(seen))


def _steady_prediction(
    ask: Ask, numbers: dict[str, np.ndarray], seen: np.ndarray
) -> np.ndarray | None:
    """The prediction, if there is one that doesn't depend on chance."""
    try:
        one, other = (_prediction(ask, numbers, seen) for _ in range(2))
    except (Refused, Stopped):
        return None
    return one if _alike(one, other) else None


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    return np.allclose(one, other, atol=FAR_FROM_ONE)
