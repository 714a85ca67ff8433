"""Update the gradebook from a changed source: new points, and tasks that were dropped.

It also names a kernel that does not exist. nbgrader takes the kernel of submissions from the
gradebook, so one that was started without the course's settings, in whatever environment, refuses
to run them. The sandbox needs no kernel.

nbgrader accepts new points silently, and refuses a source that lacks a cell after a submission was
recorded. Here the missing cell stays in the gradebook, with its comments and grades, but counts 0.
Both changes are reported: nbgrader's own commands log them, and `headway grade` prints them.
"""

import json

from nbgrader.api import MissingEntry
from nbgrader.preprocessors import SaveCells

# nbgrader says: "No such kernel named see-headway-doctor".
NO_KERNEL = {"name": "see-headway-doctor", "display_name": "headway", "language": "python"}
KINDS = ("grade", "solution", "task", "source")


class SaveChangedCells(SaveCells):
    """Replaces `SaveCells` among the preprocessors of `GenerateAssignment`."""

    def _create_notebook(self, nb):
        try:
            notebook = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        except MissingEntry:
            notebook = None
        if notebook and notebook.submissions:
            self._keep_dropped(notebook)
            self._say_what_changed(notebook)
        super()._create_notebook(nb)
        notebook = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        notebook.kernelspec = json.dumps(NO_KERNEL)
        self.gradebook.db.commit()

    def _keep_dropped(self, notebook) -> None:
        """Add cells that the source lacks to those that are saved, without points."""
        for kind in KINDS:
            new = getattr(self, f"new_{kind}_cells")
            for cell in getattr(notebook, f"{kind}_cells"):
                if cell.name not in new:
                    new[cell.name] = {"max_score": 0.0} if kind in ("grade", "task") else {}

    def _say_what_changed(self, notebook) -> None:
        for cell in (*notebook.grade_cells, *notebook.task_cells):
            info = self.new_grade_cells.get(cell.name) or self.new_task_cells.get(cell.name)
            points = info.get("max_score", cell.max_score)
            if points != cell.max_score:
                self.log.warning(
                    "%s of %s counts %g points from now on, instead of %g.",
                    cell.name,
                    self.assignment_id,
                    points,
                    cell.max_score,
                )
