"""Record scores in nbgrader's gradebook, from the judge's verdicts only.

Every grade of the notebook is set in one transaction: a check's from the judge's verdict, an
instructor's own cell's by nbgrader's rule, and a missing cell's to zero. If a cell has other
points than its task, the score is scaled, and the card shows the scaled points.

A stretch task is in a cell of zero points, so that it does not count in the assignment's total. Its
score becomes the grade's *extra credit*, nbgrader's field for additional points. For other grades,
instructors fill in this field, as they do `manual_score` for all grades.
"""

import math
from functools import lru_cache
from logging import Logger

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.api import Grade, Gradebook, Notebook, SourceCell
from nbgrader.preprocessors import SaveAutoGrades
from nbgrader.utils import compute_checksum, determine_grade, is_task
from sqlalchemy.orm import undefer

from headway.grading.notebooks.check_calls import checked_task
from headway.grading.notebooks.points import check_name, counted_points, is_graded, on_top, scaled
from headway.grading.results.graded_notebook import METADATA_KEY, on_card
from headway.tasks.engine.find import UnknownTaskError, tasks_of


class ScoreError(ValueError):
    """A score that must not be recorded; the message says which."""


class RecordScores(SaveAutoGrades):
    """Replaces `SaveAutoGrades` among the preprocessors of `Autograde`."""

    def preprocess(self, nb, resources):
        self.notebook_id = resources["nbgrader"]["notebook"]
        self.assignment_id = resources["nbgrader"]["assignment"]
        self.student_id = resources["nbgrader"]["student"]
        cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in nb.cells}
        results = nb.metadata.get(METADATA_KEY, {}).get("tasks", {})
        with Gradebook(resources["nbgrader"]["db_url"]) as self.gradebook:
            page = self.gradebook.find_submission_notebook(
                self.notebook_id, self.assignment_id, self.student_id
            )
            _ = page.notebook.grade_cells  # one query instead of one for each grade
            self._dropped = self._dropped_checks(page.notebook)
            for grade in (
                self.gradebook.db.query(Grade)
                .filter(Grade.notebook == page)
                .options(undefer(Grade.max_score))
            ):
                self._set(grade, cells.get(grade.name), results)
            for comment in page.comments:
                cell = cells.get(comment.name)
                comment.auto_comment = None if cell and _is_answered(cell) else "No response."
            self.gradebook.db.commit()
        return nb, resources

    def _dropped_checks(self, notebook: Notebook) -> set[str]:
        """Names of stretch tasks' cells that check no task in today's source: they were dropped.

        Other dropped tasks are recognized by their points, but these cells have none anyway.
        """
        names = stretch_checks(self.assignment_id)
        rows = (
            self.gradebook.db.query(SourceCell.name, SourceCell.source)
            .filter(SourceCell.notebook == notebook, SourceCell.name.in_(names))
            .all()
        )
        return {name for name, source in rows if not checked_task(new_code_cell(source))}

    def _set(self, grade, cell: NotebookNode | None, results: dict) -> None:
        task = checked_task(cell) if cell else None
        if cell is None or not is_graded(cell):
            score, bonus = 0.0, 0.0
        elif task is None:
            score, bonus = own_score(cell, grade.max_score, self.log), 0.0
        else:
            most = counted_points(task, grade.max_score)
            earned = valid_score(results.get(task.id, {}).get("score"), task.points, task.id)
            earned = scaled(earned, task.points, most)
            on_card(cell, earned, most, task.bonus)
            score, bonus = (0.0, earned) if on_top(task, grade.max_score) else (earned, 0.0)
            bonus = 0.0 if grade.name in self._dropped else bonus
        grade.auto_score = score
        # By the cell's name as well: the cell may check something else now, or be missing.
        if (task and task.bonus) or grade.name in stretch_checks(self.assignment_id):
            grade.extra_credit = bonus
        # A manual score stays, but an instructor should look at it again.
        grade.needs_manual_grade = grade.manual_score is not None or score is None


def own_score(cell: NotebookNode, most: float, log: Logger | None = None) -> float | None:
    """The score of an instructor's own cell, by nbgrader's rule; None if a person has to give it.

    Args:
        most: the gradebook's points of the cell, which count if the cell says none.
    """
    # Text on standard error is no failure.
    heard = [o for o in cell.get("outputs", []) if o.get("name") != "stderr"]
    quiet = NotebookNode({**cell, "outputs": heard}) if "outputs" in cell else cell
    if any(map(_is_no_share, heard)):  # nbgrader would give all points for these
        return 0.0
    metadata = cell.metadata.nbgrader
    of = float(metadata.get("points") or 0)
    if not of:  # a share of 0 points cannot be scaled
        of = most
        quiet.metadata = {**cell.metadata, "nbgrader": {**metadata, "points": most}}
    try:
        score, _ = determine_grade(quiet, log)
    except (ValueError, KeyError):  # the output claims too many points, or is not a score
        return 0.0
    name = metadata.grade_id
    return score if score is None else scaled(valid_score(score, of, name), of, most)


@lru_cache
def stretch_checks(assignment: str) -> frozenset[str]:
    """The names of the check cells of an assignment's stretch tasks."""
    try:
        tasks = tasks_of(assignment)
    except UnknownTaskError:  # an instructor's own assignment
        tasks = ()
    return frozenset(check_name(task.id) for task in tasks if task.bonus)


def valid_score(score: object, most: float, what: str) -> float:
    """The score, if it is valid.

    Raises:
        ScoreError: if it is not a finite number in 0 … `most`.
    """
    if type(score) not in (int, float) or not math.isfinite(score) or not 0 <= score <= most:
        raise ScoreError(f"{score!r:.40} is no score for {what}: expected 0 … {most:g}.")
    return float(score)


def _is_no_share(output: NotebookNode) -> bool:
    """Whether an output is a result that cannot be a score: negative or NaN."""
    if output.output_type != "execute_result":
        return False
    try:
        return not float(output.data.get("text/plain", "")) >= 0
    except (ValueError, TypeError):
        return False


def _is_answered(cell: NotebookNode) -> bool:
    metadata = cell.metadata.nbgrader
    return is_task(cell) or metadata.get("checksum") != compute_checksum(cell)
