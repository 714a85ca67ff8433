"""Run nbgrader's converters in this process, without output, and keep the cause of a failure."""

import logging
import sys
import warnings

from nbformat.warnings import MissingIDFieldWarning
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

import headway.grading.nbgrader_adapter  # noqa: F401 - patches nbgrader
from headway.interrupts import held


class ConversionError(Exception):
    """A notebook could not be converted; the message is the reason."""


class _Log(logging.Handler):
    """Collects nbgrader's warnings, and the exception that it logs but does not raise."""

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
        nbgrader's warnings.

    An interrupt is delayed until the end.

    Raises:
        ConversionError: if anything failed.
    """
    handler = _Log()
    log = logging.Logger("headway.nbgrader")  # outside logging's tree: nothing is printed
    log.addHandler(handler)
    try:
        with held(), warnings.catch_warnings():
            # Warnings about nbgrader's own use of its database and of cell ids.
            warnings.simplefilter("ignore", SAWarning)
            warnings.simplefilter("ignore", MissingIDFieldWarning)
            converter_class(coursedir=course, config=config, log=log, force=True).start()
    except Exception as error:
        cause = handler.cause or error
        raise ConversionError(_sentence(cause)) from cause
    return handler.warnings


def _sentence(error: BaseException) -> str:
    # For a database error, the database's own message without the SQL statement.
    text = " ".join(str(getattr(error, "orig", None) or error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
