"""What the predictions of a model cost, of texts that it has not seen.

The answer is two functions: `fit(text, seed)` gives the model's numbers, a dictionary of arrays,
and `predict(numbers, seen)` the probabilities of the byte that comes next. Texts are revealed byte
by byte: each byte only after it was predicted. What the true bytes cost, −log₂ P, is counted here.

Where it is graded, and where a notebook's own check runs it, the cell of the answer runs alone, in
one place for each function: only numbers cross, and what they cost is computed where the texts are
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
TINY, MOST_BITS = 1e-9, 12  # of a byte that was not expected again
FAR_FROM_ONE = 1e-3  # how far from one the probabilities of a row may sum
CELL_SECONDS = 5  # of a processor, for what the cell itself does
# How many times its processor time a session may take by the clock, where others are at work.
WALL_TIME_FACTOR = 4
BESIDE = (1, 2, 4, 8, 16)  # lengths at which `predict` is asked once more, where `fit` has run
Call = Callable[..., Any]  # of the place of a function and its arguments


@dataclass(frozen=True)
class Budget:
    """What a model may need.

    Attributes:
        numbers: that it consists of.
        seconds: of a processor, for `fit` and for all of `predict`, each.
        characters: of the cell that makes the answer; one that is not ASCII counts as its bytes.
    """

    numbers: int
    seconds: float
    characters: int

    @property
    def of_session(self) -> float:
        """Seconds of a processor in which a cell runs and one of its functions does its work."""
        return self.seconds + CELL_SECONDS


class Stopped(Exception):  # noqa: N818 - an ending, and no error of the program
    """A function of the answer gave no value; the outcome says why."""

    def __init__(self, outcome: Outcome):
        super().__init__(outcome)
        self.outcome = outcome


class Refused(NamedTuple):
    """Why nothing was counted.

    Attributes:
        kind: a few words, the same for all that are refused for the same reason.
        message: a sentence.
    """

    kind: str
    message: str


def too_slow(place: int, budget: Budget) -> Returned:
    """The outcome of a function that needs too long."""
    name, limit = ("fit", "predict")[place], f"the {budget.seconds:g} seconds of a processor"
    return Returned({"refused": ["too slow", f"{name} needs more than {limit} that it may have."]})


def most_of(case: Case) -> int:
    """What a value of one of the two functions may hold: numbers, or a row for each text."""
    *_, rows, budget = case.inputs
    return FREE + TIMES * max(budget.numbers, BYTES * len(rows))


def is_refused(outcome: Outcome) -> bool:
    """Whether nothing was counted."""
    return isinstance(outcome, Raised) or not outcome.value or "refused" in outcome.value


def cost_of(
    call: Call,
    text: np.ndarray,
    seed: int,
    rows: np.ndarray,
    budget: Budget,
    predict_after_fit: Call | None = None,
) -> dict | None:
    """What a model's predictions cost, or why they are refused.

    Args:
        call: calls one of the answer's two functions, and gives plain data.
        text, seed: what is fitted.
        rows: (B, T), what is predicted; the first byte of each is given.
        budget: what the model may need.
        predict_after_fit: calls `predict` where `fit` has run before it, to explain a failure;
            None where it cannot be called there.

    Returns:
        {"refused": [kind, message]}, or {"numbers": how many, "bits": float64 (B, T − 1), the cost
        of each byte, "last": the probability that nine of ten bytes have at least at the place
        behind them, "late": the mean cost that they have there, "apart": how far the rows of a
        prediction are apart, at most, "shared": whether `predict` gives something else where `fit`
        has run before it}. None if `fit` gives nothing.

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
    """The numbers of a model, for `predict` to keep or spoil."""
    return {name: array.copy() for name, array in numbers.items()}


def depends_on_fit(
    predict_after_fit: Call, numbers: dict[str, np.ndarray], seen: np.ndarray, P: Any
) -> bool:
    """Whether `predict` gives probabilities where `fit` has run before it, and others elsewhere.

    Args:
        P: what it gives elsewhere; None if it gives nothing.
    """
    try:
        first, second = (predict_after_fit(copied(numbers), seen.copy()) for _ in range(2))
    except Stopped:
        return False
    if any(fault_of_probabilities(there, len(seen)) for there in (first, second)):
        return False
    if not np.allclose(first, second, atol=FAR_FROM_ONE):  # chance is at work, and not `fit`
        return False
    elsewhere = fault_of_probabilities(P, len(seen)) is None
    return not elsewhere or not np.allclose(first, P, atol=FAR_FROM_ONE)


NO_ARRAYS = "no dictionary of arrays"
NAMES = "names of arrays"
TOO_MANY = "too many numbers"
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
MOST_ARRAYS, LONGEST_NAME, MOST_LETTERS = 200, 64, 4_000
NAME = re.compile(rf"[A-Za-z0-9_. -]{{1,{LONGEST_NAME}}}")


def fault_of_numbers(numbers: Any, budget: Budget) -> Refused | None:
    """Why what `fit` gave is refused; None if it is not.

    Names and shapes could carry numbers, too: so there are few arrays, with short names.
    """
    if not isinstance(numbers, dict) or not all(
        isinstance(array, np.ndarray) and array.dtype == np.float32 for array in numbers.values()
    ):
        return Refused(
            NO_ARRAYS, f"fit is asked for a dictionary of float32 arrays{_but_got(numbers)}."
        )
    if len(numbers) > MOST_ARRAYS:
        given = f"fit gives {len(numbers):,} arrays"
        return Refused(NAMES, f"{given}, and {MOST_ARRAYS} are allowed.")
    for name in numbers:
        if not NAME.fullmatch(name):
            allowed = f"at most {LONGEST_NAME} of A to Z, a to z, 0 to 9 and _ . - or a blank"
            return Refused(NAMES, f"an array is named {name[:LONGEST_NAME]!a}: {allowed}.")
    if sum(map(len, numbers)) > MOST_LETTERS:
        return Refused(NAMES, f"the names of arrays have more than {MOST_LETTERS:,} letters.")
    count = sum(array.size for array in numbers.values())
    if count > budget.numbers:
        allowed = f"{budget.numbers:,} are allowed"
        return Refused(TOO_MANY, f"the model has {count:,} numbers, and {allowed}.")
    if not all(array.size and np.isfinite(array).all() for array in numbers.values()):
        return Refused(
            NOT_FINITE, "an array of the model is empty, or has a NaN or infinity in it."
        )
    return None


def _but_got(numbers: Any) -> str:
    if not isinstance(numbers, dict):
        return f"; got {type(numbers).__name__}"
    for name, array in numbers.items():
        if not isinstance(array, np.ndarray):
            return f" of one axis or more; {name[:LONGEST_NAME]!r} is {type(array).__name__}"
        if array.dtype != np.float32:
            return f"; {name[:LONGEST_NAME]!r} is {array.dtype}"
    return ""


def fault_of_probabilities(P: Any, B: int) -> Refused | None:
    """Why what `predict` gave for B texts is refused; None if it is not."""
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
