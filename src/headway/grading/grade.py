"""Grading an assignment of a class: submissions go to the workers, results into the gradebook.

Each submission is read at one moment, graded by what was read, and recorded. Where a run was
stopped, the next one goes on; what has been graded by the same things is not graded again. What
goes wrong with one submission is its reason to be set aside, and no other's business.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path

import nbformat
from sqlalchemy.exc import DatabaseError, DataError, IntegrityError

from headway.errors import MachineError, UserError
from headway.grading.course import Course
from headway.grading.digests import digest_of
from headway.grading.files import clear_scratch, write_text, write_whole
from headway.grading.fingerprints import reason_to_regrade, tasks_digest
from headway.grading.intake.submission import Missing, SetAside, Snapshot, take_snapshot
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.graded_notebook import METADATA_KEY
from headway.grading.results.grades_csv import write_table
from headway.grading.results.leaderboard import board_of
from headway.grading.results.leaderboard_page import leaderboard_page
from headway.grading.results.report import Report, Row, read_report
from headway.grading.results.report_page import report_page
from headway.grading.spec import GradingSpec
from headway.grading.workers.pool import Pool

PLAIN_REASONS = {
    "SchemaTooOldError": "The assignment's nbgrader data is of an old version.",
    "SchemaTooNewError": "The assignment's nbgrader data is of a newer version of nbgrader.",
}
FAULTS = 3  # so many submissions in a row that cannot be graded are no accident of one of them
NO_ROOM = ("disk is full", "disk I/O error")  # in SQLite's words
TRUSTED = (
    "Graded with --trust-submissions, without a sandbox: each submission had the rights of whoever "
    "graded, and could change what it liked, its own score included."
)


@dataclass(frozen=True)
class Options:
    """How to grade.

    Attributes:
        only: grade this student alone; the others keep what they have.
        force: grade unchanged submissions again, too.
        feedback: write the students' pages.
    """

    only: str | None = None
    force: bool = False
    feedback: bool = True


def grade_class(
    course: Course,
    solution: Path,
    pool: Pool,
    options: Options = Options(),
    advance: Callable[[str, int, int], None] = lambda student, done, total: None,
) -> tuple[Report, bool]:
    """Grade what was submitted and write gradebook, feedback, grades and report.

    Args:
        course: the course folder.
        solution: the checkout's notebook with its solution.
        pool: who does the work.
        advance: called when a student is done, with how many are and how many there are.

    Returns:
        the report, and whether the source graded against is the checkout's own.

    Raises:
        UserError: if the course cannot be graded at all.
        MachineError: if the run cannot go on. What was done stays, and the next run continues.
    """
    submissions = course.submissions()
    if options.only is not None and options.only not in submissions:
        raise UserError(
            f"There is no submission of {options.only!r} for {course.assignment}. "
            f"Submissions came from: {', '.join(submissions)}."
        )
    with course.lock():
        reports, sources = course.folder / "reports", course.source.parents[1]
        clear_scratch(course.folder, reports, sources, course.state, *course.state.glob("*/"))
        course.back_up()
        own_source = course.prepare(solution)
        run = _Run(course, course.spec(), options)
        wanted = submissions if options.only is None else [options.only]
        try:
            for done, student in enumerate(run.grade(wanted, pool), 1):
                advance(student, done, len(wanted))
        except OSError as error:
            raise MachineError(
                f"The run stopped: {error.strerror or error}. What was done is kept; when there "
                "is room, the same command goes on."
            ) from error
        report = run.report(submissions)
        _write_results(course, report)
        run.journal.end()
    return report, own_source


class _Run:
    """One run over an assignment's submissions."""

    def __init__(self, course: Course, spec: GradingSpec, options: Options):
        self.course, self.spec, self.options = course, spec, options
        self.journal = Journal(course.state)
        self.seed = self.journal.seed()
        self.key = {
            "assignment": digest_of(spec.editions),
            "tasks": tasks_digest(spec.assignment, spec.hidden_modules),
        }
        if spec.allowance.trust_submissions:
            self.key["sandbox"] = "none"
        self.scores_before = course.scores()
        self._faults = 0

    def grade(self, students: list[str], pool: Pool) -> Iterator[str]:
        """Grade these; each name comes when it is done."""
        settled: list[str] = []
        taken: dict[str, tuple[Snapshot, int]] = {}
        for student, result in pool.map(self._jobs(students, settled, taken)):
            yield from _drained(settled)
            self._take_result(student, *taken.pop(student), result)
            yield student
            self._faults = self._faults + 1 if result["status"] == "fault" else 0
            if self._faults == FAULTS:
                raise MachineError(
                    f"The run stopped: {FAULTS} submissions in a row could not be graded on this "
                    f"machine, the last because {result['reason']}. What was done is kept. See "
                    "`headway doctor`, make room or free memory; the same command goes on."
                )
        yield from _drained(settled)

    def _jobs(
        self, students: list[str], settled: list[str], taken: dict[str, tuple[Snapshot, int]]
    ) -> Iterator[tuple[str, dict]]:
        """The jobs, by student; who needs none is settled on the way.

        Args:
            settled: gets the names of those who need no job.
            taken: gets, of each who needs one, what was handed in and the seed.
        """
        for student in students:
            entry = self.journal.read(student)
            try:
                folder = self.course.submission(student)
                snapshot = take_snapshot(folder, self.course.assignment, student)
            except (SetAside, Missing) as reason:
                status = "missing" if isinstance(reason, Missing) else "set-aside"
                self._write_entry(student, Entry(status, reason=str(reason)), entry)
                settled.append(student)
                continue
            key = {"submission": snapshot.digest, **self.key}
            same = entry is not None and entry.key == key
            if same and not self.options.force and self._done_before(student, snapshot, entry):
                settled.append(student)
                continue
            # The same submission meets the same cases, so that it gets the same score.
            unchanged = entry is not None and entry.key.get("submission") == snapshot.digest
            seed = entry.seed if unchanged else self.seed
            taken[student] = snapshot, seed
            yield student, self.spec.job(snapshot, seed, student)

    def _done_before(self, student: str, snapshot: Snapshot, entry: Entry) -> bool:
        """Whether an earlier run leaves nothing to run; what it left unrecorded is recorded."""
        if entry.status != "graded" or (entry.recorded and self._results_exist(student)):
            return True
        graded_notebook = self.journal.unrecorded_notebook(student)
        if entry.recorded or graded_notebook is None:
            return False
        self._record(student, snapshot, entry, graded_notebook)
        return True

    def _results_exist(self, student: str) -> bool:
        """Whether the results are there still; somebody may have put another gradebook there."""
        page = self.course.feedback(student)
        there = student in self.scores_before and self.course.autograded(student).exists()
        return there and (page.exists() or not self.options.feedback)

    def _take_result(self, student: str, snapshot: Snapshot, seed: int, result: dict) -> None:
        earlier = self.journal.read(student)
        status, reason = result["status"], result.get("reason")
        key = {"submission": snapshot.digest, **self.key}
        if status == "fault":
            status, key = "set-aside", {}  # the next run tries again
            reason = (
                f"It could not be graded on this machine: {reason}. The submission need not be the "
                "cause; grade it again."
            )
        entry = Entry(status, key, seed, reason, notes=snapshot.notes)
        if entry.status != "graded":
            self._write_entry(student, entry, earlier)
            return
        judged = nbformat.reads(result["notebook"], as_version=4).metadata[METADATA_KEY]
        entry = replace(
            entry,
            seconds=result["seconds"],
            tasks={name: TaskResult(**judged["tasks"][name]) for name in judged["order"]},
            notes=(*snapshot.notes, *judged["notes"]),
        )
        entry = self._write_entry(student, entry, earlier, result["notebook"])
        self._record(student, snapshot, entry, result["notebook"])

    def _write_entry(
        self, student: str, entry: Entry, earlier: Entry | None, graded_notebook: str | None = None
    ) -> Entry:
        """Write an entry into the journal, with the history that it has."""
        history = earlier.history if earlier else ()
        score = self.scores_before.get(student, (None, None))[0]
        if earlier and earlier.key != entry.key and earlier.recorded and score is not None:
            reason = reason_to_regrade(earlier.key, entry.key) if entry.key else entry.reason
            history = (*history, {"when": earlier.when, "score": score, "why": reason})
        now = datetime.now().astimezone().isoformat(" ", "minutes")
        entry = replace(entry, history=history, when=now)
        self.journal.write(student, entry, graded_notebook)
        return entry

    def _record(self, student: str, snapshot: Snapshot, entry: Entry, graded_notebook: str) -> None:
        try:
            self.course.record(student, snapshot, graded_notebook, self.options.feedback)
        except ConversionError as error:
            cause = error.__cause__
            if isinstance(cause, OSError) or _is_broken(cause):
                stopped = MachineError if _is_of_machine(cause) else UserError
                raise stopped(
                    f"The gradebook of {self.course.folder} cannot be written: {error} Close what "
                    "else uses it, or make room; the same command goes on where this one stopped. "
                    "If it is damaged, move gradebook.db away; everything can be graded again."
                ) from error
            kind = type(cause).__name__
            reason = PLAIN_REASONS.get(kind, f"nbgrader could not record it. {error}")
            aside = replace(entry, status="set-aside", key={}, reason=reason, tasks={})
            self.journal.write(student, aside)
            return
        self.journal.mark_recorded(student, entry)

    def report(self, submissions: list[str]) -> Report:
        """The report of all who have handed in, or of whom the gradebook knows."""
        scores = self.course.scores()
        with self.course.gradebook() as gradebook:
            known = {student.id for student in gradebook.students}
            most = gradebook.find_assignment(self.course.assignment).max_score
        rows, trusted = {}, False
        for student in sorted(set(submissions) | known):
            if student not in submissions:
                rows[student] = Row("missing", None, most, "Nothing was handed in.")
            elif entry := self.journal.read(student):
                rows[student] = _row(entry, scores.get(student), most)
                trusted = trusted or "sandbox" in entry.key
        warnings = (TRUSTED,) if trusted else ()
        footnote = f"Hidden cases of this run: seed {self.seed}."
        return Report(self.course.assignment, rows, warnings, footnote)


