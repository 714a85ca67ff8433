"""A trial: hand in the source's own solution, and see whether it earns all points.

An instructor may change a question, and the check in the package stays as it was. Then a right
answer loses points, and nobody notices before the students do.
"""

import json
from dataclasses import replace
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.course_files import CourseFiles
from headway.grading.digests import digest_of
from headway.grading.files import write_text
from headway.grading.intake.submission import Missing, SetAside, take_snapshot
from headway.grading.nbgrader.release import is_published
from headway.grading.nbgrader.scores import own_score
from headway.grading.nbgrader.varied_source import forgotten_solutions
from headway.grading.notebooks.points import task_points, weighed
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.graded_notebook import METADATA_KEY
from headway.grading.safe_text import one_line
from headway.grading.spec import GradingSpec, what_decides
from headway.grading.workers.pool import Pool
from headway.tasks.engine.find import find_task

SEED = 1  # of the hidden cases
SOLUTION = ""  # instead of a student's name, which is never empty
KEPT = "trial.json"
LOSES = (
    "The solution in {} loses points by its checks, and so may a right answer. {} If your students "
    "are not to blame, give them points by hand, or drop the task with 0 points for its check."
)
NOT_TRIED = "We couldn't try whether the solution in {} earns all points: {}"
LONGEST = 40  # characters of a value that a sentence shows


def warnings_on_source(
    files: CourseFiles, spec: GradingSpec, pool: Pool, published: Path
) -> tuple[str, ...]:
    """Warnings if an instructor changed the source, and a right answer may lose points by that.

    Args:
        published: the course's own release.
    """
    forgotten = forgotten_solutions(files.source, spec.releases[-1], published)
    if is_published(spec.releases[-1], published):
        return forgotten
    try:
        lost = lost_points_once(spec, files.source.parent, pool, files.state)
    except UserError as error:
        return (NOT_TRIED.format(files.source, error), *forgotten)
    return (LOSES.format(files.source, " ".join(lost)), *forgotten) if lost else forgotten


def lost_points(spec: GradingSpec, folder: Path, pool: Pool) -> list[str]:
    """What the solution in a folder loses by the checks of today's release, as sentences.

    Raises:
        UserError: if the solution can't be graded.
    """
    spec = replace(spec, releases=spec.releases[-1:])
    try:
        snapshot = take_snapshot(folder, spec.assignment, folder.name)
    except (SetAside, Missing) as reason:
        raise UserError(str(reason)) from reason
    ((_, result),) = pool.map([(SOLUTION, spec.job(snapshot, SEED))])
    if result["status"] != "graded":
        raise UserError(result["reason"])
    release = nbformat.reads(spec.releases[-1], as_version=4)
    graded = nbformat.reads(result["notebook"], as_version=4)
    results = {name: TaskResult(**row) for name, row in graded.metadata[METADATA_KEY].tasks.items()}
    found = []
    for name, result in weighed(results, task_points(release)).items():
        if result.score < result.max:
            said = f"{find_task(name).title} ({name}): {result.score:g} of {result.max:g} points."
            found.append(f"{said} {result.reason or ''}".rstrip())
    return found + _failed_tests(graded)


def lost_points_once(spec: GradingSpec, folder: Path, pool: Pool, state: Path) -> list[str]:
    """As `lost_points`, but the result is kept, and nothing runs again before anything changes.

    Args:
        state: the assignment's folder with the state of grading.
    """
    files = [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]
    key = digest_of([*files, json.dumps(what_decides(spec), sort_keys=True)])
    try:
        kept = json.loads((state / KEPT).read_text(encoding="utf-8"))
        if kept["of"] == key:
            return [str(sentence) for sentence in kept["lost"]]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    lost = lost_points(spec, folder, pool)
    write_text(state / KEPT, json.dumps({"of": key, "lost": lost}))
    return lost


def _failed_tests(graded: NotebookNode) -> list[str]:
    """Sentences on the instructor's own tests that fail, or take what they show for points."""
    own, found = graded.metadata[METADATA_KEY].own, []
    for cell in graded.cells:
        metadata = cell.metadata.get("nbgrader", {})
        if (name := metadata.get("grade_id")) not in own:
            continue
        errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
        for error in errors:
            said = one_line(f"{error.get('ename')}: {error.get('evalue')}").rstrip(": ")
            found.append(f"Your own test in the cell {name} fails: {said}.")
        score, most = own_score(cell, metadata.points), metadata.points
        if not errors and score is not None and score < most:
            values = [o for o in cell.get("outputs", []) if o.output_type == "execute_result"]
            shown = " ".join(one_line(str(o.data.get("text/plain")), LONGEST) for o in values)
            found.append(
                f"Your own test in the cell {name} gives {score:g} of {most:g} points, because "
                f"nbgrader takes the value of its last line ({shown}) for points. If it isn't, end "
                "the line with a semicolon."
            )
    return found
