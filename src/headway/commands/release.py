"""`headway release`: bring what students get up to date with the solutions, or say what is not.

An assignment is not released if its own solution loses points by its checks.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.chapters import (
    ASSIGNMENTS,
    Chapter,
    find_chapter,
    hidden_modules,
    released_notebook,
    solution_notebook,
)
from headway.checkout import course_root
from headway.commands.console import note, progress, say
from headway.errors import NOT_PASSED, PASSED, UserError, needs_extra, require_linux
from headway.interrupts import stop_if_asked

if TYPE_CHECKING:
    from headway.grading.nbgrader.release import ReleaseFolders

LOSES = "{} was not released. Its solution loses points by its checks, and so would a right answer:"
WAYS_OUT = (
    "The check of a function is in the package and can't be changed from here. Make the text and "
    "the solution fit it, or put a test of your own in its place: replace the line with check(…) "
    "by lines with assert."
)
NOT_TRIED = "We couldn't try whether the solution in {} earns all points by its checks."


def release(
    number: Annotated[
        str | None, typer.Argument(metavar="[NN]", help="One assignment; all if left out.")
    ] = None,
    check_only: Annotated[
        bool, typer.Option("--check", help="Change nothing, report what is out of date.")
    ] = False,
    course: Annotated[
        Path | None,
        typer.Option(
            "--course",
            metavar="DIR",
            help="Release from this course folder's source/ to its release/.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Give the course folder's source numbers and faults of its own first.",
            min=0,
        ),
    ] = None,
) -> int:
    """Make the students' notebooks in exercises/ from solutions/.

    In the checkout, a solution gets titles, points and minutes from its tasks first.
    """
    with needs_extra("notebook", "headway release"):
        from headway.grading.nbgrader.release import check_release
        from headway.grading.nbgrader.release import release as release_one
        from headway.grading.notebooks.points import reweighting_warnings
    folders = _folders(course)
    if seed is not None:
        _vary(folders, number, check_only, course, seed)
    chapters = [find_chapter(number)] if number else list(ASSIGNMENTS)
    if course and not number:
        chapters = [chapter for chapter in chapters if folders.solution(chapter.name).is_file()]
    if not chapters:
        raise UserError(
            f"There is no assignment in {folders.root / folders.source}. Expected notebooks like "
            f"{folders.source}/{ASSIGNMENTS[0].notebook}."
        )
    if course and not check_only:
        _complete(course.resolve())
    found, lines, warnings, refused = [], [], [], []
    with progress() as bar:
        step = bar.add_task("releasing", total=len(chapters))
        for chapter in chapters:
            if not course:
                (found if check_only else lines).extend(_update(folders, chapter, check_only))
            if check_only:
                found += check_release(folders, chapter.name)
            else:
                try:
                    changed = release_one(
                        folders, chapter.name, partial(_approve, folders, chapter)
                    )
                except LosesPoints as reason:
                    refused.append(str(reason))
                else:
                    if course:
                        _save(folders, chapter)
                    warnings += _forgotten(folders, chapter)
                    state = "released" if changed else "already up to date"
                    lines.append(f"{folders.released}/{chapter.notebook}: {state}")
            if course:
                source = folders.solution(chapter.name).read_text(encoding="utf-8")
                warnings += reweighting_warnings([source], chapter.name)
            bar.advance(step)
            stop_if_asked()
    for warning in warnings:
        note(warning)
    for line in found:
        note(line)
    if found:
        note("Bring it up to date with: headway release")
        return NOT_PASSED
    if check_only:
        say(f"{folders.released}/ is up to date with {folders.source}/.")
    for line in lines:
        say(line)
    for reason in refused:
        note(reason)
    return NOT_PASSED if refused else PASSED


def _vary(
    folders: "ReleaseFolders", number: str | None, check_only: bool, course: Path | None, seed: int
) -> None:
    from headway.grading.nbgrader.varied_source import vary_source

    if number is None or course is None or check_only:
        raise UserError(
            "--seed changes the source of one assignment in a course folder. Say which, like this: "
            f"headway release 01 --seed {seed} --course DIR"
        )
    chapter = find_chapter(number)
    vary_source(folders, chapter.name, seed, solution_notebook(chapter), released_notebook(chapter))


def _update(folders: "ReleaseFolders", chapter: Chapter, check_only: bool) -> list[str]:
    """Write what the tasks say into the checkout's solution; a line on it if that was not there."""
    import nbformat

    from headway.grading.files import write_text
    from headway.grading.notebooks.assignment import read_notebook
    from headway.grading.notebooks.task_cells import write_tasks

    path = folders.solution(chapter.name)
    notebook = read_notebook(path)
    changed = ", ".join(write_tasks(notebook, chapter.name))
    if not changed:
        return []
    if check_only:
        return [f"{path} is out of date: it differs from the tasks in {changed}."]
    write_text(path, nbformat.writes(notebook) + "\n")
    return [f"{folders.source}/{chapter.notebook}: wrote {changed} from the tasks"]


