"""Grade an assignment of a class, from the submissions to the reports."""

from collections.abc import Callable
from pathlib import Path

from headway.errors import MachineError, UserError
from headway.grading.class_run import ClassRun, Options
from headway.grading.collecting.collect import date_late_copies
from headway.grading.copies import handed_in_again, not_in_reach, read_collected
from headway.grading.course import Course
from headway.grading.files import clear_scratch
from headway.grading.hand_points import (
    bonuses_by_hand,
    for_earlier_answers,
    note_answers,
    overwritten_bonuses,
)
from headway.grading.nbgrader.earlier_pages import earlier_pages
from headway.grading.nbgrader.recorded import bonuses, points_by_hand
from headway.grading.nbgrader.source import grading_spec, take_in
from headway.grading.platforms.roster import names_of
from headway.grading.platforms.sections import sections_shown
from headway.grading.reporting import Findings, class_report, write_results
from headway.grading.results.report import Report
from headway.grading.safe_text import listed, visible
from headway.grading.trial import warnings_on_source
from headway.grading.workers.pool import Pool

NAMED = 20  # students listed in the message about an unknown name
AS_USUAL = Options()


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
        `take_in`).

    Raises:
        UserError: if the course cannot be graded at all.
        MachineError: if the run cannot go on. Finished results stay, and the next run continues.
    """
    files, config = course.files, course.config
    submissions = files.submissions()
    if options.only is not None and options.only not in submissions:
        raise UserError(
            f"There is no submission of {options.only!r} for {files.assignment}. "
            f"Submissions came from: {listed([visible(name) for name in submissions], NAMED)}."
        )
    with course.at_work():
        reports, sources = files.folder / "reports", files.source.parents[1]
        clear_scratch(files.folder, reports, sources, files.state, *files.state.glob("*/"))
        course.gradebook.back_up()
        same_as_checkout = take_in(files, course.gradebook, config, solution)
        spec = grading_spec(files.directory, config, files.assignment, course.hidden_modules)
        date_late_copies(files, course.gradebook)
        warnings = warnings_on_source(files, spec, pool, published) if published else ()
        run = ClassRun(course, spec, options)
        notebooks = {student: files.autograded(student) for student in submissions}
        with course.gradebook.opened() as gradebook:
            given = points_by_hand(gradebook, files.assignment)
            extra = bonuses_by_hand(gradebook, files.assignment, run.journal)
        note_answers(run.journal, given, notebooks)
        wanted = submissions if options.only is None else [options.only]
        try:
            for done, student in enumerate(run.grade(wanted, pool), 1):
                advance(student, done, len(wanted))
            settled = run.settle(wanted)
        except OSError as error:
            raise MachineError(
                f"The run stopped: {error.strerror or error}. What was done is kept; make room "
                "and run the same command."
            ) from error
        with course.gradebook.opened() as gradebook:
            given, names = points_by_hand(gradebook, files.assignment), names_of(gradebook)
            lost = overwritten_bonuses(extra, bonuses(gradebook, files.assignment))
        collected = read_collected(files.state)
        findings = Findings(
            entries={student: run.journal.read(student) for student in submissions},
            recorded=settled.recorded,
            names=names,
            sections=sections_shown(files.folder),
            penalty_errors=settled.penalty_errors,
            not_collected=not_in_reach(collected, submissions),
            again=handed_in_again(collected),
            older=settled.older,
            outdated_points=for_earlier_answers(run.journal, given, notebooks),
            earlier_pages={
                one: tuple(page.name for page in earlier_pages(files.earlier_feedback(one)))
                for one in submissions
            },
            overwritten=lost,
            warnings=warnings,
            seed=run.seed,
        )
        report = class_report(spec, findings)
        with course.gradebook.opened() as gradebook:
            write_results(files.folder, gradebook, report)
        run.journal.end()
        course.gradebook.back_up()
    return report, same_as_checkout
