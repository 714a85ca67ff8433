"""Compare an answer's value with the expected one: by tolerance, type or a statistic.

A comparison is a function of two plain values and the case. It returns None if they agree, and
otherwise a `Difference` that says in a sentence how they differ.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from headway.tasks.engine.in_words import KEYS_SHOWN, and_more, item_count, number, shown


@dataclass(frozen=True)
class Difference:
    """How two values differ.

    Attributes:
        message: a sentence for the student.
        got, expected: the parts that differ, to show side by side; None if nothing is shown.
        missing: how far the answer is from passing, in words that reveal nothing of a hidden case.
    """

    message: str
    got: Any = None
    expected: Any = None
    missing: str = ""


Compare = Callable[[Any, Any, Any], Difference | None]

IN_A_LIST = re.compile(r"at place [\d, ]+: $")
LONG = 100  # items; the conversion of longer lists is cached
TEXT = "the values are text; expected numbers."
KINDS = {"b": "booleans", "i": "integers", "u": "integers", "f": "floats", "U": "strings"}


# Cache: id of a list → the list and its array. Keeping the list keeps its id unique.
_examined: ContextVar[dict[int, tuple[list, np.ndarray | None]] | None] = ContextVar(
    "examined", default=None
)


@contextmanager
def examining() -> Iterator[None]:
    """A context in which each long list is converted to an array only once."""
    before = _examined.set({})
    try:
        yield
    finally:
        _examined.reset(before)


def close(atol: float = 1e-8, rtol: float = 1e-6, same_kind: bool = False) -> Compare:
    """Equal up to rounding: |got − expected| ≤ atol + rtol·|expected|, and the same shape.

    A list of numbers equals an array with the same numbers. NaN equals only NaN.

    Args:
        same_kind: require that arrays hold the same kind of number: floats, integers or booleans,
            of any width.
    """

    def compare(got, expected, case=None) -> Difference | None:
        return _compare(got, expected, atol, rtol, same_kind, "")

    return compare


def equal(same_kind: bool = False) -> Compare:
    """Exactly equal."""
    return close(0.0, 0.0, same_kind)


def at_most(statistic: Callable[[Any, Any], float], name: str, limit: Callable) -> Compare:
    """A statistic of the answer is at most a limit, so answers unlike the reference may pass.

    Args:
        statistic: (got, case) -> float.
        name: what the statistic is called in messages.
        limit: case -> the largest value that passes.
    """

    def compare(got, expected, case) -> Difference | None:
        shape = _compare_shape(got, expected, "")
        if shape:
            return shape
        if _as_array(got).dtype.kind not in "biuf":
            return Difference(TEXT)
        reached, allowed = statistic(np.asarray(got), case), limit(case)
        if np.isfinite(reached) and reached <= allowed:
            return None
        return Difference(f"{name} is {number(reached)}; at most {number(allowed)} is asked.")

    return compare


def _compare(got, expected, atol, rtol, same_kind, where) -> Difference | None:
    if isinstance(expected, dict) or isinstance(got, dict):
        return _compare_dicts(got, expected, atol, rtol, same_kind, where)
    if _is_plain_list(expected) or (_is_plain_list(got) and not isinstance(expected, np.ndarray)):
        return _compare_lists(got, expected, atol, rtol, same_kind, where)
    if isinstance(expected, np.ndarray) or isinstance(got, (np.ndarray, list)):
        return _compare_arrays(got, expected, atol, rtol, same_kind, where)
    return _compare_scalars(got, expected, atol, rtol, where)


def _is_plain_list(value) -> bool:
    """Whether a value is a list that cannot be an array of numbers."""
    return isinstance(value, list) and _as_array(value) is None


def _as_array(value) -> np.ndarray | None:
    """An array, or a rectangular list of numbers, as an array; None for anything else."""
    if isinstance(value, np.ndarray):
        return value
    known = _examined.get()
    if known is None or not isinstance(value, list) or len(value) < LONG:
        return _made_array(value)
    if id(value) not in known:
        known[id(value)] = value, _made_array(value)
    return known[id(value)][1]


def _made_array(value) -> np.ndarray | None:
    # One long text among the numbers would make every element of the array a long text.
    if isinstance(value, list) and not _holds_numbers(value):
        return None
    try:
        array = np.array(value)
    except ValueError:  # ragged
        return None
    return array if array.dtype.kind in "biuf" else None


def _holds_numbers(items: list) -> bool:
    return all(
        _holds_numbers(item) if isinstance(item, list) else isinstance(item, (int, float))
        for item in items
    )


def _compare_scalars(got, expected, atol, rtol, where) -> Difference | None:
    numbers = isinstance(got, (int, float)) and isinstance(expected, (int, float))
    if numbers and isinstance(got, bool) == isinstance(expected, bool):
        agree = _near(got, expected, atol, rtol)
    else:
        agree = type(got) is type(expected) and got == expected
    if agree:
        return None
    return Difference(f"{where}got {shown(got)}, expected {shown(expected)}.", got, expected)


def _near(got: float, expected: float, atol: float, rtol: float) -> bool:
    try:
        return bool(np.isclose(float(got), float(expected), rtol=rtol, atol=atol, equal_nan=True))
    except OverflowError:  # an integer too large for a float
        return got == expected


def _compare_dicts(got, expected, atol, rtol, same_kind, where) -> Difference | None:
    if not (isinstance(got, dict) and isinstance(expected, dict)):
        return Difference(f"{where}got {shown(got)}, expected {shown(expected)}.", got, expected)
    if got.keys() != expected.keys():
        said = [
            f"{what} {shown(keys[:KEYS_SHOWN])[1:-1]}{and_more(keys)}"
            for what, keys in (
                ("missing:", [key for key in expected if key not in got]),
                ("not expected:", [key for key in got if key not in expected]),
            )
            if keys
        ]
        return Difference(f"{where}{'; '.join(said)}.", got, expected)
    for key, item in expected.items():
        found = _compare(got[key], item, atol, rtol, same_kind, f"{where}{key}: ")
        if found:
            return found
    return None


def _compare_lists(got, expected, atol, rtol, same_kind, where) -> Difference | None:
    if not isinstance(got, list) or not isinstance(expected, list):
        return Difference(f"{where}got {shown(got)}, expected {shown(expected)}.", got, expected)
    if len(got) != len(expected):
        lengths = f"{item_count(len(got))}, expected {len(expected)}"
        both = f"got {shown(got)}, expected {shown(expected)}"
        return Difference(f"{where}{lengths}: {both}.", got, expected)
    for i, (mine, theirs) in enumerate(zip(got, expected, strict=True)):
        inner = IN_A_LIST.search(where)  # a nested list
        place = f"{where[:-2]}, {i}: " if inner else f"{where}at place {i}: "
        found = _compare(mine, theirs, atol, rtol, same_kind, place)
        if found:
            simple = all(isinstance(x, (str, int, float, bool)) for x in (*got, *expected))
            return Difference(found.message, got, expected) if simple else found
    return None


def _compare_shape(got, expected, where) -> Difference | None:
    mine, theirs = _as_array(got), _as_array(expected)
    if mine is None or theirs is None:
        return Difference(
            f"{where}got {shown(got)}, expected an array of shape {np.shape(theirs)}."
            if theirs is not None
            else f"{where}got {shown(got)}, expected {shown(expected)}.",
            got,
            expected,
        )
    if mine.shape != theirs.shape:
        flat = (
            isinstance(got, list) and isinstance(expected, list) and mine.ndim == theirs.ndim == 1
        )
        said = (
            f"{item_count(len(mine))}, expected {len(theirs)}"
            if flat
            else f"the shape is {mine.shape}, expected {theirs.shape}"
        )
        return Difference(f"{where}{said}.", mine, theirs)
    return None


def _compare_arrays(got, expected, atol, rtol, same_kind, where) -> Difference | None:
    shape = _compare_shape(got, expected, where)
    if shape:
        return shape
    mine, theirs = _as_array(got), _as_array(expected)
    if "U" in (mine.dtype.kind, theirs.dtype.kind):
        wrong = np.asarray(mine != theirs)
    else:
        wrong = ~np.isclose(mine, theirs, rtol=rtol, atol=atol, equal_nan=True)
    if wrong.any():
        first = tuple(int(i) for i in np.argwhere(wrong)[0])
        at = f"[{', '.join(map(str, first))}]" if first else ""
        return Difference(
            f"{where}{int(wrong.sum())} of {mine.size} values differ; the first at {at}: "
            f"got {shown(mine[first].item())}, expected {shown(theirs[first].item())}.",
            mine,
            theirs,
        )
    kinds = KINDS[mine.dtype.kind], KINDS[theirs.dtype.kind]
    arrays = isinstance(got, np.ndarray) and isinstance(expected, np.ndarray)
    if same_kind and arrays and mine.size and kinds[0] != kinds[1]:
        return Difference(
            f"{where}the values are right, but they are {kinds[0]} ({mine.dtype}); "
            f"expected {kinds[1]}."
        )
    return None


def identical(got: Any, expected: Any) -> bool:
    """Whether two plain values are equal in every number, text and type.

    A NaN outside an array equals nothing.
    """
    kind = type(got)
    if kind is not type(expected):
        return False
    if kind is np.ndarray:
        same_form = got.dtype == expected.dtype and got.shape == expected.shape
        return same_form and got.tobytes() == expected.tobytes()
    if kind is list:
        return len(got) == len(expected) and all(map(identical, got, expected))
    if kind is dict:
        return got.keys() == expected.keys() and all(identical(got[k], expected[k]) for k in got)
    return got == expected


def gives_text_for_numbers(got: Any, expected: Any) -> bool:
    """Whether a value contains text although the expected one contains only numbers.

    Some statistics would read text such as "0.5" as a number.
    """
    return _kinds_in(expected) == {"numbers"} and "text" in _kinds_in(got)


def _kinds_in(value: Any) -> set[str]:
    """Which of "numbers" and "text" occur in a value."""
    if isinstance(value, (list, dict)):
        items = value.values() if isinstance(value, dict) else value
        return {kind for item in items for kind in _kinds_in(item)}
    if isinstance(value, np.ndarray):
        return {"text" if value.dtype.kind == "U" else "numbers"}
    if isinstance(value, str):
        return {"text"}
    return {"numbers"} if isinstance(value, (int, float)) else set()