class LosesPoints(Exception):  # noqa: N818 - an outcome, not a fault
    """A release by whose checks its own solution loses points; the message says which."""


def _approve(folders: "ReleaseFolders", chapter: Chapter, release: str) -> None:
    """Hand in the solution of a changed assignment, and refuse a release by which it loses points.

    Args:
        release: the new release, as JSON.

    Raises:
        LosesPoints: if it does.
    """
    from headway.grading.nbgrader.release import is_published

    if is_published(release, released_notebook(chapter)):
        return
    source = folders.solution(chapter.name)
    try:
        require_linux("Grading")
        with needs_extra("grade", "grading"):
            from headway.grading.allowance import Allowance
            from headway.grading.spec import GradingSpec
            from headway.grading.trial import lost_points
            from headway.grading.workers.pool import open_pool
        hidden, allowance = hidden_modules()[chapter.name], Allowance(config=folders.config)
        spec = GradingSpec(chapter.name, (release,), hidden, allowance)
        with open_pool(1) as pool:
            lost = lost_points(spec, source.parent, pool)
    except UserError as error:
        note(f"{NOT_TRIED.format(source)} {error}")
        return
    if lost:
        raise LosesPoints("\n".join([LOSES.format(source), *lost, WAYS_OUT]))


def _save(folders: "ReleaseFolders", chapter: Chapter) -> None:
    """Keep what was released from a course folder, so that whoever has it is graded by it."""
    from nbgrader.coursedir import CourseDirectory

    from headway.grading.nbgrader.source import save_release

    directory = CourseDirectory(config=folders.config, root=str(folders.root.resolve()))
    save_release(directory, folders.config, chapter.name)


def _forgotten(folders: "ReleaseFolders", chapter: Chapter) -> tuple[str, ...]:
    """A sentence on questions that were changed, and whose solution was not."""
    from headway.grading.nbgrader.varied_source import forgotten_solutions

    release = (folders.root / folders.released / chapter.notebook).read_text(encoding="utf-8")
    return forgotten_solutions(folders.solution(chapter.name), release, released_notebook(chapter))


def _folders(course: Path | None) -> "ReleaseFolders":
    from headway.grading.nbgrader.release import ReleaseFolders

    if course is None:
        try:
            return ReleaseFolders(course_root())
        except FileNotFoundError as error:
            raise UserError(
                f"{error} Or release from the source/ of a course folder, with --course DIR."
            ) from error
    with needs_extra("grade", "headway release --course"):
        from nbgrader.coursedir import CourseDirectory

        from headway.grading.nbgrader.course_config import PlugIns, load_config
    with PlugIns(course).on_path():
        config = load_config(course.resolve(), {})
    directory = CourseDirectory(config=config)
    return ReleaseFolders(course, directory.source_directory, directory.release_directory, config)


def _complete(course: Path) -> None:
    """See to it that the settings of a course folder are there from the first command on."""
    from headway.grading.nbgrader.config_file import complete_config
    from headway.grading.nbgrader.course_config import PlugIns

    with PlugIns(course).on_path():
        complete_config(course, hidden_modules())
