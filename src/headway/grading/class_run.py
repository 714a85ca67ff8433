"""One grading run over a class: read the submissions, let workers grade them, record the results.

If a run was stopped, the next one continues. A submission is graded again only if something that
decides its result has changed. A submission that fails is set aside and does not stop the others.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import nbformat

from headway.errors import MachineError
from headway.grading.copies import read_collected
from headway.grading.course import Course
from headway.grading.intake.submission import Missing, SetAside, Snapshot, take_snapshot
from headway.grading.journal import CurrentScore, Entry, Journal
from headway.grading.nbgrader.feedback import withdraw_feedback, write_feedback
from headway.grading.nbgrader.penalties import assign_again, plug_in_digest
from headway.grading.nbgrader.recorded import RecordedSubmission, recorded_submissions
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.platforms.people import owners
from headway.grading.platforms.roster import names_of
from headway.grading.recording import RecordingQueue, record
from headway.grading.results.graded_notebook import METADATA_KEY
from headway.grading.score_changes import carried_on, changes_of, note_changes, this_minute
from headway.grading.spec import GradingSpec, what_decides
from headway.grading.workers.pool import Pool

FAULTS = 3  # after so many faults in a row, check whether the machine can grade at all
HANDED_OUT = ""  # instead of a student's name, which is never empty


@dataclass(frozen=True)
class Options:
    """How to grade.

    Attributes:
        only: grade only this student; the others keep their results.
        force: also grade unchanged submissions again.
        feedback: write the students' pages.
    """

    only: str | None = None
    force: bool = False
    feedback: bool = True


@dataclass(frozen=True)
class Work:
    """A submission to be graded.

    Attributes:
        students: whose it is; several of a group, if they handed in the same files.
        snapshot: what they handed in; None if there is nothing to grade.
        seed: seed of the hidden cases.
    """

    students: tuple[str, ...]
    snapshot: Snapshot | None = None
    seed: int = 0


@dataclass(frozen=True)
class Settled:
    """What is known of a class when all are graded.

    Attributes:
        recorded: student → the gradebook's record.
        penalty_errors: student → why the penalty could not be computed.
        older: students who have an earlier score again; see `note_changes`.
    """

    recorded: Mapping[str, RecordedSubmission]
    penalty_errors: Mapping[str, str]
    older: list[str]


class ClassRun:
    """One run over an assignment's submissions."""

    def __init__(self, course: Course, spec: GradingSpec, options: Options):
        self.files, self.gradebook, self.config = course.files, course.gradebook, course.config
        self.spec, self.options = spec, options
        self.journal = Journal(self.files.state)
        self.seed = self.journal.seed()
        self.key = what_decides(spec)
        self.before = self._in_gradebook()
        with self.gradebook.opened() as gradebook:
            self.names = names_of(gradebook)
        put = partial(record, self.files, self.gradebook, self.config)
        self.recording = RecordingQueue(put, self.journal)
        self.groups = read_collected(self.files.state).groups

    def grade(self, students: list[str], pool: Pool) -> Iterator[str]:
        """Grade these students; yield each name when that student is done."""
        faults = 0
        for work, result in pool.map(self._works(students)):
            for student in work.students:
                if result:
                    self._take_result(student, work.snapshot, work.seed, result)
                yield student
            if result:
                faults = faults + 1 if result["status"] == "fault" else 0
            if faults == FAULTS:
                faults = 0
                self._require_machine(pool)

    def _require_machine(self, pool: Pool) -> None:
        """Grade the released notebook, to find out whether the machine is at fault.

        If not, the submissions are (several may have the same content), and the run goes on.

        Raises:
            MachineError: if the release cannot be graded either.
        """
        snapshot = Snapshot(self.spec.releases[-1].encode(), {}, "")
        job = self.spec.job(snapshot, self.seed)
        for _, result in pool.map([(HANDED_OUT, job)]):
            if result["status"] != "fault":
                continue
            self.recording.flush()
            raise MachineError(
                f"The run stopped: {FAULTS} submissions in a row could not be graded on this "
                "machine, nor could the notebook as it was handed out, because "
                f"{result['reason']}. What was done is kept. Make room or free memory (`headway "
                "doctor` helps), and run the same command."
            )

    def _works(self, students: Iterable[str]) -> Iterator[tuple[Work, dict | None]]:
        """Yield each submission with its job; with None if there is nothing to grade."""
        for mates in _by_group(students, self.groups):
            same: dict[tuple[str, int], list[Work]] = {}
            for student in mates:
                if work := self._read(student):
                    same.setdefault((work.snapshot.digest, work.seed), []).append(work)
                else:
                    yield Work((student,)), None
            for works in same.values():
                work = replace(works[0], students=tuple(one.students[0] for one in works))
                yield work, self.spec.job(work.snapshot, work.seed)

    def _read(self, student: str) -> Work | None:
        """What a student handed in, if it must be graded; else None, and the journal has why."""
        entry = self.journal.read(student)
        try:
            for reason in owners(student, self.names).values():
                raise SetAside(reason)
            folder = self.files.submission(student)
            snapshot = take_snapshot(folder, self.files.assignment, student)
        except (SetAside, Missing) as reason:
            status = "missing" if isinstance(reason, Missing) else "set-aside"
            self._write_entry(student, Entry(status, reason=str(reason)), entry)
            return None
        key = {"submission": snapshot.digest, **self.key}
        same = entry is not None and {**entry.key, "points": key["points"]} == key
        if same and not self.options.force and self._done_before(student, snapshot, entry, key):
            return None
        # An unchanged submission gets the same cases, and so the same score.
        unchanged = entry is not None and entry.key.get("submission") == snapshot.digest
        return Work((student,), snapshot, entry.seed if unchanged else self.seed)

    def _count_anew(self, only: str) -> None:
        """Record the other students again if points changed, since all share one maximum."""
        for student in self.files.submissions():
            entry = self.journal.read(student)
            if student == only or not entry or entry.status != "graded":
                continue
            if entry.key.get("points") == self.key["points"]:
                continue
            try:
                folder = self.files.submission(student)
                snapshot = take_snapshot(folder, self.files.assignment, student)
            except (SetAside, Missing):
                continue
            key = {"submission": snapshot.digest, **self.key}
            if {**entry.key, "points": key["points"]} == key:
                self._done_before(student, snapshot, entry, key)

    def _done_before(
        self, student: str, snapshot: Snapshot, entry: Entry, key: dict[str, str]
    ) -> bool:
        """Whether an earlier run's result is still valid, so that nothing has to run.

        It is recorded if it was not yet, or if the points of cells have changed.

        Args:
            key: what decides the result now; it may differ from the entry's key only in points.
        """
        if entry.status != "graded":
            return True
        if entry.recorded and entry.key == key and student in self.before:
            return self.files.autograded(student).exists()
        if entry.recorded:
            graded_notebook = _graded_notebook(self.files.autograded(student), entry.tasks)
        else:
            graded_notebook = self.journal.unrecorded_notebook(student)
        if graded_notebook is None:
            return False
        self.recording.add(student, snapshot, replace(entry, key=key), graded_notebook)
        return True

    def _take_result(self, student: str, snapshot: Snapshot, seed: int, result: dict) -> None:
        earlier = self.journal.read(student)
        status, reason = result["status"], result.get("reason")
        key = {"submission": snapshot.digest, **self.key}
        if status == "fault" or result.get("again"):
            key = {}  # the next run tries again
        if status == "fault":
            status = "set-aside"
            reason = (
                f"It could not be graded on this machine: {reason}. The submission need not be the "
                "cause; grade it again."
            )
        entry = Entry(status, key, seed, reason, notes=snapshot.notes)
        if entry.status != "graded":
            self._write_entry(student, entry, earlier)
            return
        judged = json.loads(result["notebook"])["metadata"][METADATA_KEY]
        entry = replace(
            entry,
            seconds=result["seconds"],
            tasks={name: TaskResult(**judged["tasks"][name]) for name in judged["order"]},
            notes=(*snapshot.notes, *judged["notes"]),
        )
        entry = self._write_entry(student, entry, earlier, result["notebook"])
        self.recording.add(student, snapshot, entry, result["notebook"])

    def settle(self, students: list[str]) -> Settled:
        """Finish after `grade`: record what is left, and update penalties and feedback pages.

        Raises:
            MachineError: if the disk is full.
        """
        if self.options.only is not None:
            self._count_anew(self.options.only)
        self.recording.flush()
        others = [student for student in students if student not in self.recording.recorded]
        errors = assign_again(self.files.directory, self.config, self._in_gradebook(), others)
        recorded = self._in_gradebook()
        plug_in = plug_in_digest(self.config, self.files.folder)
        older = note_changes(self.journal, recorded, plug_in, self.recording.recorded)
        if self.options.feedback:
            self._write_pages(students, recorded.keys() - errors)
        return Settled(recorded, errors, older)

    def _in_gradebook(self) -> dict[str, RecordedSubmission]:
        with self.gradebook.opened() as gradebook:
            return recorded_submissions(gradebook, self.files.assignment)

    def _write_pages(self, students: list[str], known: Collection[str]) -> None:
        """Write the feedback pages of the graded students; set aside those whose page fails.

        Students without a grade have no page.

        Args:
            known: students in the gradebook, with their penalty.
        """
        graded = [one for one in students if one in known and self._is_graded(one)]
        withdraw_feedback(self.files, set(students) - set(graded))
        changes = changes_of(self.journal, graded)
        with self.gradebook.opened() as gradebook:
            failed = write_feedback(self.files, self.config, gradebook, graded, changes)
        for student, error in failed.items():
            entry = self.journal.read(student)
            reason = f"Its feedback page could not be made. {error} Grade it again."
            aside = replace(entry, status="set-aside", key={}, reason=reason, tasks={})
            self.journal.write(student, aside)

    def _is_graded(self, student: str) -> bool:
        entry = self.journal.read(student)
        return bool(entry) and entry.status == "graded" and entry.recorded

    def _write_entry(
        self, student: str, entry: Entry, earlier: Entry | None, graded_notebook: str | None = None
    ) -> Entry:
        """Write an entry into the journal, with the student's scores so far."""
        recorded = self.before.get(student)
        before = recorded and CurrentScore(recorded.final_score, recorded.penalty, {})
        entry = replace(carried_on(entry, earlier, before), when=this_minute())
        self.journal.write(student, entry, graded_notebook)
        return entry


def _graded_notebook(path: Path, results: Mapping[str, TaskResult]) -> str | None:
    """The text of an `autograded` notebook, if it contains exactly these results."""
    try:
        notebook = nbformat.read(path, as_version=4)
        judged = notebook["metadata"][METADATA_KEY]["tasks"]
    except Exception:  # not a readable graded notebook
        return None
    same = judged == {name: result.as_dict() for name, result in results.items()}
    return json.dumps(notebook, ensure_ascii=False) if same else None


def _by_group(students: Iterable[str], groups: Mapping[str, str]) -> list[list[str]]:
    """The students; those of a group together, where the first of them is."""
    mates: dict[tuple[str, bool], list[str]] = {}
    for student in students:
        in_group = student in groups
        mates.setdefault((groups[student] if in_group else student, in_group), []).append(student)
    return list(mates.values())
