"""An instructor's course folder, as nbgrader lays it out, opened for one of its assignments.

    DIR/submitted/STUDENT/01-one-hot/01-one-hot.ipynb    handed in
    DIR/source/01-one-hot/01-one-hot.ipynb               what it is graded against
    DIR/gradebook.db, autograded/, feedback/             nbgrader's
    DIR/grades.csv, report.json, report.html, reports/   the results
    DIR/feedback-earlier/                                pages that a later one replaced
    DIR/.headway/                                        the state of grading

The first run copies the source from the checkout. Later runs keep it, so that submissions are
always graded against the release that the students got.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from headway.errors import UserError
from headway.grading.course_files import CourseFiles
from headway.grading.nbgrader.config_file import complete_config
from headway.grading.nbgrader.course_config import PlugIns, load_config
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.settings import holds_a_course

try:
    import fcntl
except ModuleNotFoundError:  # Windows has no fcntl; there two runs at once are not noticed
    fcntl = None

READ_OTHERWISE = re.compile(r"[?*\[\]\n]|%[0-9A-Fa-f]{2}")  # special in file patterns and URLs


@dataclass(frozen=True)
class Course:
    """The parts of a course folder.

    Attributes:
        files: where the assignment's files are.
        config: nbgrader's configuration: the course's settings, and over them the folder's own.
        gradebook: the gradebook's file.
        plug_ins: the modules in the folder that the configuration may name.
        hidden_modules: for each assignment, this package's modules that answer its tasks.
        dry_run: whether the folder's settings stay as they are, also where they lack the course's.
    """

    files: CourseFiles
    config: Config
    gradebook: GradebookFile
    plug_ins: PlugIns
    hidden_modules: Mapping[str, Sequence[str]]
    dry_run: bool = False

    @classmethod
    def open(
        cls,
        folder: Path,
        assignment: str,
        hidden_modules: Mapping[str, Sequence[str]],
        may_be_empty: bool = False,
        dry_run: bool = False,
    ) -> "Course":
        """Open a folder for an assignment, "01-one-hot".

        Args:
            may_be_empty: accept a folder without submissions.

        Raises:
            UserError: if the folder does not exist or is not writable, its settings cannot be read
                or completed, or nothing was submitted.
        """
        _require_writable(folder, assignment, may_be_empty)
        folder = folder.resolve()
        plug_ins = PlugIns(folder)
        with plug_ins.on_path():
            if not dry_run and holds_a_course(folder):
                complete_config(folder, hidden_modules)
            config = load_config(folder, hidden_modules)
        directory = CourseDirectory(config=config, root=str(folder), assignment_id=assignment)
        files = CourseFiles(folder, directory)
        if not may_be_empty and not files.submissions():
            raise UserError(
                f"Nothing was submitted for {assignment} in {folder}. Expected notebooks in "
                f"{files.submitted.name}/STUDENT/{assignment}/{assignment}.ipynb. `headway "
                "class collect` puts them there, or nbgrader's collect."
            )
        gradebook = GradebookFile(folder, directory)
        return cls(files, config, gradebook, plug_ins, hidden_modules, dry_run)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """A context that locks the folder against other runs, and puts it on Python's path.

        Raises:
            UserError: if another run has locked it, or its settings cannot be completed.
        """
        with _locked(self.files.folder), self.plug_ins.on_path():
            if not self.dry_run:  # an empty folder becomes a course folder here
                complete_config(self.files.folder, self.hidden_modules)
            yield


def _require_writable(folder: Path, assignment: str, may_be_empty: bool) -> None:
    if not folder.resolve().is_dir():
        expected = f"that holds submitted/STUDENT/{assignment}/{assignment}.ipynb"
        raise UserError(
            f"There is no folder {folder}. Expected a course folder"
            + (", which may be empty." if may_be_empty else f" {expected}.")
        )
    if odd := READ_OTHERWISE.search(str(folder.resolve())):
        raise UserError(
            f"The path {folder.resolve()} has {odd[0]!r} in it, which means something else to "
            "nbgrader or its database. Rename or move the folder."
        )
    try:
        with TemporaryDirectory(dir=folder, prefix=".headway-"):
            pass
    except OSError as error:
        raise UserError(
            f"The folder {folder} cannot be written ({error.strerror}), but the gradebook "
            "and the report have to go there. Give yourself write permission, or copy the "
            "folder."
        ) from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    # The file is never deleted: one run could lock the deleted file and another one a new file.
    with (folder / ".headway.lock").open("w") as file:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise UserError(
                    f"Another headway grade is at work in {folder}. Wait for it, or stop it."
                ) from error
        yield
