"""Read stored JSON data as a dataclass; the annotations of its fields say what they have to be."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin


def read_as(kind: Any, data: Any) -> Any:
    """JSON data as a value of a type.

    Args:
        kind: a dataclass, or what a field of one may be: str, int, float, bool, Any, a Literal,
            dict[str, …], Mapping[str, …], list[…], tuple[…], or one of these or None.

    Raises:
        TypeError, ValueError: if the data are not of this type, have a field that the dataclass
            lacks, or lack one that has no default.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        (kind,) = (one for one in inner if one is not NoneType)
        return None if data is None else read_as(kind, data)
    if is_dataclass(kind) and type(data) is dict:
        kinds = {field.name: field.type for field in fields(kind)}
        # Any field that is too many is refused by the dataclass.
        return kind(**{name: read_as(kinds.get(name, Any), part) for name, part in data.items()})
    if origin in (dict, Mapping) and type(data) is dict:
        return {name: read_as(inner[1], part) for name, part in data.items()}
    if origin in (list, tuple) and type(data) is list:
        kinds = inner if origin is tuple and inner[-1] is not Ellipsis else inner[:1] * len(data)
        return origin(read_as(kind, part) for kind, part in zip(kinds, data, strict=True))
    fits = data in inner if origin is Literal else kind is Any or type(data) is kind
    if not (fits or (kind is float and type(data) is int)):
        raise TypeError(f"Expected {kind}, got {data!r:.40}.")
    return data