def _drained(names: list[str]) -> Iterator[str]:
    while names:
        yield names.pop(0)


def _is_broken(error: BaseException | None) -> bool:
    """Whether it is the database that fails, and not what was to be written there."""
    about_data = (IntegrityError, DataError)
    return isinstance(error, DatabaseError) and not isinstance(error, about_data)


def _is_of_machine(error: BaseException) -> bool:
    """Whether what cannot be written finds no room, or no disk that takes it."""
    return isinstance(error, OSError) or any(words in str(error) for words in NO_ROOM)


def _row(entry: Entry, recorded: tuple[float, float] | None, most: float) -> Row:
    if entry.status == "graded" and not (entry.recorded and recorded):
        reason = "It was graded, but the gradebook does not know it. Grade with --force."
        return Row("set-aside", None, most, reason, entry.seconds)
    if entry.status != "graded":
        notes = entry.notes
        if recorded:
            notes = (*notes, "The gradebook still has the score of what was handed in before.")
        return Row(entry.status, None, most, entry.reason, entry.seconds, notes=notes)
    score, most = recorded
    steps = [*entry.history, {"when": entry.when, "score": score}]
    history = tuple(
        f"{then['when']}: {then['score']:g}; {later['when']}: {later['score']:g}, "
        f"because {then['why']}."
        for then, later in pairwise(steps)
    )
    return Row("graded", score, most, None, entry.seconds, entry.tasks, entry.notes, history)


def _write_results(course: Course, report: Report) -> None:
    """Write the results; the machine-readable report last, when all it tells of is there."""
    kept = course.folder / "reports" / f"{course.assignment}.json"
    reports = {}
    for path in kept.parent.glob("*.json"):
        earlier = read_report(path, path.stem)
        if earlier.students:
            reports[path.stem] = earlier
    reports[course.assignment] = report
    with course.gradebook() as gradebook:
        write = partial(write_table, gradebook=gradebook, reports=reports, latest=course.assignment)
        write_whole(course.folder / "grades.csv", write)
    if board_of(course.assignment):
        write_text(course.folder / "leaderboard.html", leaderboard_page(report))
    for path, base in ((course.folder / "report.json", ""), (kept, "../")):
        html, data = report_page(report, base), report.as_json()
        write_text(path.with_suffix(".html"), html)
        write_text(path, data)
