"""The points of an assignment's cells, as the gradebook has them."""

from nbgrader.api import (
    BaseCell,
    Grade,
    Gradebook,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import Column
from sqlalchemy.orm import Query


def cell_points(gradebook: Gradebook, assignment: str, *columns: Column) -> Query:
    """Rows of a student's id, a cell's grade_id and these columns of `Grade`."""
    return (
        gradebook.db.query(SubmittedAssignment.student_id, BaseCell.name, *columns)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .filter(SubmittedAssignment.name == assignment, Notebook.name == assignment)
    )
