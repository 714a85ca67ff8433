"""An instructor's course folder, as nbgrader lays it out, opened for one assignment.

    DIR/submitted/STUDENT/01-one-hot/01-one-hot.ipynb    handed in
    DIR/source/01-one-hot/01-one-hot.ipynb               what it is graded against
    DIR/gradebook.db, autograded/, feedback/             nbgrader's
    DIR/grades.csv, report.json, report.html, reports/   the results
    DIR/.headway/                                        how far the grading has come

The source is copied from the checkout the first time and then stays, so that submissions keep
being graded against what the students got.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.converters import GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import temp_attrs
from sqlalchemy.exc import DatabaseError
from traitlets.config import Config, PyFileConfigLoader

from headway.errors import UserError
from headway.grading.allowance import Allowance
from headway.grading.backups import back_up
from headway.grading.files import SCRATCH, copy_whole
from headway.grading.intake.submission import Snapshot
from headway.grading.nbgrader.convert import ConversionError, convert
from headway.grading.nbgrader.editions import update_editions
from headway.grading.nbgrader.recorder import Recorder
from headway.grading.nbgrader.staging import StagingFolder
from headway.grading.nbgrader.transaction import one_transaction
from headway.grading.settings import COURSE_CONFIG, STATE, configure
from headway.grading.spec import GradingSpec

try:
    import fcntl
except ModuleNotFoundError:  # Windows has none; there two runs at once are not noticed
    fcntl = None


class Course:
    """A course folder and one of its assignments.

    Args:
        folder: DIR.
        assignment: "01-one-hot".
        hidden_modules: for each assignment, the modules of ours that answer its tasks.

    Raises:
        UserError: if there is no such folder, it cannot be written, or nothing was submitted.
    """

    def __init__(self, folder: Path, assignment: str, hidden_modules: Mapping[str, Sequence[str]]):
        self.hidden_modules = hidden_modules
        self.folder, self.assignment = folder.resolve(), assignment
        if not self.folder.is_dir():
            raise UserError(
                f"There is no folder {folder}. Expected a course folder that holds "
                f"submitted/STUDENT/{assignment}/{assignment}.ipynb."
            )
        try:
            with TemporaryDirectory(dir=self.folder, prefix=".headway-"):
                pass
        except OSError as error:
            raise UserError(
                f"The folder {folder} cannot be written ({error.strerror}), and the gradebook and "
                "the report go there. Give yourself write permission, or copy the folder."
            ) from error
        self.config = self._load_config()
        self.directory = CourseDirectory(
            config=self.config, root=str(self.folder), assignment_id=assignment
        )
        self.submitted = self.folder / self.directory.submitted_directory
        if not any(self.submissions()):
            raise UserError(
                f"Nothing was submitted for {assignment} in {folder}. Expected notebooks in "
                f"{self.submitted.name}/STUDENT/{assignment}/{assignment}.ipynb; nbgrader's "
                "zip_collect and collect put them there."
            )

    def _load_config(self) -> Config:
        config = Config()
        configure(config, self.hidden_modules)
        path = self.folder / "nbgrader_config.py"
        if path.exists():
            try:
                config.merge(PyFileConfigLoader(path.name, str(self.folder)).load_config())
            except Exception as error:
                raise UserError(f"{path} raises {type(error).__name__}: {error}") from error
        return config

    def submissions(self) -> list[str]:
        """The students who handed something in for the assignment, by name of folder."""
        return sorted(
            path.parent.name
            for path in self.submitted.glob(f"*/{self.assignment}")
            if not path.parent.name.startswith(".")
        )

    def submission(self, student: str) -> Path:
        """The folder that a student handed in."""
        return self.submitted / student / self.assignment

    @property
    def state(self) -> Path:
        """Where it is kept how far the grading has come."""
        return self.folder / STATE / self.assignment

    @property
    def source(self) -> Path:
        """The notebook that submissions are graded against."""
        folder = self.directory.format_path(self.directory.source_directory, ".", self.assignment)
        return Path(os.path.normpath(folder)) / f"{self.assignment}.ipynb"

    def autograded(self, student: str) -> Path:
        """The executed notebook of a student."""
        folder = self.directory.format_path(
            self.directory.autograded_directory, student, self.assignment
        )
        return Path(folder) / f"{self.assignment}.ipynb"

    def feedback(self, student: str) -> Path:
        """The page that tells a student how it went."""
        folder = self.directory.format_path(
            self.directory.feedback_directory, student, self.assignment
        )
        return Path(folder) / f"{self.assignment}.html"

    def back_up(self) -> None:
        """Keep a copy of the gradebook; see `headway.grading.backups`.

        Raises:
            UserError: if it is gone, empty or damaged where a copy is kept.
        """
        kind, _, path = self.directory.db_url.partition(":///")
        if kind == "sqlite":  # of another database its keeper makes copies
            back_up(self.folder / path, self.folder / STATE / "backups")

    def prepare(self, solution: Path) -> bool:
        """Make ready to grade: source, configuration and the assignment in the gradebook.

        Args:
            solution: the checkout's notebook with its solution.

        Returns:
            whether the source is the checkout's own.

        Raises:
            UserError: if nbgrader refuses the source.
        """
        if not self.source.exists():
            copy_whole(solution.parent, self.source.parent)
        config_file = self.folder / "nbgrader_config.py"
        if not config_file.exists():
            config_file.write_text(COURSE_CONFIG, encoding="utf-8")
        with TemporaryDirectory() as scratch, temp_attrs(self.directory, release_directory=scratch):
            try:
                self._convert_in_one_transaction(GenerateAssignment, self.config)
            except ConversionError as error:
                if isinstance(error.__cause__, DatabaseError):
                    raise self._unusable(error.__cause__) from error
                raise UserError(
                    f"nbgrader cannot take {self.source} into the gradebook of {self.folder}. "
                    f"{error} If the source changed after submissions were graded, grade in a "
                    "fresh course folder."
                ) from error
        return self.source.read_bytes() == solution.read_bytes()

    def spec(self) -> GradingSpec:
        """What the submissions are graded by; after `prepare`.

        Raises:
            UserError: if there is no sandbox here and submissions are not trusted.
        """
        editions = update_editions(self.directory, self.config, self.assignment)
        hidden_modules = self.hidden_modules.get(self.assignment, ())
        allowance = Allowance(config=self.config)
        return GradingSpec(self.assignment, tuple(editions), tuple(hidden_modules), allowance)

    def record(
        self, student: str, snapshot: Snapshot, graded_notebook: str, with_feedback: bool = True
    ) -> None:
        """Put a graded notebook into the gradebook, and write the student's feedback.

        Recording the same once more changes nothing.

        Args:
            snapshot: what was handed in.
            graded_notebook: the graded notebook, as JSON.

        Raises:
            ConversionError: if nbgrader could not.
        """
        config = deepcopy(self.config)
        config.Autograde.exporter_class = "nbconvert.exporters.NotebookExporter"
        config.NotebookExporter.optimistic_validation = True  # once, after the last change
        with TemporaryDirectory(dir=self.state, prefix=SCRATCH) as folder:
            StagingFolder(Path(folder)).put(
                student, self.assignment, snapshot, graded_notebook.encode()
            )
            with temp_attrs(self.directory, student_id=student):
                with temp_attrs(self.directory, submitted_directory=folder):
                    self._convert_in_one_transaction(Recorder, config)
                if with_feedback:
                    convert(GenerateFeedback, self.directory, config)

    def _convert_in_one_transaction(self, converter: type[BaseConverter], config: Config) -> None:
        """Run a converter so that the gradebook gets all that it writes, or nothing."""
        try:
            with one_transaction(self.directory.db_url):
                convert(converter, self.directory, config)
        except DatabaseError as error:
            raise ConversionError(f"{type(error).__name__}: {error.orig}.") from error

    def scores(self) -> dict[str, tuple[float, float]]:
        """What the gradebook says of each submission of the assignment: score, and the most."""
        with self.gradebook() as gradebook:
            return {
                student: (max(0.0, score - (penalty or 0.0)), most)
                for student, score, penalty, most in gradebook.db.query(
                    SubmittedAssignment.student_id,
                    SubmittedAssignment.score,
                    SubmittedAssignment.late_submission_penalty,
                    SubmittedAssignment.max_score,
                ).filter(SubmittedAssignment.name == self.assignment)
            }

    @contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        """nbgrader's gradebook of this folder.

        Raises:
            UserError: if it cannot be read.
        """
        try:
            with Gradebook(self.directory.db_url, self.directory.course_id) as gradebook:
                yield gradebook
        except DatabaseError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: DatabaseError) -> UserError:
        return UserError(
            f"The gradebook of {self.folder} cannot be used: {error.orig}. If it is locked, close "
            "what else uses it; if it is damaged, move gradebook.db away, since everything can be "
            "graded again. The same command goes on."
        )

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other runs out of the folder meanwhile.

        Raises:
            UserError: if another run is at work in it.
        """
        # The file stays: one that is deleted could be locked by one run and made anew by another.
        with (self.folder / ".headway.lock").open("w") as file:
            if fcntl:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    raise UserError(
                        f"Another headway grade is at work in {self.folder}. "
                        "Wait for it, or stop it."
                    ) from error
            yield
