"""A verb of its own: a model is fitted to a text, and then predicts texts that it has not seen.

The answer is two functions: `fit(text, seed)` gives the model's numbers, a dictionary of arrays,
and `predict(numbers, seen)` the probabilities of the byte that comes next. Texts are revealed byte
by byte: each byte only after it was predicted. What the true bytes cost, −log₂ P, is counted here.

In a student's notebook all of this runs in one process. When it is graded, `call` asks sessions of
a sandbox, one for each function, and this side is the judge's: only numbers cross, and what they
cost is computed where the texts are (`headway.grading.execution.two_sessions`).
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from headway.tasks.engine.probe import Outcome, Raised, call_part, plain

BYTES = 256
FIT, PREDICT = 0, 1
FAR_FROM_ONE = 1e-3  # how far from one the probabilities of a row may sum
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


class Refused(NamedTuple):
    """Why nothing was counted.

    Attributes:
        kind: a few words, the same for all that are refused for the same reason.
        message: a sentence.
    """

    kind: str
    message: str


def fit_then_predict(answer: Any, inputs: Sequence) -> dict:
    """Fit a model and have it predict, in this process.

    Args:
        inputs: the text, uint8 (N,); a seed; other texts, uint8 (B, T); the `Budget`.

    Returns:
        as `cost_of`.
    """
    budget, spent = inputs[-1], [0.0, 0.0]

    def call(place: int, *arguments: Any) -> Any:
        start = time.process_time()
        result = plain(call_part(answer, [place, *arguments]))
        spent[place] += time.process_time() - start
        if spent[place] > budget.seconds:
            raise TimeoutError(too_slow(place, budget))
        return result

    return cost_of(call, *inputs)


def too_slow(place: int, budget: Budget) -> str:
    """What is said of a function that needs too long."""
    name = ("fit", "predict")[place]
    return f"{name} needs more than the {budget.seconds:g} seconds of a processor that it may have."


def long_cell(source: str, budget: Budget) -> dict | None:
    """What is told of a cell that is too long to be run; None if it is not."""
    size = len(source.encode("utf-8", "replace"))
    if size <= budget.characters:
        return None
    said = f"the cell has {size:,} characters, and {budget.characters:,} are allowed."
    return {"refused": ["a long cell", said]}


def is_refused(outcome: Outcome) -> bool:
    """Whether nothing was counted."""
    return isinstance(outcome, Raised) or not outcome.value or "refused" in outcome.value


def cost_of(
    call: Call, text: np.ndarray, seed: int, rows: np.ndarray, budget: Budget
) -> dict | None:
    """What a model's predictions cost, or why they are refused.

    Args:
        call: calls one of the answer's two functions, and gives plain data.
        text, seed: what is fitted.
        rows: (B, T), what is predicted; the first byte of each is given.
        budget: what the model may need.

    Returns:
        {"refused": [kind, message]}, or {"numbers": how many, "bits": float64 (B, T − 1), the cost
        of each byte, "last": the mean probability of the byte that was seen last, "apart": how far
        the rows of a prediction are apart, at most}. None if `fit` gives nothing.
    """
    numbers = call(FIT, text.copy(), seed)
    if numbers is None:
        return None
    if refused := fault_of_numbers(numbers, budget):
        return {"refused": list(refused)}
    bits, last, apart = [], [], 0.0
    every = np.arange(len(rows))
    for T in range(1, rows.shape[1]):
        given = {name: array.copy() for name, array in numbers.items()}
        P = call(PREDICT, given, rows[:, :T].copy())
        if refused := fault_of_probabilities(P, len(rows)):
            return {"refused": list(refused)}
        P = P.astype(np.float64)
        P /= P.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            bits.append(-np.log2(P[every, rows[:, T]]))
        if not np.isfinite(bits[-1]).all():
            return {"refused": list(IMPOSSIBLE)}
        last.append(P[every, rows[:, T - 1]].mean())
        apart = max(apart, float(np.ptp(P, axis=0).max()))
    count = sum(array.size for array in numbers.values())
    return {
        "numbers": count,
        "bits": np.stack(bits, axis=1),
        "last": float(np.mean(last)),
        "apart": apart,
    }


NO_ARRAYS = "no dictionary of arrays"
TOO_MANY = "too many numbers"
NOT_FINITE = "numbers that are not finite"
EVERY_PLACE = "a prediction for every place"
SHAPE = "another shape"
LOGARITHMS = "logarithms"
NO_PROBABILITIES = "no probabilities"
ACROSS = "sums over the texts"
SUMS = "sums that are not one"
IMPOSSIBLE = Refused(
    "impossible bytes",
    "a byte that comes had the probability 0, and so costs infinitely many bits.",
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
    if len(numbers) > MOST_ARRAYS or not all(map(NAME.fullmatch, numbers)):
        most = f"at most {MOST_ARRAYS} arrays, with names of at most {LONGEST_NAME} plain letters"
        return Refused(NO_ARRAYS, f"fit is asked for {most}, digits, points and blanks.")
    if sum(map(len, numbers)) > MOST_LETTERS:
        return Refused(NO_ARRAYS, f"the names of arrays have more than {MOST_LETTERS:,} letters.")
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
