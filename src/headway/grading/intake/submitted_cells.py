"""Read the cells of a submitted, untrusted notebook.

Only what grading needs is read: the text and type of each cell, and its nbgrader metadata. Outputs,
widgets and other metadata are ignored. A damaged cell is left out, with a note; a damaged file is
set aside, with a reason. The size, depth and number of parts are checked before parsing, so that
reading takes bounded time and memory for any bytes.
"""

import codecs
import json
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from headway.grading.notebooks.assignment import MAX_BYTES, MAX_CELLS

# Deeper than any real notebook, and far below Python's recursion limit.
MAX_DEPTH = 100
# Most lists and objects in the file. An empty object has two bytes there but a hundred in memory.
MAX_PARTS = 500_000
MAX_SOURCE = 1_000_000

AGAIN = "Open it in JupyterLab and save it again, or start from a fresh copy."
NO_MARKS = bytes(set(range(256)) - set(b'[]{}"'))
STEPS = np.zeros(256, np.int8)
STEPS[list(b"[{")], STEPS[list(b"]}")] = 1, -1
SURROGATE = re.compile("[\ud800-\udfff]")


class SetAside(Exception):  # noqa: N818 - an outcome, not a fault
    """A submission that a person must look at; the message is the reason."""


@dataclass(frozen=True)
class SubmittedCell:
    """A submitted cell: untrusted, but its fields have the right types.

    Args:
        name: nbgrader's id, if the cell has one.
        is_code: whether it is a code cell.
        source: its text, without lone surrogates.
        nbgrader_metadata: its nbgrader metadata, any JSON data.
    """

    name: str | None
    is_code: bool
    source: str
    nbgrader_metadata: dict[str, Any] = field(default_factory=dict)


def read_cells(raw: bytes) -> tuple[list[SubmittedCell], list[str]]:
    """The cells of a notebook file, and sentences on damage that was tolerated.

    Raises:
        SetAside: if the file is not a notebook, or exceeds the limits.
    """
    _refuse_too_much(raw)
    text, notes = _decode(raw)
    try:
        # strict=False accepts raw line breaks and null bytes in strings, which editors leave.
        data = json.loads(text, strict=False, parse_int=_number)
    except (ValueError, RecursionError) as error:
        raise SetAside(f"The file is no Jupyter notebook: its text is not JSON. {AGAIN}") from error
    nodes = _nodes(data)
    if len(nodes) > MAX_CELLS:
        raise SetAside(_too_many_cells())
    version = data.get("nbformat")
    if version != 4:
        known = f"of format {version}" if isinstance(version, int) else "of an unknown format"
        notes.append(f"The notebook is {known}; it was read as one of format 4.")
    cells = [cell for node in nodes if (cell := _cell(node))]
    if len(cells) < len(nodes):
        notes.append(f"Cells without text were left out: {len(nodes) - len(cells)}.")
    if any("\ufffd" in cell.source for cell in cells):
        notes.append("Characters that no file can hold stand as \ufffd.")
    return cells, notes


def _refuse_too_much(raw: bytes) -> None:
    if not raw:
        raise SetAside("The notebook is empty. Expected a Jupyter notebook; save it again.")
    if len(raw) > MAX_BYTES:
        raise SetAside(
            f"Without its outputs the notebook is {len(raw) / 1e6:.0f} MB large, more than "
            f"{MAX_BYTES / 1e6:.0f} MB. Read large data from a file."
        )
    # "cell_type" occurs once in a cell, and once more in its nbgrader metadata.
    if raw.count(b'"cell_type"') > 2 * MAX_CELLS:
        raise SetAside(_too_many_cells())
    # Escapes occur only within strings. Without them, the quotation marks form pairs.
    marks = raw.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, NO_MARKS)
    marks = np.frombuffer(marks, np.uint8)
    steps = STEPS[marks[~np.logical_xor.accumulate(marks == ord('"'))]]
    if (steps > 0).sum() > MAX_PARTS:
        raise SetAside(
            f"The notebook is made of more than {MAX_PARTS:,} lists and objects. {AGAIN}"
        )
    if np.cumsum(steps, dtype=np.int32).max(initial=0) > MAX_DEPTH:
        raise SetAside(f"The notebook is nested more than {MAX_DEPTH} deep. {AGAIN}")


def _too_many_cells() -> str:
    return f"The notebook has more than {MAX_CELLS:,} cells. Delete what is not needed."


def _decode(raw: bytes) -> tuple[str, list[str]]:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or 0 in raw[:4]:
        raise SetAside(f"The file is no Jupyter notebook: its bytes are not UTF-8 text. {AGAIN}")
    try:
        return raw.decode("utf-8-sig"), []
    except UnicodeDecodeError:  # a cell in another encoding must not spoil the others
        return raw.decode("utf-8-sig", errors="replace"), ["Not all of the file is UTF-8 text."]


def _number(digits: str) -> int:
    # Only the format's version is used. Python refuses to parse thousands of digits.
    return int(digits) if len(digits) < 20 else 0


def _nodes(data: Any) -> list:
    """The list of cells, or, up to format 3, the cells of all worksheets."""
    if isinstance(data, dict):
        if isinstance(data.get("cells"), list):
            return data["cells"]
        if isinstance(data.get("worksheets"), list):
            sheets = [s.get("cells") for s in data["worksheets"] if isinstance(s, dict)]
            return [node for cells in sheets if isinstance(cells, list) for node in cells]
    raise SetAside(
        "The file is no Jupyter notebook: its text is JSON but not that of a notebook. " + AGAIN
    )


def _cell(node: Any) -> SubmittedCell | None:
    if not isinstance(node, dict):
        return None
    source = node.get("source", node.get("input"))  # "input" up to format 3
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    if len(source) > MAX_SOURCE:
        raise SetAside(
            f"The notebook has a cell of {len(source):,} characters, more than {MAX_SOURCE:,}. "
            "Read large data from a file."
        )
    metadata = node.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    nbgrader = nbgrader if isinstance(nbgrader, dict) else {}
    name = nbgrader.get("grade_id")
    return SubmittedCell(
        name if isinstance(name, str) else None,
        node.get("cell_type") == "code",
        SURROGATE.sub("\ufffd", source),
        nbgrader,
    )
