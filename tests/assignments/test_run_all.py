"""*Run all* gets to the last cell: of an assignment as it is handed out, and of its solution."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade, is_grade

from headway.chapters import ASSIGNMENTS, course_root
from headway.grading.settings import KERNEL_ARGUMENTS
from tests.full import full_but

FIRST = ASSIGNMENTS[0]


each_assignment = pytest.mark.parametrize(
    "chapter",
    full_but(lambda chapter: chapter == FIRST, ASSIGNMENTS),
    ids=lambda chapter: chapter.name,
)


@pytest.mark.jupyter
@each_assignment
def test_run_all_passes_every_unsolved_check_and_nbgrader_alone_gives_nothing(chapter):
    notebook = run_all(course_root() / "exercises" / chapter.notebook)
    graded = [cell for cell in notebook.cells if is_grade(cell)]
    scores = {cell.metadata.nbgrader.grade_id: determine_grade(cell)[0] for cell in graded}
    assert scores
    assert not any(scores.values()), scores


@pytest.mark.jupyter
@each_assignment
def test_run_all_passes_every_cell_of_a_solution(chapter):
    """Those too that only show what an answer is good for, which no check reads."""
    run_all(course_root() / "solutions" / chapter.notebook, but=is_grade)


def run_all(path: Path, but: Callable = lambda cell: False) -> nbformat.NotebookNode:
    """Run the cells of a notebook, but for some; an exception in one of them is the test's."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not but(cell)]
    return NotebookClient(
        notebook,
        kernel_name="python3",
        extra_arguments=KERNEL_ARGUMENTS,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
