"""Find out whose grades are from before something changed that decides them.

Nothing runs and nothing is written: files are compared with the digests in the journal, and due
dates with what the scores rest on.
"""

from collections import defaultdict
from collections.abc import Collection

from headway.grading.course import Course
from headway.grading.course_files import CourseFiles
from headway.grading.hand_points import for_earlier_answers
from headway.grading.intake.submission import Missing, SetAside, digest_of_folder, take_snapshot
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.penalties import late_costs, plug_in_digest
from headway.grading.nbgrader.recorded import (
    RecordedSubmission,
    points_by_hand,
    recorded_submissions,
)
from headway.grading.platforms.people import owners
from headway.grading.platforms.roster import names_of
from headway.grading.reporting import MOST_NAMES, OUTDATED
from headway.grading.safe_text import listed, with_name
from headway.grading.score_changes import OF_PENALTIES

FILE, GONE, NEW = "the file changed", "the file was taken away", "something was handed in"


def outdated_grades(
    course: Course, assignment: str, students: Collection[str] = ()
) -> tuple[str, str]:
    """Sentences for whoever takes an assignment's grades elsewhere.

    Args:
        course: the course folder, for any assignment, on Python's path.
        students: only of these; of all if left out.

    Returns:
        whose grade is from before a change, and whose points by hand are for an earlier answer;
        empty texts if there is nothing to say, also if nbgrader alone graded the assignment.
    """
    files, config = course.files.of(assignment), course.config
    if not (files.state / "journal").is_dir():
        return "", ""
    with course.gradebook.opened() as gradebook:
        names = names_of(gradebook)
        recorded = recorded_submissions(gradebook, assignment)
        given = points_by_hand(gradebook, assignment)
    journal = Journal(files.state)
    wanted = sorted(students or {*files.submissions(), *recorded})
    rest_on = plug_in_digest(config, files.folder) if late_costs(config) else None
    by_reason = defaultdict(list)
    for student in wanted:
        entry = journal.read(student)
        why = _of_file(files, student, entry, names)
        why = why or _of_penalty(entry, recorded.get(student), rest_on)
        if why:
            by_reason[why].append(with_name(student, names))
    said = [
        f"Graded before {why}: {listed(who, MOST_NAMES)}." for why, who in sorted(by_reason.items())
    ]
    if said:
        said.append(f"Run first: headway grade {assignment.partition('-')[0]}")
    notebooks = {student: files.autograded(student) for student in wanted}
    by_hand = for_earlier_answers(journal, given, notebooks)
    who = [
        f"{' and '.join(tasks)} of {with_name(student, names)}"
        for student, tasks in by_hand.items()
        if student in notebooks
    ]
    return " ".join(said), OUTDATED.format(listed(who, MOST_NAMES)) if who else ""


def _of_file(files: CourseFiles, student: str, entry: Entry | None, names: Collection[str]) -> str:
    """What happened to a student's files since; empty if nothing did."""
    folder = files.submission(student)
    if entry and entry.status == "set-aside" and entry.seed and not entry.key:
        return ""  # the machine's fault; there is no grade, and the report says to try again
    try:
        digest = digest_of_folder(folder)
        if entry and entry.key.get("submission"):
            return "" if digest == entry.key["submission"] else FILE
        for reason in owners(student, names).values():
            raise SetAside(reason)
        take_snapshot(folder, files.assignment, student)
    except (Missing, FileNotFoundError):
        return GONE if entry and entry.status != "missing" else ""
    except (SetAside, OSError) as reason:
        return "" if entry and entry.reason == str(reason) else FILE
    return FILE if entry and entry.status == "set-aside" else NEW


def _of_penalty(
    entry: Entry | None, recorded: RecordedSubmission | None, rest_on: str | None
) -> str:
    """What changed of what decides a student's penalty; empty if there is none.

    Args:
        rest_on: a digest of the plug-in of penalties; None if being late costs nothing.
    """
    is_graded = entry and entry.status == "graded" and entry.current
    before = entry.current.rests_on if is_graded else {}
    if not (recorded and (recorded.penalty or (recorded.late and rest_on is not None))):
        return ""
    now = recorded.rests_on() | ({} if rest_on is None else {"penalty": rest_on})
    changed = [
        text
        for name, text in OF_PENALTIES.items()
        if name in before and name in now and before[name] != now[name]
    ]
    return " and ".join(changed)
