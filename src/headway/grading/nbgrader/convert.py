"""Running nbgrader's converters in this process, quietly, with the cause of a failure kept."""

import logging
import sys
import warnings

from nbformat.warnings import MissingIDFieldWarning
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

import headway.grading.nbgrader.adapter  # noqa: F401 - makes a new gradebook without a program
from headway.interrupts import held


class ConversionError(Exception):
    """A notebook could not be converted; the message is the reason in words."""


class _Log(logging.Handler):
    """Keeps what nbgrader would print, and the exception that it logs and then forgets."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.warnings: list[str] = []
        self.cause: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            self.cause = self.cause or sys.exc_info()[1]
        else:
            self.warnings.append(record.getMessage())


def convert(
    converter_class: type[BaseConverter], course: CourseDirectory, config: Config
) -> list[str]:
    """Run a converter over what `course` selects, replacing earlier results.

    Returns:
        what nbgrader warned of.

    Who interrupts is answered when it is done.

    Raises:
        ConversionError: if anything failed.
    """
    handler = _Log()
    log = logging.Logger("headway.nbgrader")  # one of its own: nothing reaches the terminal
    log.addHandler(handler)
    try:
        with held(), warnings.catch_warnings():
            # nbgrader's own use of its database, and the cells that it puts back
            warnings.simplefilter("ignore", SAWarning)
            warnings.simplefilter("ignore", MissingIDFieldWarning)
            converter_class(coursedir=course, config=config, log=log, force=True).start()
    except Exception as error:
        cause = handler.cause or error
        raise ConversionError(_sentence(cause)) from cause
    return handler.warnings


def _sentence(error: BaseException) -> str:
    # Of a database's error, what the database said, without the statement.
    text = " ".join(str(getattr(error, "orig", None) or error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
