"""Measure how well a model predicts texts that it has not seen, in bits per byte.

The answer is a pair of functions: `fit(text, seed)` returns the model's numbers, a dictionary of
arrays, and `predict(numbers, seen)` returns the probabilities of the next byte. Each byte of a text
is revealed only after it was predicted. Its cost, −log₂ P, is computed here.

In grading and in a notebook's check, the answer's cell runs alone, in a separate place for each
function. Only numbers pass between the places, and the cost is computed where the texts are
(`headway.tasks.engine.own_cell`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from headway.tasks.engine.probe.outcomes import Outcome, Raised, Returned
from headway.tasks.engine.task import Case
from headway.tasks.engine.value_size import FREE, TIMES

BYTES = 256
FIT, PREDICT = 0, 1
NAME_OF = ("fit", "predict")
TINY, MOST_BITS = 1e-9, 12  # bounds for the cost of the last seen byte, "late" below
FAR_FROM_ONE = 1e-3  # tolerance for the sum of a row's probabilities
CELL_SECONDS = 5  # of processor time, for running the cell itself
WITH_SLEEP = 4  # times the processor time of a session: what it may compute and sleep together
BESIDE = (1, 2, 4, 8, 16)  # lengths at which `predict` is also called where `fit` has run
Call = Callable[..., Any]  # (index of a function, *arguments) -> its result


@dataclass(frozen=True)
class Budget:
    """The limits of a model.

    Attributes:
        bytes: most bytes of the model, as `size_of` counts them.
        seconds: processor time for `fit`, and again for all calls of `predict` together.
        characters: length of the answer's cell, in bytes of UTF-8.
    """

    bytes: int
    seconds: float
    characters: int

    @property
    def of_session(self) -> float:
        """Processor seconds for running the cell and one of its functions."""
        return self.seconds + CELL_SECONDS

    @property
    def with_sleep(self) -> float:
        """Seconds for the same, if it sleeps."""
        return WITH_SLEEP * self.of_session


class Stopped(Exception):  # noqa: N818 - an ending, and no error of the program
    """A function of the answer returned no value; the outcome says why."""

    def __init__(self, outcome: Outcome):
        super().__init__(outcome)
        self.outcome = outcome


class Refused(NamedTuple):
    """Why a model was not measured.

    Attributes:
        kind: a few words, the same for all refusals with the same reason.
        message: a sentence for the student.
    """

    kind: str
    message: str


def too_slow(place: int, budget: Budget) -> Returned:
    """The outcome of a function that takes too long."""
    name, limit = NAME_OF[place], f"the {budget.seconds:g} seconds of a processor"
    return Returned({"refused": ["too slow", f"{name} needs more than {limit} that it may have."]})


def asleep(place: int, budget: Budget) -> Returned:
    """The outcome of a function that sleeps too long."""
    said = f"{NAME_OF[place]} took {budget.with_sleep:g} seconds, most of them asleep."
    return Returned({"refused": ["asleep", said]})


def most_of(case: Case) -> int:
    """The largest allowed size of a value of `fit` or `predict` (see `value_size`)."""
    *_, rows, budget = case.inputs
    return FREE + TIMES * max(budget.bytes, BYTES * len(rows))


def is_refused(outcome: Outcome) -> bool:
    """Whether the model was not measured."""
    return isinstance(outcome, Raised) or not outcome.value or "refused" in outcome.value


def cost_of(
    call: Call,
    text: np.ndarray,
    seed: int,
    rows: np.ndarray,
    budget: Budget,
    predict_after_fit: Call | None = None,
) -> dict | None:
    """Compute the cost of a model's predictions, or say why they are refused.

    Args:
        call: calls one of the answer's two functions, and returns plain data.
        text, seed: arguments of `fit`.
        rows: (B, T), texts to predict; the first byte of each is given.
        budget: the limits of the model.
        predict_after_fit: calls `predict` in the place where `fit` has run, to explain a failure;
            None if that is not possible.

    Returns:
        {"refused": [kind, message]}, or {"numbers": how many, "bits": float64 (B, T − 1), the cost
        of each byte, "last": the 10 % quantile of the probability that the next byte repeats the
        last seen byte, "late": the mean cost of such a repetition, "apart": the largest difference
        between two rows of a prediction, "shared": whether `predict` returns something else where
        `fit` has run}. None if `fit` returns None.

    Raises:
        Stopped: as `call` does.
    """
    numbers = call(FIT, text.copy(), seed)
    if numbers is None:
        return None
    if refused := fault_of_numbers(numbers, budget):
        return {"refused": list(refused)}
    bits, last, apart, shared = [], [], 0.0, False
    every = np.arange(len(rows))
    for T in range(1, rows.shape[1]):
        seen = rows[:, :T]
        asked = predict_after_fit if T in BESIDE and not shared else None
        try:
            P = call(PREDICT, copied(numbers), seen.copy())
        except Stopped:
            if asked and depends_on_fit(asked, numbers, seen, None):
                return {"refused": list(SHARED)}
            raise
        shared = shared or (asked is not None and depends_on_fit(asked, numbers, seen, P))
        if refused := fault_of_probabilities(P, len(rows)):
            return {"refused": list(SHARED if shared else refused)}
        P = P.astype(np.float64)
        P /= P.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            bits.append(-np.log2(P[every, rows[:, T]]))
        if not np.isfinite(bits[-1]).all():
            return {"refused": list(IMPOSSIBLE)}
        last.append(P[every, rows[:, T - 1]])
        apart = max(apart, float(np.ptp(P, axis=0).max()))
    count = sum(array.size for array in numbers.values())
    return {
        "numbers": count,
        "bits": np.stack(bits, axis=1),
        "last": float(np.quantile(last, 0.1)),
        "late": float(np.mean(np.minimum(-np.log2(np.maximum(last, TINY)), MOST_BITS))),
        "apart": apart,
        "shared": shared,
    }


def copied(numbers: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """A copy of the model's numbers, which `predict` may change."""
    return {name: array.copy() for name, array in numbers.items()}


