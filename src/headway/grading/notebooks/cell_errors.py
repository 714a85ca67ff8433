"""Say in a sentence what stopped a cell: a syntax error, a missing file, a missing package."""

import re
from collections.abc import Iterable, Mapping

from headway.grading.safe_text import one_line

UNREADABLE = ("SyntaxError", "IndentationError", "TabError")
NO_MODULE = re.compile(r"No module named '([^\W_]\w{0,80})[.']")
NUMBERED_FILE = re.compile(r"(?<=\()\d+\.py, (?=line \d+\)$)")  # IPython's file name of a cell
ERROR_NUMBER = re.compile(r"\A\[Errno \d+\] ")


def unreadable(outputs: Iterable[Mapping]) -> str:
    """A sentence on what could not be read, among outputs of cells: a cell, because of a syntax
    error, or a file that was not found; empty if there is neither."""
    for output in outputs:
        if output.get("output_type") != "error":
            continue
        said = one_line(str(output.get("evalue")), 200)
        if output.get("ename") in UNREADABLE:
            said = NUMBERED_FILE.sub("", said)
            return f"Python can't read this cell, so none of it ran: {said}."
        if output.get("ename") == "FileNotFoundError":
            said = ERROR_NUMBER.sub("", said).rstrip(".")
            return (
                f"This cell did not find a file: {said}. Code sees only what is handed in with the "
                "notebook."
            )
    return ""


def not_installed(outputs: Iterable[Mapping]) -> str:
    """A sentence on the first package that was not found among outputs of cells; or empty."""
    for output in outputs:
        if output.get("output_type") == "error" and output.get("ename") == "ModuleNotFoundError":
            found = NO_MODULE.match(str(output.get("evalue")))
            if found and found[1] != "headway":
                return (
                    f"{found[1]} is not installed where submissions run, so the cell that imports "
                    "it stopped there."
                )
    return ""
