"""Safe grading for `nbgrader autograde` and the formgrader's button.

nbgrader creates an exporter at the start of a conversion, before it copies or parses a submission.
This exporter then reads all submissions, lets nbgrader work on a safe folder instead of theirs, and
returns the graded notebook whenever nbgrader asks for a submitted one: run in the sandbox, and
judged outside of it.
"""

import io
import secrets
import weakref
from pathlib import Path
from tempfile import TemporaryDirectory

from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from traitlets import Dict

from headway.errors import UserError
from headway.grading.intake.submission import Missing, SetAside, Snapshot, take_snapshot
from headway.grading.nbgrader.course_config import refuse_execution
from headway.grading.nbgrader.recorded import forget_time, is_taken_in
from headway.grading.nbgrader.source import grading_spec
from headway.grading.nbgrader.staging import StagingFolder, shown_name
from headway.grading.nbgrader_adapter import (
    found_submissions,
    grade_from,
    reads_what_was_handed_in,
)
from headway.grading.notebooks.points import reweighting_warnings
from headway.grading.spec import GradingSpec
from headway.grading.workers.shared_slot import grade_in_shared_slot


class SandboxExporter(NotebookExporter):
    """For `Autograde.exporter_class`."""

    hidden_modules = Dict(
        help="For each assignment, the modules of ours that answer its tasks."
    ).tag(config=True)

    def __init__(self, config=None, **kw):
        super().__init__(config=config, **kw)
        if isinstance(self.parent, Autograde):
            self._seed, self._taken, self._specs = secrets.randbits(62), {}, {}
            scratch = TemporaryDirectory(prefix="headway-")
            weakref.finalize(self, scratch.cleanup)
            try:
                self._refuse_execution(self.parent)
                self._take_in(self.parent, Path(scratch.name))
            except UserError as error:
                self.log.error(str(error))
                raise NbGraderException(str(error)) from error

    def _refuse_execution(self, converter: Autograde) -> None:
        where = f"The configuration of {converter.coursedir.root}"
        refuse_execution(converter.sanitize_preprocessors, where)
        refuse_execution(converter.autograde_preprocessors, where, scores=True)

    def _take_in(self, converter: Autograde, folder: Path) -> None:
        """Read the submissions, and point the converter to a folder with safe copies."""
        self._directory = converter.coursedir
        staging, found = StagingFolder(folder), found_submissions(converter)
        for assignment in sorted({assignment for _, assignment in found.values()}):
            self._require_taken_in(assignment)
        for path, (student, assignment) in found.items():
            name = shown_name(student)
            while (assignment, name) in self._taken:
                name += "'"
            try:
                snapshot = take_snapshot(Path(path), assignment, student)
                staging.put(name, assignment, snapshot, notebook=b"{}")
            except (SetAside, Missing) as reason:
                snapshot = reason
                staging.put(name, assignment, Snapshot(b"", {}, ""), notebook=b"{}")
            self._taken[assignment, name] = snapshot
            if isinstance(snapshot, Snapshot) and snapshot.timestamp is None:
                with Gradebook(self._directory.db_url, self._directory.course_id) as gradebook:
                    forget_time(gradebook, assignment, student)
        grade_from(converter, folder)

    def _require_taken_in(self, assignment: str) -> None:
        """Raise UserError if an assignment is not in the gradebook, before nbgrader begins."""
        with Gradebook(self._directory.db_url, self._directory.course_id) as gradebook:
            if is_taken_in(gradebook, assignment):
                return
        command = f"nbgrader generate_assignment {assignment}"
        if assignment in self.hidden_modules:
            command = f"headway grade {assignment[:2]}"
        raise UserError(
            f"Nothing was graded: the gradebook does not have the cells of {assignment} yet. Run "
            f"{command} first."
        )

    def _spec(self, assignment: str) -> GradingSpec:
        if assignment not in self._specs:
            self._specs[assignment] = self._make_spec(assignment)
        return self._specs[assignment]

    def _make_spec(self, assignment: str) -> GradingSpec:
        spec = grading_spec(self._directory, self.config, assignment, self.hidden_modules)
        for warning in reweighting_warnings(spec.releases, assignment):
            self.log.warning(warning)
        return spec

    def from_filename(self, filename, resources=None, **kw):
        if not reads_what_was_handed_in(self.parent):
            return super().from_filename(filename, resources, **kw)
        names = resources["nbgrader"]
        snapshot = self._taken[names["assignment"], names["student"]]
        if not isinstance(snapshot, Snapshot):
            raise snapshot
        result = grade_in_shared_slot(self._spec(names["assignment"]).job(snapshot, self._seed))
        if result["status"] != "graded":
            raise SetAside(result["reason"])
        return self.from_file(io.StringIO(result["notebook"]), resources, **kw)
