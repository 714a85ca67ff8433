"""Files of JSON that others wrote: read, and each entry held to the kind that it must have."""

import json
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as briefly
from typing import Any

from headway.errors import UserError
from headway.models.broken_file import check_size
from headway.models.hugging_face.no_model import what_it_is

LARGEST = 2**23  # bytes; the index of a model with 60,000 tensors takes less
FARTHEST = 2**53  # of a number from 0: whole numbers up to there are exact as floats
KINDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}
MISSING = object()


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file.

    Raises:
        UserError: if there is none.
    """
    if not path.is_file():
        raise UserError(what_it_is(path.parent, path.name))
    check_size(path, LARGEST)
    try:
        data = json.loads(path.read_bytes())
    except RecursionError as error:
        raise UserError(
            f"{path} has lists within lists, deeper than any model's file needs them. Do you trust "
            "where it comes from?"
        ) from error
    except ValueError as error:
        raise UserError(f"{path} is no JSON: {error}. Is the download complete?") from error
    if not isinstance(data, dict):
        raise UserError(f"{path} holds a {type(data).__name__}, expected a JSON object.")
    return data


def entry(data: Mapping[str, Any], name: str, kind: type, absent: Any = MISSING) -> Any:
    """An entry of a `config.json`.

    Args:
        data: the file, or an object in it.
        name: of the entry.
        kind: one of `KINDS`; a whole number is a number.
        absent: what it is where the file does not have it. If that is None, null is the same.

    Raises:
        KeyError: if the file does not have it and nothing is given in its place.
        UserError: if it is of another kind, or a number beyond ±2⁵³.
    """
    value = data[name] if absent is MISSING else data.get(name, absent)
    if value is None and absent is None:
        return None
    known: Any = (int, float) if kind is float else kind
    if not isinstance(value, known) or (isinstance(value, bool) and kind is not bool):
        raise UserError(f"config.json has {name} = {briefly(value)}, expected {KINDS[kind]}.")
    if kind in (int, float) and not abs(value) <= FARTHEST:  # nan is not
        raise UserError(
            f"config.json has {name} = {briefly(value)}, expected {KINDS[kind]} of at most "
            f"{FARTHEST:,}."
        )
    return value
