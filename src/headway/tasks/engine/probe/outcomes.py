"""The outcome of running an answer once: a plain value, or an exception."""

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
# The modules of a student's own code: a notebook, and a file that `headway try` reads.
OWN_MODULES = ("__main__", "headway_answer")


@dataclass(frozen=True)
class Returned:
    """The answer gave a value.

    Attributes:
        value: plain data.
        printed: what the answer printed.
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
        line: the line of the student's code that failed, as `own_line` describes it; empty if it
            is not known.
    """

    error: str
    message: str
    printed: str = ""
    line: str = ""


Outcome = Returned | Raised


class _Output(io.StringIO):
    """Collects what an answer prints; the answer cannot close it."""

    def close(self) -> None:
        pass


def observe(verb: Verb, answer: Any, inputs: Sequence) -> Outcome:
    """Run an answer once and return the outcome.

    What the answer prints, warns or raises is captured: anything on the notebook's standard error
    would count as a failure in nbgrader.
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
        line = own_line(sys.exc_info()[2])  # not error.__traceback__, which the student can set
        return Raised(type(error).__name__, _text_of(error), kept, line)
    return Returned(value, printed.getvalue()[:KEPT_OUTPUT])


def own_line(trace: TracebackType | None) -> str:
    """The innermost line of a student's own code in a traceback: "line 3 of `merge` (`…`)".

    The number counts within the cell or the file. The text is one short line, whatever names the
    code has; it is empty if no frame is the student's.
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
    except BaseException:  # the student's objects, such as `__name__`, may raise
        return ""


def _printable(text: str, length: int) -> str:
    """A text on one line, cut to a length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * length]).split())
    return line if len(line) <= length else line[: length - 1] + "…"


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:  # the exception's own str() raises
        return "(its message cannot be read)"
