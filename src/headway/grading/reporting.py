"""Write the results of a run: the report, its page, the table of grades, the leaderboard."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from secrets import token_hex

import nbformat
from nbgrader.api import Gradebook

from headway.grading.files import write_atomically, write_text
from headway.grading.intake.repair import OTHER_QUESTIONS
from headway.grading.journal import Entry
from headway.grading.nbgrader.recorded import RecordedSubmission
from headway.grading.notebooks.points import cell_points, reweighting_warnings, task_points, weighed
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.platforms.people import owners, same_but_capitals
from headway.grading.results.grades_csv import write_table
from headway.grading.results.leaderboard import leaderboard_page, leaderboard_task
from headway.grading.results.report import Report, Row, read_report
from headway.grading.results.report_page import report_page
from headway.grading.results.tasks_csv import write_task_points
from headway.grading.safe_text import listed, visible, with_name
from headway.grading.score_changes import sentences
from headway.grading.spec import GradingSpec
from headway.grading.times import in_words
from headway.interrupts import held

TRUSTED = (
    "Graded with --trust-submissions, without a sandbox: each submission had the rights of "
    "whoever graded and could change anything, its own score included."
)
MOST_NAMES = 20
STOPPED, MOST_STOPPED = "was stopped: ", 2  # in the reasons of tasks; tasks named for a student
OLDER = (
    "The gradebook has an earlier score again for {}. If you brought back an older copy, run: "
    "headway grade {} --force"
)
SAME_FOLDER = (
    "{} and {} differ in capitals only. Here they are two students; on macOS and Windows they "
    "would share a folder. If it is one person, put the files into one of the two."
)
OUTDATED = (
    "Points by hand were given for an answer that has changed since: {}. Look at them again, and "
    "in the formgrader type them anew or delete them."
)
OVERWRITTEN = (
    "Extra credit by hand for a stretch task gave way to what grading gives: {}. Type it as extra "
    "credit of another task, where it stays."
)
EMPTIED = "has no answers or can't be graded, and there is an earlier one"
WHOSE_IS_EMPTIED = (
    f"The latest copy of {{}} {EMPTIED} in collected/{{}}/. If that should count, copy its files "
    "into submitted/."
)
OF_OTHERS = (
    "{} other questions than today's ({}): {}. They may be of an earlier release that was never "
    "graded here, and then right answers to its numbers get no points. If so, put that release's "
    "source into source/{}/, run headway grade {}, put today's source back, and run it again: a "
    "release that was graded once is kept."
)
PENALTY_ERROR = (
    "The penalty for being late could not be computed: {} Mend the plug-in that "
    "nbgrader_config.py names, and run the same command."
)


@dataclass(frozen=True)
class Findings:
    """What a run has found out about a class.

    Attributes:
        entries: student → the journal's entry, for all who handed in; None if not graded yet.
        recorded: student → the gradebook's submission.
        names: student → name from the class list.
        sections: student → the section that tables show.
        penalty_errors: student → why the penalty could not be computed.
        not_collected: student → what was handed in and did not get into `submitted/`.
        again: students who handed in before.
        older: students who have an earlier score again; see `note_changes`.
        outdated_points: student → task → a sentence; see `for_earlier_answers`.
        earlier_pages: student → file names of earlier feedback pages.
        overwritten: extra credit that was replaced; see `overwritten_bonuses`.
        warnings: on the assignment's source.
        seed: of the hidden cases of this run.
    """

    entries: Mapping[str, Entry | None]
    recorded: Mapping[str, RecordedSubmission]
    names: Mapping[str, str]
    sections: Mapping[str, str]
    penalty_errors: Mapping[str, str]
    not_collected: Mapping[str, str]
    again: Collection[str]
    older: Collection[str]
    outdated_points: Mapping[str, Mapping[str, str]]
    earlier_pages: Mapping[str, tuple[str, ...]]
    overwritten: Collection[str]
    warnings: tuple[str, ...]
    seed: int


def class_report(spec: GradingSpec, found: Findings) -> Report:
    """The report on all students who handed in or are in the gradebook."""
    release = nbformat.reads(spec.releases[-1], as_version=4)
    points, most = task_points(release), sum(cell_points(release).values())
    entries, names, rows = found.entries, found.names, {}
    elsewhere = {student: why for name in entries for student, why in owners(name, names).items()}
    elsewhere |= found.not_collected
    for student in sorted({*entries, *names, *found.not_collected}):
        if student not in entries and student in elsewhere:
            rows[student] = Row("set-aside", None, most, elsewhere[student])
        elif student not in entries:
            rows[student] = Row("missing", None, most, "Nothing was handed in.")
        elif entry := entries[student]:
            row = _row(entry, found.recorded.get(student), most, points)
            if student in found.penalty_errors:
                reason = PENALTY_ERROR.format(found.penalty_errors[student])
                row = replace(row, status="set-aside", score=None, reason=reason)
            outdated = found.outdated_points.get(student, {}) if row.status == "graded" else {}
            remarks = ", ".join(filter(None, (row.remarks, *outdated.values())))
            earlier = found.earlier_pages.get(student, ())
            rows[student] = replace(row, remarks=remarks, earlier=earlier)
    return Report(
        spec.assignment,
        rows,
        (*found.warnings, *_warnings(spec, found, rows)),
        f"Hidden cases of this run: seed {found.seed}.",
        names,
        found.sections,
    )


def _warnings(spec: GradingSpec, found: Findings, rows: Mapping[str, Row]) -> Iterator[str]:
    """What a reader of the report must know first."""
    name, entries, names = spec.assignment, found.entries, found.names

    def who(students: Iterable[str]) -> str:
        return listed([with_name(student, names) for student in students], MOST_NAMES)

    if found.overwritten:
        yield OVERWRITTEN.format(listed([*found.overwritten], MOST_NAMES))
    if any(entry and "sandbox" in entry.key for entry in entries.values()):
        yield TRUSTED
    if waiting := [student for student in entries if student not in rows]:
        yield f"Handed in, and not graded yet: {who(waiting)}."
    if found.older:
        yield OLDER.format(who(found.older), name)
    yield from _of_other_questions(entries, names, name)
    for student in sorted(names):
        other = same_but_capitals(student, names)
        if other and student < other:
            yield SAME_FOLDER.format(visible(student), visible(other))
    yield from reweighting_warnings(spec.releases, name)
    emptied = [
        student
        for student, row in rows.items()
        if student in found.again and (row.status == "set-aside" or _is_blank(row.tasks))
    ]
    if emptied:
        yield WHOSE_IS_EMPTIED.format(who(emptied), name)
    outdated = [
        f"{' and '.join(said)} of {with_name(student, names)}"
        for student, said in found.outdated_points.items()
        if student in rows and rows[student].status == "graded"
    ]
    if outdated:
        yield OUTDATED.format(listed(outdated, MOST_NAMES))


def _of_other_questions(
    entries: Mapping[str, Entry | None], names: Mapping[str, str], assignment: str
) -> tuple[str, ...]:
    """A sentence on whose notebooks ask something else than any release does."""
    said, who = {}, []
    for student, entry in entries.items():
        for note in entry.notes if entry and entry.status == "graded" else ():
            if note.startswith(OTHER_QUESTIONS):
                who.append(with_name(student, names))
                said |= dict.fromkeys(note.removesuffix(".").partition(": ")[2].split(", "))
    if not who:
        return ()
    have = f"{len(who)} {'notebook has' if len(who) == 1 else 'notebooks have'}"
    students = listed(who, MOST_NAMES)
    return (OF_OTHERS.format(have, ", ".join(said), students, assignment, assignment),)


def _row(
    entry: Entry, recorded: RecordedSubmission | None, most: float, points: Mapping[str, float]
) -> Row:
    if entry.status == "graded" and not (entry.recorded and recorded):
        reason = "It was graded, but the gradebook does not know it. Grade it again."
        return Row("set-aside", None, most, reason, entry.seconds)
    if entry.status != "graded":
        notes = entry.notes
        if recorded:
            notes = (*notes, "The gradebook still has the score of what was handed in before.")
        return Row(entry.status, None, most, entry.reason, entry.seconds, notes=notes)
    tasks = weighed(entry.tasks, points)
    return Row(
        *("graded", recorded.final_score, recorded.most, None, entry.seconds, tasks),
        notes=entry.notes,
        changes=sentences(entry),
        remarks=_remarks(recorded, tasks),
    )


def _remarks(recorded: RecordedSubmission, tasks: Mapping[str, TaskResult]) -> str:
    said = []
    if recorded.late:
        said.append(f"{in_words(recorded.late)} late")
    if recorded.late and recorded.penalty:
        said.append(f"{recorded.penalty:g} taken off")
    by_hand = recorded.score - sum(result.score for result in tasks.values())
    if recorded.by_hand and by_hand:
        said.append(f"{by_hand:+g} by hand")
    if _is_blank(tasks):
        said.append("nothing answered")
    if stopped := [name for name, one in tasks.items() if STOPPED in (one.reason or "")]:
        said.append(f"stopped: {listed([one.partition('/')[2] for one in stopped], MOST_STOPPED)}")
    return ", ".join(said)


def _is_blank(tasks: Mapping[str, TaskResult]) -> bool:
    """Whether nothing was answered."""
    return bool(tasks) and all(result.status == "untouched" for result in tasks.values())


@held()
def write_results(folder: Path, gradebook: Gradebook, report: Report) -> None:
    """Write the results; the JSON report last, when all the other files are complete.

    Args:
        folder: the course folder.
    """
    kept = folder / "reports" / f"{report.assignment}.json"
    reports = {}
    for path in kept.parent.glob("*.json"):
        earlier = read_report(path, path.stem)
        if earlier.students:
            reports[path.stem] = earlier
    reports[report.assignment] = report
    write = partial(write_table, gradebook=gradebook, reports=reports, latest=report.assignment)
    write_atomically(folder / "grades.csv", write)
    points = partial(write_task_points, gradebook=gradebook, report=report)
    write_atomically(kept.with_suffix(".csv"), points)
    if leaderboard_task(report.assignment):
        write_text(folder / "leaderboard.html", leaderboard_page(report))
    base = token_hex()  # a placeholder that cannot occur in the page otherwise
    html, data = report_page(report, base), report.as_json()
    for path, way in ((folder / "report.json", ""), (kept, "../")):
        write_text(path.with_suffix(".html"), html.replace(base, way))
        write_text(path, data)
