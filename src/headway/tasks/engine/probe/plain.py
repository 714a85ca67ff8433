"""Plain data: numbers, strings, arrays, and lists and dictionaries of these.

Only plain data leaves an answer. Objects that only imitate numbers or arrays are refused.
"""

import sys
from collections import Counter, OrderedDict, defaultdict
from fractions import Fraction
from typing import Any

import numpy as np

MAX_DEPTH = 12
MAX_ITEMS = 1_000_000
DICTIONARIES = (dict, defaultdict, Counter, OrderedDict)
UNORDERED = (set, frozenset)


class UnplainError(TypeError):
    """A value is not plain data; the message says what it is instead."""


def plain(value: Any, depth: int = 0) -> Any:
    """A copy of `value` as plain data.

    Fractions become floats; NumPy scalars and 0-d arrays, Python scalars; tensors, arrays; tuples
    and `torch.Size`, lists; the standard library's dictionaries, plain ones. Subclasses are
    refused, since their methods can return anything.

    Raises:
        UnplainError: for any other type, for arrays of objects, and for what is too deep or large.
    """
    if depth > MAX_DEPTH:
        raise UnplainError(f"the value is nested more than {MAX_DEPTH} deep")
    torch = sys.modules.get("torch")
    if torch is not None and type(value) is torch.Size:
        value = tuple(value)
    if type(value) is Fraction:
        value = _plain_fraction(value)
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in (list, tuple):
        if len(value) > MAX_ITEMS:
            raise UnplainError(f"the {kind.__name__} has {len(value):,} items")
        return [plain(item, depth + 1) for item in value]
    if kind in DICTIONARIES:
        if not all(type(key) is str for key in value):
            raise UnplainError("the dictionary has keys that are not strings")
        return {key: plain(item, depth + 1) for key, item in value.items()}
    if kind in UNORDERED:
        raise UnplainError(f"got a {kind.__name__}, which has no order; expected a list")
    if torch is not None and kind in (torch.Tensor, torch.nn.Parameter):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if type(value) is np.ndarray:
        return _plain_array(value)
    raise UnplainError(f"expected numbers, text, a list or an array, got {kind_of(value)}")


def _plain_fraction(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise UnplainError("the fraction is larger than any floating-point number") from error


def _plain_array(array: np.ndarray) -> Any:
    if array.dtype.kind not in "biufU":
        what = "Python objects (a ragged list?)" if array.dtype == object else str(array.dtype)
        raise UnplainError(f"expected an array of numbers, got an array of {what}")
    if array.size > MAX_ITEMS:
        raise UnplainError(f"the array has {array.size:,} elements, shape {array.shape}")
    return array.item() if array.ndim == 0 else array.copy()


def kind_of(value: Any) -> str:
    if value is ...:
        return "... (not filled in yet)"
    return f"an object of type {type(value).__name__}"