def depends_on_fit(
    predict_after_fit: Call, numbers: dict[str, np.ndarray], seen: np.ndarray, P: Any
) -> bool:
    """Whether `predict` works where `fit` has run, but returns something else in its own place.

    Args:
        P: the value in its own place; None if there is none.
    """
    try:
        first, second = (predict_after_fit(copied(numbers), seen.copy()) for _ in range(2))
    except Stopped:
        return False
    if any(fault_of_probabilities(there, len(seen)) for there in (first, second)):
        return False
    if not np.allclose(first, second, atol=FAR_FROM_ONE):  # random, so not because of `fit`
        return False
    elsewhere = fault_of_probabilities(P, len(seen)) is None
    return not elsewhere or not np.allclose(first, P, atol=FAR_FROM_ONE)


NO_ARRAYS = "no dictionary of arrays"
NAMES = "names of arrays"
TOO_LARGE = "too large a model"
NOT_FINITE = "numbers that are not finite"
EVERY_PLACE = "a prediction for every place"
SHAPE = "another shape"
LOGARITHMS = "logarithms"
NO_PROBABILITIES = "no probabilities"
ACROSS = "sums over the texts"
SUMS = "sums that are not one"
SHARED = Refused(
    "shared state",
    "predict uses something that only fit's process has; in grading, predict runs in a process "
    "of its own.",
)
IMPOSSIBLE = Refused(
    "impossible bytes",
    "a byte that occurs had probability 0, which costs infinitely many bits.",
)
MOST_ARRAYS, LONGEST_NAME, AXIS_BYTES = 200, 64, 8
KINDS = ("float16", "float32")
NAME = re.compile(rf"[A-Za-z0-9_. -]{{1,{LONGEST_NAME}}}")


def fault_of_numbers(numbers: Any, budget: Budget) -> Refused | None:
    """The refusal of a value of `fit`; None if it is fine."""
    if not isinstance(numbers, dict) or not all(
        isinstance(array, np.ndarray) and array.dtype in KINDS for array in numbers.values()
    ):
        return Refused(
            NO_ARRAYS,
            f"fit is asked for a dictionary of float16 or float32 arrays{_but_got(numbers)}.",
        )
    if len(numbers) > MOST_ARRAYS:
        given = f"fit gives {len(numbers):,} arrays"
        return Refused(NAMES, f"{given}, and {MOST_ARRAYS} are allowed.")
    for name in numbers:
        if not NAME.fullmatch(name):
            allowed = f"at most {LONGEST_NAME} of A to Z, a to z, 0 to 9 and _ . - or a blank"
            return Refused(NAMES, f"an array is named {name[:LONGEST_NAME]!a}: {allowed}.")
    if (size := size_of(numbers)) > budget.bytes:
        allowed = f"{budget.bytes:,} are allowed"
        return Refused(TOO_LARGE, f"the model takes {size:,} bytes, and {allowed}.")
    if not all(array.size and np.isfinite(array).all() for array in numbers.values()):
        return Refused(
            NOT_FINITE, "an array of the model is empty, or has a NaN or infinity in it."
        )
    return None


def size_of(numbers: dict[str, np.ndarray]) -> int:
    """How many bytes a model takes.

    A float16 takes two and a float32 four, whatever is packed into it. Names and shapes could carry
    something, too, so a letter of a name takes one byte, and an axis `AXIS_BYTES`.
    """
    around = (len(name) + AXIS_BYTES * array.ndim for name, array in numbers.items())
    return sum(array.nbytes for array in numbers.values()) + sum(around)


def _but_got(numbers: Any) -> str:
    if not isinstance(numbers, dict):
        return f"; got {type(numbers).__name__}"
    for name, array in numbers.items():
        if not isinstance(array, np.ndarray):
            return f" of one axis or more; {name[:LONGEST_NAME]!r} is {type(array).__name__}"
        if array.dtype not in KINDS:
            return f"; {name[:LONGEST_NAME]!r} is {array.dtype}"
    return ""


def fault_of_probabilities(P: Any, B: int) -> Refused | None:
    """The refusal of a value of `predict` for B texts; None if it is fine."""
    if not isinstance(P, np.ndarray) or P.shape != (B, BYTES) or P.dtype.kind != "f":
        shape = P.shape if isinstance(P, np.ndarray) else None
        kind = EVERY_PLACE if shape and len(shape) == 3 and shape[0] == B else SHAPE
        got = f"shape {shape} of {P.dtype}" if shape else type(P).__name__
        asked = f"probabilities of shape ({B}, {BYTES}), a row for each text"
        return Refused(kind, f"predict is asked for {asked}; got {got}.")
    P = P.astype(np.float64)
    if not np.isfinite(P).all():
        return Refused(NO_PROBABILITIES, "predict gives NaN or an infinite number.")
    if P.min() < 0:
        kind = NO_PROBABILITIES if P.max() > 0 else LOGARITHMS
        return Refused(kind, f"predict gives {P.min():.3g}, which is below 0.")
    sums = P.sum(axis=1)
    off = sums[np.abs(sums - 1).argmax()]
    if abs(off - 1) > FAR_FROM_ONE:
        columns = P.sum(axis=0)[P.any(axis=0)]
        across = B > 1 and len(columns) and np.allclose(columns, 1, atol=FAR_FROM_ONE)
        said = f"the probabilities of a row sum to {off:.4g}; expected 1."
        return Refused(ACROSS if across else SUMS, said)
    return None
