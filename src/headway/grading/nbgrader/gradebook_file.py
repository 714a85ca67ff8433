"""The gradebook of a course folder: opened, written, copied, and what to do where it is damaged."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError, DataError, IntegrityError
from traitlets.config import Config

from headway.errors import MachineError, UserError
from headway.grading.backups import back_up, how_to_mend
from headway.grading.nbgrader.convert import ConversionError, convert
from headway.grading.nbgrader.transaction import one_transaction
from headway.grading.settings import STATE

NO_ROOM = ("disk is full", "disk I/O error")  # in SQLite's words
ABOUT_DATA = (IntegrityError, DataError)
# Of the system's errors, those about names of what was handed in, such as a folder that is called
# like a file of the assignment. They stop nobody else.
OF_NAMES = (IsADirectoryError, NotADirectoryError, FileExistsError)


class GradebookFile:
    """nbgrader's gradebook, of which copies are kept.

    Args:
        folder: the course folder.
        directory: the same as nbgrader sees it.
    """

    def __init__(self, folder: Path, directory: CourseDirectory):
        self._folder, self._directory = folder, directory
        kind, _, path = directory.db_url.partition(":///")
        self._file = folder / path if kind == "sqlite" else None
        self._copies = folder / STATE / "backups"

    def back_up(self) -> None:
        """Keep a copy; see `headway.grading.backups`.

        Raises:
            UserError: if it is gone, empty or damaged where it was not before.
        """
        if self._file:  # of another database its keeper makes copies
            journals = (self._folder / STATE).glob("*/journal/*.json")
            back_up(self._file, self._copies, graded_before=any(journals))

    def exists(self) -> bool:
        """Whether there is one; of another database than SQLite it is taken for granted."""
        return self._file is None or self._file.exists()

    @contextmanager
    def opened(self) -> Iterator[Gradebook]:
        """The gradebook, as nbgrader opens it.

        Raises:
            UserError: if it cannot be read.
        """
        try:
            with Gradebook(self._directory.db_url, self._directory.course_id) as gradebook:
                yield gradebook
        except DatabaseError as error:
            raise self.unusable(error) from error

    def convert(
        self, converter: type[BaseConverter], directory: CourseDirectory, config: Config
    ) -> list[str]:
        """Run a converter so that the gradebook gets all that it writes, or nothing.

        Returns:
            what nbgrader warned of.

        Raises:
            ConversionError: if nbgrader could not.
        """
        try:
            with one_transaction(self._directory.db_url):
                return convert(converter, directory, config)
        except DatabaseError as error:
            raise ConversionError(f"{type(error).__name__}: {error.orig}.") from error

    def not_written(self, error: ConversionError) -> UserError | MachineError | None:
        """That it cannot be written, for a person; None where something to be written was wrong."""
        cause = error.__cause__
        of_system = isinstance(cause, OSError) and not isinstance(cause, OF_NAMES)
        of_database = isinstance(cause, DatabaseError) and not isinstance(cause, ABOUT_DATA)
        if not (of_system or of_database):
            return None
        kind = MachineError if of_machine(cause) else UserError
        return kind(
            f"The gradebook of {self._folder} cannot be written: {error} If there is no room, make "
            f"some. {self.what_to_do()}"
        )

    def unusable(self, error: DatabaseError | sqlite3.DatabaseError) -> UserError | MachineError:
        """That it cannot be used, and what to do, for a person."""
        kind = MachineError if of_machine(error) else UserError
        said = getattr(error, "orig", error)
        return kind(f"The gradebook of {self._folder} cannot be used: {said}. {self.what_to_do()}")

    def what_to_do(self) -> str:
        """What to do about a gradebook that cannot be read or written, as sentences."""
        mend = f" If it is damaged: {how_to_mend(self._file, self._copies)}" if self._file else ""
        return f"If it is locked, close whatever else uses it and run the same command.{mend}"


def of_machine(error: BaseException) -> bool:
    """Whether what cannot be written finds no room, or no disk that takes it."""
    return isinstance(error, OSError) or any(words in str(error) for words in NO_ROOM)
