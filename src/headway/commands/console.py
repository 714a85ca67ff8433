"""Where commands write: results to standard output, everything else to standard error."""

import json
import logging
from collections.abc import Mapping

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from headway.grading.safe_text import in_lines, visible

out = Console(highlight=False, soft_wrap=True, emoji=False)
err = Console(highlight=False, soft_wrap=True, emoji=False, stderr=True)


def say(text: str) -> None:
    """A line of the result, printed as it is: no markup, no wrapping."""
    out.print(text, markup=False)


def say_json(data: dict) -> None:
    """Data for programs; letters that the output may lack, or a terminal obey, are escapes."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    is_plain = (out.encoding or "").lower().replace("-", "") == "utf8"
    if not (is_plain and text.replace("\n", "").isprintable()):
        text = json.dumps(data, indent=2)
    say(text)


def note(text: str) -> None:
    """A line beside the result, in which no name that a stranger chose commands a terminal."""
    err.print(in_lines(text), markup=False)


class Notes(logging.Handler):
    """Shows what is logged beside the result."""

    def emit(self, record: logging.LogRecord) -> None:
        note(visible(record.getMessage()))


# What the package itself logs, such as that it has completed a course folder's settings.
logging.getLogger("headway").addHandler(Notes())


def columns_of_students(names: Mapping[str, str]) -> list[str]:
    """What tells students in a table: their ids and, where the class list has any, their names."""
    return ["student", "name"] if any(names.values()) else ["student"]


def cells_of_student(student: str, names: Mapping[str, str]) -> list[Text]:
    """A student's fields in these columns."""
    fields = [student, names.get(student, "")]
    return [Text(visible(field)) for field in fields[: len(columns_of_students(names))]]


def progress() -> Progress:
    """A progress bar with an estimate, on standard error, gone when the work is done.

    Nothing where standard error is no terminal.
    """
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
