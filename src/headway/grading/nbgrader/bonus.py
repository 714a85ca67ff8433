"""Saving grades with the bonus: nbgrader's `SaveAutoGrades`, and two things more.

A stretch task stands in a check cell of zero points, so that it is outside the assignment's
total; what it earned becomes the *extra credit* of that grade, nbgrader's own field for points on
top. And a check cell earns what its verdict says, nothing if there is none, where nbgrader alone
would give full points to a cell whose result it cannot read.
"""

from nbgrader.preprocessors import SaveAutoGrades

from headway.grading.notebooks.verdicts import checked_task, read_verdict


class SaveGradesAndBonus(SaveAutoGrades):
    """Stands in the place of `SaveAutoGrades` among the preprocessors of `Autograde`."""

    def _add_score(self, cell, resources):
        super()._add_score(cell, resources)
        task = checked_task(cell)
        if task is None:
            return
        verdict = read_verdict(cell, task)
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader["grade_id"],
            self.notebook_id,
            self.assignment_id,
            self.student_id,
        )
        earned = verdict.score if verdict else 0.0
        if task.bonus:
            grade.extra_credit = earned
        else:
            grade.auto_score = earned
        self.gradebook.db.commit()
