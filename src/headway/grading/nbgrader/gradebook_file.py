"""Open, write and copy the gradebook of a course folder, and explain errors with it."""

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

NO_ROOM = ("disk is full", "disk I/O error")  # SQLite's messages
ABOUT_DATA = (IntegrityError, DataError)
# OSErrors about names in one submission, such as a folder with the name of an assignment's file.
# They do not stop other submissions.
OF_NAMES = (IsADirectoryError, NotADirectoryError, FileExistsError)


class GradebookFile:
    """nbgrader's gradebook, with backup copies.

    Args:
        folder: the course folder.
        directory: nbgrader's object for the course folder.
    """

    def __init__(self, folder: Path, directory: CourseDirectory):
        self._folder, self._directory = folder, directory
        kind, _, path = directory.db_url.partition(":///")
        self._file = folder / path if kind == "sqlite" else None
        self._copies = folder / STATE / "backups"

    def back_up(self) -> None:
        """Make a copy; see `headway.grading.backups`.

        Raises:
            UserError: if the gradebook has become missing, empty or damaged.
        """
        if self._file:  # other databases than SQLite have their own backups
            journals = (self._folder / STATE).glob("*/journal/*.json")
            back_up(self._file, self._copies, graded_before=any(journals))

    def exists(self) -> bool:
        """Whether there is a gradebook; always True for other databases than SQLite."""
        return self._file is None or self._file.exists()

    @contextmanager
    def opened(self) -> Iterator[Gradebook]:
        """A context with the gradebook, opened by nbgrader.

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
        """Run a converter in one transaction of the gradebook: all its changes or none.

        Returns:
            nbgrader's warnings.

        Raises:
            ConversionError: if nbgrader fails.
        """
        try:
            with one_transaction(self._directory.db_url):
                return convert(converter, directory, config)
        except DatabaseError as error:
            raise ConversionError(f"{type(error).__name__}: {error.orig}.") from error

    def not_written(self, error: ConversionError) -> UserError | MachineError | None:
        """An error for the user if it cannot be written; None if one submission is at fault."""
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
        """An error for the user that it cannot be used, and what to do."""
        kind = MachineError if of_machine(error) else UserError
        said = getattr(error, "orig", error)
        return kind(f"The gradebook of {self._folder} cannot be used: {said}. {self.what_to_do()}")

    def what_to_do(self) -> str:
        """Sentences on what to do if the gradebook cannot be read or written."""
        mend = f" If it is damaged: {how_to_mend(self._file, self._copies)}" if self._file else ""
        return f"If it is locked, close whatever else uses it and run the same command.{mend}"


def of_machine(error: BaseException) -> bool:
    """Whether the disk is full, or fails."""
    return isinstance(error, OSError) or any(words in str(error) for words in NO_ROOM)
