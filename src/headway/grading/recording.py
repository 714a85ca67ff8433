"""Record graded submissions in the gradebook, several in one transaction.

Opening the gradebook, finding the assignment and writing to the disk takes the same time for one
submission as for many. Waiting submissions are in the journal already, so a killed run loses
nothing. If a transaction fails, its submissions are recorded one by one: only those that nbgrader
refuses are set aside.
"""

import json
import time
from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode, from_dict
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from traitlets.config import Config

from headway.grading.course_files import CourseFiles
from headway.grading.files import SCRATCH
from headway.grading.intake.submission import Snapshot
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.nbgrader.recorded import forget_time
from headway.grading.nbgrader.staging import StagingFolder
from headway.grading.nbgrader_adapter import convert_in_one_step, preprocessors_of, time_in
from headway.interrupts import held

Graded = tuple[Snapshot, str]  # the submission, and the graded notebook as JSON
MOST, LONGEST = 8, 2.0  # submissions in a transaction; seconds that the first one waits
PLAIN_REASONS = {
    "SchemaTooOldError": "The assignment's nbgrader data is of an old version.",
    "SchemaTooNewError": "The assignment's nbgrader data is of a newer version of nbgrader.",
}


class RecordingQueue:
    """A queue of graded submissions to be recorded in the gradebook.

    Args:
        put: records graded notebooks, all of them or none, as `record` does.
        journal: the journal; it has the submissions already, and they are marked as recorded.

    Attributes:
        recorded: the students who were recorded.
    """

    def __init__(self, put: Callable[[Mapping[str, Graded]], None], journal: Journal):
        self._put, self._journal = put, journal
        self.recorded: set[str] = set()
        self._waiting: dict[str, tuple[Entry, Graded]] = {}
        self._since = 0.0

    def add(self, student: str, snapshot: Snapshot, entry: Entry, notebook: str) -> None:
        """Add a submission; record all that wait, if it is time for that.

        Args:
            entry: its entry in the journal.
            notebook: the graded notebook, as JSON.

        Raises:
            UserError, MachineError: if the gradebook cannot be written.
        """
        self._since = self._since if self._waiting else time.monotonic()
        self._waiting[student] = entry, (snapshot, notebook)
        if len(self._waiting) >= MOST or time.monotonic() - self._since > LONGEST:
            self.flush()

    def flush(self) -> None:
        """Record all waiting submissions. Raises as `add`."""
        waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        try:
            self._record(waiting)
        except ConversionError:
            for student, one in waiting.items():
                self._record_alone(student, one)

    def _record_alone(self, student: str, one: tuple[Entry, Graded]) -> None:
        try:
            self._record({student: one})
        except ConversionError as error:
            kind = type(error.__cause__).__name__
            reason = PLAIN_REASONS.get(kind, f"nbgrader could not record it. {error}")
            aside = replace(one[0], status="set-aside", key={}, reason=reason, tasks={})
            self._journal.write(student, aside)

    @held()
    def _record(self, waiting: Mapping[str, tuple[Entry, Graded]]) -> None:
        """Record some submissions, all or none. Raises as `record`."""
        self._put({student: graded for student, (_, graded) in waiting.items()})
        for student, (entry, _) in waiting.items():
            self._journal.mark_recorded(student, entry)
            self.recorded.add(student)


@held()
def record(
    files: CourseFiles,
    gradebook: GradebookFile,
    config: Config,
    graded: Mapping[str, Graded],
) -> None:
    """Record graded notebooks in the gradebook, all of them or none.

    Recording the same notebook again changes nothing.

    Args:
        graded: student → the snapshot, and the graded notebook as JSON.

    Raises:
        ConversionError: if nbgrader failed because of one of the notebooks.
        UserError, MachineError: if it failed for another reason.
    """
    config = deepcopy(config)
    config.Autograde.exporter_class = GradedNotebookExporter
    with TemporaryDirectory(dir=files.state, prefix=SCRATCH) as folder:
        staging = StagingFolder(Path(folder))
        for student, (snapshot, notebook) in graded.items():
            staging.put(student, files.assignment, snapshot, notebook.encode())
        directory = copy(files.directory)
        directory.submitted_directory, directory.student_id = folder, "*"
        try:
            gradebook.convert(Recorder, directory, config)
        except ConversionError as error:
            raise gradebook.not_written(error) or error from error.__cause__


class Recorder(Autograde):
    """nbgrader's converter, for notebooks that are judged already; it takes one pass for each."""

    def init_assignment(self, assignment_id, student_id):
        super().init_assignment(assignment_id, student_id)
        if time_in(self, assignment_id, student_id) is None:
            with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
                forget_time(gradebook, assignment_id, student_id)

    def convert_single_notebook(self, notebook_filename):
        convert_in_one_step(self, notebook_filename)


class GradedNotebookExporter(NotebookExporter):
    """For `Recorder.exporter_class`: creates the notebook itself, which avoids copies.

    It is validated against nbformat's schema once, after the last preprocessor.
    """

    def from_file(self, file_stream, resources=None, **kw):
        return self.from_notebook_node(from_dict(json.load(file_stream)), resources, **kw)

    def from_notebook_node(self, nb: NotebookNode, resources=None, **kw):
        resources = self._init_resources(resources)
        resources["output_suffix"] = ".nbconvert"
        for preprocessor in preprocessors_of(self):
            nb, resources = preprocessor(nb, resources)
        nbformat.validate(nb, relax_add_props=True)
        return f"{json.dumps(nb, ensure_ascii=False)}\n", resources
