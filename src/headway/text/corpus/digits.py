"""Digits to copy, reverse and sort, and numbers to add: questions with one right answer.

    copying:    "314159"  → "314159"
    reversing:  "314159"  → "951413"
    sorting:    "314159"  → "113459"
    addition:   "57+68"   → "125"

Each character is a token. All questions of one call have the same length, and so have the
answers: numbers are written with leading zeros ("07+05" → "012").
"""

from typing import NamedTuple

import numpy as np


class Exercise(NamedTuple):
    """A question and its only right answer."""

    question: str
    answer: str


def copying(rng: np.random.Generator, count: int, length: int = 6) -> list[Exercise]:
    """Draw strings of digits, each to be repeated; arguments and result as for `sorting`."""
    drawn = _digits(rng, count, length)
    return [Exercise("".join(row), "".join(row)) for row in drawn]


def reversing(rng: np.random.Generator, count: int, length: int = 6) -> list[Exercise]:
    """Draw strings of digits, each to be said backwards; arguments and result as for `sorting`."""
    drawn = _digits(rng, count, length)
    return [Exercise("".join(row), "".join(reversed(row))) for row in drawn]


def sorting(rng: np.random.Generator, count: int, length: int = 6) -> list[Exercise]:
    """Draw strings of digits, each to be put in ascending order.

    Args:
        rng: the source of chance; digits are independent and uniform.
        count: how many; a string may come again.
        length: digits in each.

    Returns:
        list of `count` tuples (question, answer), both `length` characters long.
    """
    drawn = _digits(rng, count, length)
    return [Exercise("".join(row), "".join(sorted(row))) for row in drawn]


def addition(rng: np.random.Generator, count: int, length: int = 2) -> list[Exercise]:
    """Draw pairs of numbers to add.

    Args:
        rng: the source of chance; both numbers are uniform in 0 … 10^length − 1.
        count: how many; a pair may come again.
        length: digits of each number.

    Returns:
        list of `count` tuples (question, answer): 2·length + 1 and length + 1 characters.
    """
    drawn = ["".join(row) for row in _digits(rng, count, 2 * length)]
    pairs = [(row[:length], row[length:]) for row in drawn]
    return [Exercise(f"{a}+{b}", f"{int(a) + int(b):0{length + 1}d}") for a, b in pairs]


def _digits(rng: np.random.Generator, count: int, length: int) -> np.ndarray:
    """Digits as characters, (count, length)."""
    if length < 1:
        raise ValueError(f"a number has at least one digit, got length {length}")
    return np.array(list("0123456789"))[(rng.random((count, length)) * 10).astype(int)]
