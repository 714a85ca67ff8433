"""How large a value is: what a judge has to look at, before it looks at it.

The size is what a value holds: a number, a truth value or nothing counts 1, a text as many as its
characters, a list, dictionary or array what is in it. How much an answer may give goes by what the
right one gives in the same case, so that nobody makes the judge walk through a gigabyte where two
numbers are expected.
"""

from typing import Any

import numpy as np

from headway.tasks.engine.probe.outcomes import Outcome, Raised
from headway.tasks.engine.probe.plain import UnplainError

FREE = 200_000  # the size that every value may have
TIMES = 4  # beyond that, so many times the size of the right value
DIGITS = 64  # bits of a whole number that count 1
# On its way out of a sandbox, a number takes up to 26 bytes and a character up to 12.
BYTES, AROUND = 32, 1 << 16


def value_size(value: Any, enough: float = float("inf")) -> int:
    """The size of a value of plain data.

    Args:
        value: as `headway.tasks.engine.probe.plain.plain` gives it.
        enough: more is not counted; what comes back is above it then.
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
    """The size of a value, but for what the items of a list or dictionary hold."""
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
    """How much an answer may give where the right one gives this."""
    return FREE if isinstance(right, Raised) else FREE + TIMES * value_size(right.value)


def most_bytes(most: int) -> int:
    """The longest message that can hold a value of such a size."""
    return AROUND + BYTES * most


def bounded(outcome: Outcome, most: int) -> Outcome:
    """The outcome, or what is said of it where its value is larger than `most`."""
    if isinstance(outcome, Raised) or value_size(outcome.value, most) <= most:
        return outcome
    return too_much(_told(outcome.value), most, outcome.printed)


def too_much(given: str, most: int, printed: str = "") -> Raised:
    """What is said of an answer that gives more than it may."""
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
