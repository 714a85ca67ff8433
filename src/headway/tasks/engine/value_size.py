"""Measure and limit the size of an answer's value before the judge compares it.

A number, a boolean or None counts 1, a text its characters, and a list, dictionary or array its
items. The limit depends on the size of the right value in the same case, so that no answer can make
the judge walk through a gigabyte if two numbers are expected.
"""

from typing import Any

import numpy as np

from headway.tasks.engine.probe.outcomes import Outcome, Raised
from headway.tasks.engine.probe.plain import UnplainError

FREE = 200_000  # size that is always allowed
TIMES = 4  # allowed in addition, as a multiple of the right value's size
DIGITS = 64  # bits of an integer that count 1
# In a message from a sandbox, a number takes up to 26 bytes and a character up to 12.
BYTES, AROUND = 32, 1 << 16


def value_size(value: Any, enough: float = float("inf")) -> int:
    """The size of a value of plain data.

    Args:
        value: a value from `headway.tasks.engine.probe.plain.plain`.
        enough: stop counting above this; the result is then larger than `enough`.
    """
    left, total = [value], 0
    while left and total <= enough:
        inner = left.pop()
        total += _own(inner)
        if total > enough:
            break
        if isinstance(inner, (list, tuple)):
            left += inner
        elif isinstance(inner, dict):
            left += inner.values()
    return total


def _own(value: Any) -> int:
    """The size of a value, without the contents of a list's or dictionary's items."""
    if isinstance(value, np.ndarray):
        return 1 + (value.nbytes // 4 if value.dtype.kind == "U" else value.size)
    if isinstance(value, dict):
        return 1 + len(value) + sum(map(len, value))
    if isinstance(value, (list, tuple, str)):
        return 1 + len(value)
    if isinstance(value, int):
        return 1 + value.bit_length() // DIGITS
    return 1


def most_for(right: Outcome) -> int:
    """The largest allowed size of a value, given the right answer's outcome."""
    return FREE if isinstance(right, Raised) else FREE + TIMES * value_size(right.value)


def most_bytes(most: int) -> int:
    """The most bytes of a message with a value of the given size."""
    return AROUND + BYTES * most


def bounded(outcome: Outcome, most: int) -> Outcome:
    """The outcome, or a refusal if its value is larger than `most`."""
    if isinstance(outcome, Raised) or value_size(outcome.value, most) <= most:
        return outcome
    return too_much(_told(outcome.value), most, outcome.printed)


def too_much(given: str, most: int, printed: str = "") -> Raised:
    """The refusal of a value that is too large."""
    message = (
        f"it gives {given}. That is more than anybody looks at: the right value has "
        f"{max(0, most - FREE) // TIMES:,} numbers and letters, and {most:,} are allowed."
    )
    return Raised(UnplainError.__name__, message, printed)


def _told(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, str):
        return f"a text of {len(value):,} characters"
    if isinstance(value, (list, dict)):
        return f"a {type(value).__name__} of {len(value):,}, with all that is in it"
    return "a number of thousands of digits"
