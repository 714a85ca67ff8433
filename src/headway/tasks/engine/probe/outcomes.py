"""What comes of putting an answer to use once: a value of plain data, or an exception."""

import contextlib
import io
import linecache
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from headway.tasks.engine.probe.plain import plain

Verb = Callable[[Any, Sequence], Any]

KEPT_OUTPUT = 4_000
MOST_FRAMES, LONGEST_LINE, LONGEST_NAME = 20_000, 100, 40
# The modules in which a student's own code runs: a notebook, and a file that `headway try` reads.
OWN_MODULES = ("__main__", "headway_answer")


@dataclass(frozen=True)
class Returned:
    """The answer gave a value.

    Attributes:
        value: plain data.
        printed: what the answer printed meanwhile.
    """

    value: Any
    printed: str = ""


@dataclass(frozen=True)
class Raised:
    """The answer raised an exception.

    Attributes:
        error: name of the exception's class.
        message: its text.
        printed: what the answer printed before.
        line: the line of the student's own code that was at work, in words; empty if it is not
            known.
    """

    error: str
    message: str
    printed: str = ""
    line: str = ""


Outcome = Returned | Raised


class _Output(io.StringIO):
    """Takes what an answer prints, and stays open whatever the answer does."""

    def close(self) -> None:
        pass


def observe(verb: Verb, answer: Any, inputs: Sequence) -> Outcome:
    """Put an answer to use once and note what happens.

    Whatever the answer prints, warns or raises stays inside: nothing reaches the notebook's
    standard error, which nbgrader would take for a failure.
    """
    printed = _Output()
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
        ):
            warnings.simplefilter("ignore")
            value = plain(verb(answer, inputs))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's sys.exit() must not end the check
        kept = printed.getvalue()[:KEPT_OUTPUT]
        line = own_line(sys.exc_info()[2])  # not the error's own word for it
        return Raised(type(error).__name__, _text_of(error), kept, line)
    return Returned(value, printed.getvalue()[:KEPT_OUTPUT])


def own_line(trace: TracebackType | None) -> str:
    """The innermost line of a student's own code in a traceback: "line 3 of `merge` (`…`)".

    The number counts within the cell or the file. The words are few, and on one line, whatever the
    code is called; there are none if nothing of it is the student's.
    """
    try:
        found = None
        for _ in range(MOST_FRAMES):
            if trace is None:
                break
            if trace.tb_frame.f_globals.get("__name__") in OWN_MODULES:
                found = trace
            trace = trace.tb_next
        if found is None:
            return ""
        code = found.tb_frame.f_code
        name = _printable(code.co_name, LONGEST_NAME)
        text = _printable(linecache.getline(code.co_filename, found.tb_lineno), LONGEST_LINE)
        of = "" if name.startswith("<") else f" of `{name}`"
        return f"line {found.tb_lineno}{of}" + (f" (`{text}`)" if text else "")
    except KeyboardInterrupt:
        raise
    except BaseException:  # of code that pretends to be other code
        return ""


def _printable(text: str, length: int) -> str:
    """A text on one line, cut where it is too long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * length]).split())
    return line if len(line) <= length else line[: length - 1] + "…"


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:  # an exception whose own text raises
        return "(its message cannot be read)"
