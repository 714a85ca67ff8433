"""What a model may be, take and predict; everything else is refused before anything is measured."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

BYTES = 256
FIT, PREDICT = 0, 1
FAR_FROM_ONE = 1e-3  # tolerance for the sum of a row's probabilities
CELL_SECONDS = 5  # of processor time, for running the cell itself
WITH_SLEEP = 4  # times the processor time of a session: what it may compute and sleep together
MOST_ARRAYS, LONGEST_NAME, AXIS_BYTES = 200, 64, 8
KINDS = ("float16", "float32")
NAME = re.compile(rf"[A-Za-z0-9_. -]{{1,{LONGEST_NAME}}}")
ENDED = "ended"  # the kind of a refusal for a limit of the machine, which tells nothing of a text


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


class Refused(Exception):  # noqa: N818 - an ending, and no error of the program
    """A model is not measured.

    Args:
        kind: a few words, the same for all refusals with the same reason.
        message: a sentence for the student.
    """

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind, self.message = kind, message


def too_slow(part: int, budget: Budget) -> Refused:
    """The refusal of a function that takes too long."""
    limit = f"the {budget.seconds:g} seconds of a processor"
    return Refused(ENDED, f"{name_of(part)} needs more than {limit} that it may have.")


def name_of(part: int) -> str:
    """The name of a function."""
    return "predict" if part == PREDICT else "fit"


def require_numbers(numbers: Any, budget: Budget) -> None:
    """Refuse a value of `fit` that is no model, or too large a one.

    Raises:
        Refused: if it is.
    """
    if not isinstance(numbers, dict):
        _refuse_arrays(f"got {type(numbers).__name__}")
    for name, array in numbers.items():
        if not isinstance(array, np.ndarray) or array.dtype not in KINDS:
            kind = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
            _refuse_arrays(f"{name[:LONGEST_NAME]!a} is {kind}")
    if len(numbers) > MOST_ARRAYS:
        given = f"fit gives {len(numbers):,} arrays"
        raise Refused("names of arrays", f"{given}, and {MOST_ARRAYS} are allowed.")
    for name in numbers:
        if not NAME.fullmatch(name):
            allowed = f"at most {LONGEST_NAME} of A to Z, a to z, 0 to 9 and _ . - or a blank"
            said = f"an array is named {name[:LONGEST_NAME]!a}: {allowed}."
            raise Refused("names of arrays", said)
    if (size := size_of(numbers)) > budget.bytes:
        said = f"the model takes {size:,} bytes, and {budget.bytes:,} are allowed."
        raise Refused("too large a model", said)
    if not all(array.size and np.isfinite(array).all() for array in numbers.values()):
        said = "an array of the model is empty, or has a NaN or infinity in it."
        raise Refused("numbers that are not finite", said)


def _refuse_arrays(given: str) -> None:
    asked = f"a dictionary of {' or '.join(KINDS)} arrays with one axis or more"
    raise Refused("no dictionary of arrays", f"fit is asked for {asked}; {given}.")


def size_of(numbers: dict[str, np.ndarray]) -> int:
    """How many bytes a model takes.

    A float16 takes two and a float32 four, whatever is packed into it. Names and shapes could carry
    something, too, so a letter of a name takes one byte, and an axis `AXIS_BYTES`.
    """
    around = (len(name) + AXIS_BYTES * array.ndim for name, array in numbers.items())
    return sum(array.nbytes for array in numbers.values()) + sum(around)


def probabilities(P: Any, B: int) -> np.ndarray:
    """A value of `predict` for B texts as float64 (B, 256), each row divided by its sum.

    Raises:
        Refused: if it holds no probabilities.
    """
    if not isinstance(P, np.ndarray) or P.shape != (B, BYTES) or P.dtype.kind != "f":
        shape = P.shape if isinstance(P, np.ndarray) else None
        each = shape and len(shape) == 3 and shape[0] == B
        got = f"shape {shape} of {P.dtype}" if shape else type(P).__name__
        asked = f"probabilities of shape ({B}, {BYTES}), a row for each text"
        kind = "a prediction for every place" if each else "another shape"
        raise Refused(kind, f"predict is asked for {asked}; got {got}.")
    P = P.astype(np.float64)
    if not np.isfinite(P).all():
        raise Refused("no probabilities", "predict gives NaN or an infinite number.")
    if P.min() < 0:
        kind = "no probabilities" if P.max() > 0 else "logarithms"
        raise Refused(kind, f"predict gives {P.min():.3g}, which is below 0.")
    sums = P.sum(axis=1, keepdims=True)
    off = float(sums.flat[np.abs(sums - 1).argmax()])
    if abs(off - 1) > FAR_FROM_ONE:
        columns = P.sum(axis=0)[P.any(axis=0)]
        across = B > 1 and len(columns) and np.allclose(columns, 1, atol=FAR_FROM_ONE)
        kind = "sums over the texts" if across else "sums that are not one"
        raise Refused(kind, f"the probabilities of a row sum to {off:.4g}; expected 1.")
    return P / sums
