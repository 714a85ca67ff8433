"""Grade an assignment of a class, from the submissions to the reports."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from headway.errors import MachineError, UserError
from headway.grading.class_run import ClassRun, Options
from headway.grading.collecting.collect import date_late_copies
from headway.grading.copies import handed_in_again, not_in_reach, read_record
from headway.grading.course import Course
from headway.grading.files import clear_scratch
from headway.grading.hand_points import (
    earned_bonuses,
    for_earlier_answers,
    note_answers,
    overwritten_bonuses,
)
from headway.grading.history import tell_histories
from headway.grading.nbgrader.release import is_published
from headway.grading.nbgrader.varied_source import forgotten_solutions
from headway.grading.platforms.sections import sections_shown
from headway.grading.reporting import (
    class_report,
    with_earlier_pages,
    with_emptied,
    with_points_by_hand,
    write_results,
)
from headway.grading.results.report import Report
from headway.grading.safe_text import listed, visible
from headway.grading.spec import GradingSpec
from headway.grading.trial import lost_points_once
from headway.grading.workers.pool import Pool

NAMED = 20  # students listed in the message about an unknown name
AS_USUAL = Options()
LOSES = (
    "The solution in {} loses points by its checks, and so may a right answer. {} If your students "
    "are not to blame, give them points by hand, or drop the task with 0 points for its check."
)
OVERWRITTEN = (
    "Extra credit by hand for a stretch task gave way to what grading gives: {}. Type it as extra "
    "credit of another task, where it stays."
)
NOT_TRIED = "We couldn't try whether the solution in {} earns all points: {}"


def grade_class(
    course: Course,
    solution: Path | None,
    pool: Pool,
    options: Options = AS_USUAL,
    advance: Callable[[str, int, int], None] = lambda student, done, total: None,
    published: Path | None = None,
) -> tuple[Report, bool]:
    """Grade the submissions and write gradebook, feedback, grades and report.

    Args:
        course: the course folder.
        solution: the checkout's notebook with its solution; None without a checkout.
        pool: the workers.
        advance: called after each student: (student, number done, total).
        published: the course's own release. If the source gives another, its solution is graded
            as well, to see whether it earns all points. None tries nothing.

    Returns:
        the report, and whether the source graded against equals the checkout's (see
        `Course.prepare`).

    Raises:
        UserError: if the course cannot be graded at all.
        MachineError: if the run cannot go on. Finished results stay, and the next run continues.
    """
    submissions = course.submissions()
    if options.only is not None and options.only not in submissions:
        raise UserError(
            f"There is no submission of {options.only!r} for {course.assignment}. "
            f"Submissions came from: {listed([visible(name) for name in submissions], NAMED)}."
        )
    with course.at_work():
        reports, sources = course.folder / "reports", course.source.parents[1]
        clear_scratch(course.folder, reports, sources, course.state, *course.state.glob("*/"))
        course.gradebook_file.back_up()
        own_source = course.prepare(solution)
        spec = course.spec()
        date_late_copies(course)
        warnings = _trial(course, spec, pool, published)
        if published:
            warnings += forgotten_solutions(course.source, spec.editions[-1], published)
        run = ClassRun(course, spec, options)
        notebooks = {student: course.autograded(student) for student in submissions}
        note_answers(run.journal, course.points_by_hand(), notebooks)
        bonuses, earned = course.bonuses(), earned_bonuses(run.journal, submissions)
        wanted = submissions if options.only is None else [options.only]
        try:
            for done, student in enumerate(run.grade(wanted, pool), 1):
                advance(student, done, len(wanted))
        except OSError as error:
            raise MachineError(
                f"The run stopped: {error.strerror or error}. What was done is kept; make room "
                "and run the same command."
            ) from error
        if lost := overwritten_bonuses(bonuses, course.bonuses(), earned):
            warnings += (OVERWRITTEN.format(listed(lost, NAMED)),)
        recorded, names = course.in_gradebook(), course.names()
        older = tell_histories(run.journal, recorded, course.penalties_rest_on(), run.recorded)
        if options.feedback:
            run.write_pages(wanted)
        entries = {student: run.journal.read(student) for student in submissions}
        told = spec, entries, recorded, names, sections_shown(course.folder), run.penalty_errors
        collected = read_record(course.state)
        report = class_report(*told, older, not_in_reach(collected, submissions))
        report = with_emptied(report, handed_in_again(collected))
        by_hand = for_earlier_answers(run.journal, course.points_by_hand(), notebooks)
        report = with_points_by_hand(report, by_hand)
        report = with_earlier_pages(report, course.earlier_pages(submissions))
        report = replace(
            report,
            warnings=(*warnings, *report.warnings),
            footnote=f"Hidden cases of this run: seed {run.seed}.",
        )
        with course.gradebook() as gradebook:
            write_results(course.folder, gradebook, report)
        run.journal.end()
        course.gradebook_file.back_up()
    return report, own_source


def _trial(
    course: Course, spec: GradingSpec, pool: Pool, published: Path | None
) -> tuple[str, ...]:
    """A warning if the solution of a source that an instructor changed does not earn all points."""
    if published is None or is_published(spec.editions[-1], published):
        return ()
    try:
        lost = lost_points_once(spec, course.source.parent, pool, course.state)
    except UserError as error:
        return (NOT_TRIED.format(course.source, error),)
    return (LOSES.format(course.source, " ".join(lost)),) if lost else ()
