"""Write the results of a run: the report, its page, the table of grades, the leaderboard."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex

import nbformat
from nbgrader.api import Gradebook

from headway.grading.files import write_atomically, write_text
from headway.grading.history import sentences
from headway.grading.intake.repair import OTHER_QUESTIONS
from headway.grading.journal import Entry
from headway.grading.nbgrader.recorded import RecordedSubmission
from headway.grading.notebooks.points import cell_points, reweighting_warnings, task_points, weighed
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.platforms.people import owners, same_but_capitals
from headway.grading.results.grades_csv import write_table
from headway.grading.results.leaderboard import leaderboard_page, leaderboard_task
from headway.grading.results.report import Report, Row, read_report
from headway.grading.results.report_page import report_page
from headway.grading.results.tasks_csv import write_task_points
from headway.grading.safe_text import listed, visible, with_name
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


def class_report(
    spec: GradingSpec,
    entries: Mapping[str, Entry | None],
    recorded: Mapping[str, RecordedSubmission],
    names: Mapping[str, str],
    sections: Mapping[str, str],
    penalty_errors: Mapping[str, str],
    older: list[str],
    not_collected: Mapping[str, str],
) -> Report:
    """The report on all students who handed in or are in the gradebook.

    Args:
        spec: the specification for grading.
        entries: the journal's entry of each student who handed in; None if it is not graded yet.
        recorded: the gradebook's submissions, by student.
        names: names from the class list, by student.
        sections: the sections that tables show, by student.
        penalty_errors: student → why the penalty could not be computed.
        older: students who have an earlier score again; see `tell_histories`.
        not_collected: student → what was handed in and did not get into `submitted/`.
    """
    edition = nbformat.reads(spec.editions[-1], as_version=4)
    points, most = task_points(edition), sum(cell_points(edition).values())
    rows, trusted = {}, False
    elsewhere = {student: why for name in entries for student, why in owners(name, names).items()}
    elsewhere |= not_collected
    for student in sorted({*entries, *names, *not_collected}):
        if student not in entries and student in elsewhere:
            rows[student] = Row("set-aside", None, most, elsewhere[student])
        elif student not in entries:
            rows[student] = Row("missing", None, most, "Nothing was handed in.")
        elif entry := entries[student]:
            rows[student] = _row(entry, recorded.get(student), most, points)
            if student in penalty_errors:
                reason = PENALTY_ERROR.format(penalty_errors[student])
                rows[student] = replace(
                    rows[student], status="set-aside", score=None, reason=reason
                )
            trusted = trusted or "sandbox" in entry.key
    warnings = (TRUSTED,) if trusted else ()
    if waiting := [student for student in entries if student not in rows]:
        who = listed([with_name(student, names) for student in waiting], MOST_NAMES)
        warnings += (f"Handed in, and not graded yet: {who}.",)
    if older:
        who = listed([with_name(student, names) for student in older], MOST_NAMES)
        warnings += (OLDER.format(who, spec.assignment),)
    warnings += _of_other_questions(entries, names, spec.assignment)
    for student in sorted(names):
        other = same_but_capitals(student, names)
        if other and student < other:
            warnings += (SAME_FOLDER.format(visible(student), visible(other)),)
    warnings += reweighting_warnings(spec.editions, spec.assignment)
    return Report(spec.assignment, rows, warnings, names=names, sections=sections)


def _of_other_questions(
    entries: Mapping[str, Entry | None], names: Mapping[str, str], assignment: str
) -> tuple[str, ...]:
    """A sentence on whose notebooks ask something else than any edition does."""
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


def with_points_by_hand(report: Report, outdated: Mapping[str, Mapping[str, str]]) -> Report:
    """The report, saying which points by hand were given for an earlier answer.

    Args:
        outdated: student → task → a sentence; see `for_earlier_answers`.
    """
    rows, who = dict(report.students), []
    for student, said in outdated.items():
        row = rows.get(student)
        if row and row.status == "graded":
            remarks = ", ".join(filter(None, (row.remarks, *said.values())))
            rows[student] = replace(row, remarks=remarks)
            who.append(f"{' and '.join(said)} of {with_name(student, report.names)}")
    warnings = (OUTDATED.format(listed(who, MOST_NAMES)),) if who else ()
    return replace(report, students=rows, warnings=(*report.warnings, *warnings))


def with_emptied(report: Report, again: Collection[str]) -> Report:
    """The report, naming whose latest copy is empty or worse than that.

    Args:
        again: students who handed in before.
    """
    who = [
        with_name(student, report.names)
        for student, row in report.students.items()
        if student in again and (row.status == "set-aside" or _is_blank(row.tasks))
    ]
    said = (WHOSE_IS_EMPTIED.format(listed(who, MOST_NAMES), report.assignment),) if who else ()
    return replace(report, warnings=(*report.warnings, *said))


def with_earlier_pages(report: Report, pages: Mapping[str, tuple[str, ...]]) -> Report:
    """The report with the names of students' earlier feedback pages."""
    rows = {
        student: replace(row, earlier=pages.get(student, ()))
        for student, row in report.students.items()
    }
    return replace(report, students=rows)


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
    tasks, history = weighed(entry.tasks, points), sentences(entry)
    return Row(
        *("graded", recorded.final_score, recorded.most, None, entry.seconds, tasks),
        notes=entry.notes,
        history=history,
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
