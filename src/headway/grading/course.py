"""An instructor's course folder, as nbgrader lays it out, opened for one assignment.

    DIR/submitted/STUDENT/01-one-hot/01-one-hot.ipynb    handed in
    DIR/source/01-one-hot/01-one-hot.ipynb               what it is graded against
    DIR/gradebook.db, autograded/, feedback/             nbgrader's
    DIR/grades.csv, report.json, report.html, reports/   the results
    DIR/feedback-earlier/                                pages that a later one replaced
    DIR/.headway/                                        the state of grading

The first run copies the source from the checkout. Later runs keep it, so that submissions are
always graded against the release that the students got.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from copy import copy, deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from types import MappingProxyType

import nbformat
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import temp_attrs
from sqlalchemy.exc import DatabaseError

from headway.errors import MachineError, UserError, is_fault
from headway.grading.allowance import Allowance
from headway.grading.course_folder import CourseFolder
from headway.grading.files import SCRATCH, copy_atomically, write_text
from headway.grading.intake.submission import Snapshot
from headway.grading.locks import locked
from headway.grading.nbgrader.config_file import complete_config
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.nbgrader.course_config import PlugIns, load_config
from headway.grading.nbgrader.earlier_pages import earlier_pages, keeping_earlier
from headway.grading.nbgrader.editions import update_editions
from headway.grading.nbgrader.feedback import notebook_of, write_feedback
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.nbgrader.penalties import assign_again, plug_in_digest
from headway.grading.nbgrader.recorded import (
    HandPoints,
    RecordedSubmission,
    bonuses,
    forget_begun,
    points_by_hand,
    recorded_submissions,
)
from headway.grading.nbgrader.recorder import Recorder
from headway.grading.nbgrader.staging import StagingFolder
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.platforms.roster import names_of
from headway.grading.results.graded_notebook import METADATA_KEY
from headway.grading.settings import holds_a_course
from headway.grading.spec import GradingSpec
from headway.interrupts import held

NO_CHANGES: Mapping[str, Sequence[str]] = MappingProxyType({})
READ_OTHERWISE = re.compile(r"[?*\[\]\n]|%[0-9A-Fa-f]{2}")  # special in file patterns and URLs


class Course(CourseFolder):
    """A course folder and one of its assignments.

    Args:
        folder: DIR.
        assignment: "01-one-hot".
        hidden_modules: for each assignment, this package's modules that answer its tasks.
        may_be_empty: accept a folder without submissions.
        dry_run: leave the folder's settings as they are, also where they lack the course's.

    Raises:
        UserError: if the folder does not exist or is not writable, its settings cannot be read or
            completed, or nothing was submitted.
    """

    def __init__(
        self,
        folder: Path,
        assignment: str,
        hidden_modules: Mapping[str, Sequence[str]],
        may_be_empty: bool = False,
        dry_run: bool = False,
    ):
        self.hidden_modules, self.dry_run = hidden_modules, dry_run
        self.folder, self.assignment = folder.resolve(), assignment
        if not self.folder.is_dir():
            expected = f"that holds submitted/STUDENT/{assignment}/{assignment}.ipynb"
            raise UserError(
                f"There is no folder {folder}. Expected a course folder"
                + (", which may be empty." if may_be_empty else f" {expected}.")
            )
        if odd := READ_OTHERWISE.search(str(self.folder)):
            raise UserError(
                f"The path {self.folder} has {odd[0]!r} in it, which means something else to "
                "nbgrader or its database. Rename or move the folder."
            )
        try:
            with TemporaryDirectory(dir=self.folder, prefix=".headway-"):
                pass
        except OSError as error:
            raise UserError(
                f"The folder {folder} cannot be written ({error.strerror}), but the gradebook "
                "and the report have to go there. Give yourself write permission, or copy the "
                "folder."
            ) from error
        self.plug_ins = PlugIns(self.folder)
        with self.plug_ins.on_path():
            if not dry_run and holds_a_course(self.folder):
                complete_config(self.folder, hidden_modules)
            self.config = load_config(self.folder, hidden_modules)
        self.coursedir = CourseDirectory(
            config=self.config, root=str(self.folder), assignment_id=assignment
        )
        self.gradebook_file = GradebookFile(self.folder, self.coursedir)
        self.submitted = self.folder / self.coursedir.submitted_directory
        if not may_be_empty and not self.submissions():
            raise UserError(
                f"Nothing was submitted for {assignment} in {self.folder}. Expected notebooks in "
                f"{self.submitted.name}/STUDENT/{assignment}/{assignment}.ipynb. `headway "
                "class collect` puts them there, or nbgrader's collect."
            )

    def graded_notebook(self, student: str, results: Mapping[str, TaskResult]) -> str | None:
        """The text of the `autograded` notebook, if it contains exactly these results."""
        try:
            notebook = nbformat.read(self.autograded(student), as_version=4)
            judged = notebook["metadata"][METADATA_KEY]["tasks"]
        except Exception:  # not a readable graded notebook
            return None
        same = judged == {name: result.as_dict() for name, result in results.items()}
        return json.dumps(notebook, ensure_ascii=False) if same else None

    def prepare(self, solution: Path | None) -> bool:
        """Prepare for grading: the source, and the assignment in the gradebook.

        Args:
            solution: the checkout's notebook with its solution; None without a checkout.

        Returns:
            whether the source equals the checkout's; True without a checkout.

        Raises:
            UserError: if there is no source, or nbgrader refuses it.
            MachineError: if the disk is full.
        """
        if not self.source.exists():
            if solution is None:
                raise UserError(
                    f"There is no {self.source}, and this installation of headway holds no "
                    "solutions. Put the solution that your students' notebooks were released from "
                    "there, or grade from a checkout of the course."
                )
            copy_atomically(solution.parent, self.source.parent)
        with self.gradebook() as gradebook:
            forget_begun(gradebook, self.assignment)
        with TemporaryDirectory() as scratch, temp_attrs(self.coursedir, release_directory=scratch):
            try:
                self.gradebook_file.convert(GenerateAssignment, self.coursedir, self.config)
            except ConversionError as error:
                if isinstance(error.__cause__, DatabaseError):
                    raise self.gradebook_file.unusable(error.__cause__) from error
                if is_fault(error.__cause__):
                    raise MachineError(
                        f"{self.source} cannot be taken into the gradebook: {error}. There may "
                        f"be no room in {gettempdir()} or in {self.folder}; make some and run "
                        "the same command."
                    ) from error
                raise UserError(
                    f"nbgrader cannot take {self.source} into the gradebook of {self.folder}. "
                    f"{error} If the source changed after submissions were graded, grade in a "
                    "fresh course folder."
                ) from error
        return solution is None or self.source.read_bytes() == solution.read_bytes()

    def spec(self) -> GradingSpec:
        """The specification for grading the submissions; call `prepare` before.

        Raises:
            UserError: if no sandbox is available and submissions are not trusted.
        """
        editions = update_editions(self.coursedir, self.config, self.assignment)
        hidden_modules = self.hidden_modules.get(self.assignment, ())
        allowance = Allowance(config=self.config)
        return GradingSpec(self.assignment, tuple(editions), tuple(hidden_modules), allowance)

    @held()
    def record(self, graded: Mapping[str, tuple[Snapshot, str]]) -> None:
        """Record graded notebooks in the gradebook, all of them or none.

        Recording the same notebook again changes nothing.

        Args:
            graded: student → the snapshot, and the graded notebook as JSON.

        Raises:
            ConversionError: if nbgrader failed because of one of the notebooks.
            UserError, MachineError: if it failed for another reason.
        """
        config = deepcopy(self.config)
        exporter = "headway.grading.nbgrader.recorder.GradedNotebookExporter"
        config.Autograde.exporter_class = exporter
        with TemporaryDirectory(dir=self.state, prefix=SCRATCH) as folder:
            staging = StagingFolder(Path(folder))
            for student, (snapshot, notebook) in graded.items():
                staging.put(student, self.assignment, snapshot, notebook.encode())
            directory = copy(self.coursedir)
            directory.submitted_directory, directory.student_id = folder, "*"
            try:
                self.gradebook_file.convert(Recorder, directory, config)
            except ConversionError as error:
                raise self.gradebook_file.not_written(error) or error from error.__cause__

    def in_gradebook(self) -> dict[str, RecordedSubmission]:
        """The gradebook's record of each submission of the assignment, by student."""
        with self.gradebook() as gradebook:
            return recorded_submissions(gradebook, self.assignment)

    def points_by_hand(self) -> dict[str, dict[str, HandPoints]]:
        """Points by hand, by student and by grade_id."""
        with self.gradebook() as gradebook:
            return points_by_hand(gradebook, self.assignment)

    def bonuses(self) -> dict[tuple[str, str], float]:
        """Student and grade_id → the extra credit of a stretch task."""
        with self.gradebook() as gradebook:
            return bonuses(gradebook, self.assignment)

    def names(self) -> dict[str, str]:
        """The names of the gradebook's students, by id; empty for a student without a name."""
        with self.gradebook() as gradebook:
            return names_of(gradebook)

    def write_feedback(
        self, students: Sequence[str], changes: Mapping[str, Sequence[str]] = NO_CHANGES
    ) -> dict[str, ConversionError]:
        """Write feedback pages, and return the errors by student; all must be in the gradebook.

        Pages that change are kept in `feedback-earlier/`.

        Args:
            changes: student → sentences on how the score has changed.

        Raises:
            MachineError: if the disk is full.
        """
        pages = {self.feedback(one): self.earlier_feedback(one) for one in students}
        with self.gradebook() as gradebook, keeping_earlier(pages):
            return write_feedback(gradebook, self.coursedir, self.config, students, changes)

    def withdraw_feedback(self, students: Iterable[str]) -> None:
        """Remove the feedback pages of students who have no grade now; they are kept, too."""
        for student in students:
            page = self.feedback(student)
            with keeping_earlier({page: self.earlier_feedback(student)}):
                for copy in page.parent.glob("*.html"):
                    copy.unlink()

    def earlier_pages(self, students: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The names of the earlier feedback pages, by student, oldest first."""
        return {
            one: tuple(page.name for page in earlier_pages(self.earlier_feedback(one)))
            for one in students
        }

    def feedback_notebook(self, gradebook: Gradebook, student: str, changes: Sequence[str]) -> str:
        """A student's feedback as a notebook; the student must be in the gradebook."""
        graded = self.autograded(student)
        return notebook_of(gradebook, self.assignment, student, graded, changes)

    @held()
    def assign_penalties(self, students: Iterable[str]) -> dict[str, str]:
        """Update the penalties of these students; see `assign_again`."""
        return assign_again(self.coursedir, self.config, self.in_gradebook(), students)

    def unsaid(self, remarks: Sequence[str]) -> list[str]:
        """Those of some remarks that the last run did not make; the next one won't make them."""
        path, before = self.state / "said.json", []
        with suppress(OSError, ValueError):
            before = json.loads(path.read_text(encoding="utf-8"))
        write_text(path, json.dumps(list(remarks)))
        return [remark for remark in remarks if remark not in before]

    def penalties_rest_on(self) -> str:
        """A digest of the plug-in that computes penalties, and of its settings."""
        return plug_in_digest(self.config, self.folder)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """A context that locks the folder against other runs, and puts it on Python's path.

        Raises:
            UserError: if another run has locked it, or its settings cannot be completed.
        """
        with locked(self.folder), self.plug_ins.on_path():
            if not self.dry_run:  # an empty folder becomes a course folder here
                complete_config(self.folder, self.hidden_modules)
            yield

    def gradebook(self) -> AbstractContextManager[Gradebook]:
        """A context with this folder's gradebook, opened by nbgrader.

        Raises:
            UserError: if it cannot be read.
        """
        return self.gradebook_file.opened()
