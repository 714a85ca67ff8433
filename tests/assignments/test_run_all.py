"""*Run all* on an assignment as it is handed out: it gets to the last cell, and earns nothing."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade, is_grade

from headway.chapters import ASSIGNMENTS, course_root
from headway.grading.settings import KERNEL_ARGUMENTS
from tests.full import full_but

FIRST = ASSIGNMENTS[0]


@pytest.mark.jupyter
@pytest.mark.parametrize(
    "chapter",
    full_but(lambda chapter: chapter == FIRST, ASSIGNMENTS),
    ids=lambda chapter: chapter.name,
)
def test_run_all_passes_every_unsolved_check_and_nbgrader_alone_gives_nothing(chapter):
    path = course_root() / "exercises" / chapter.notebook
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(  # an exception in a cell would end this
        notebook,
        kernel_name="python3",
        extra_arguments=KERNEL_ARGUMENTS,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    graded = [cell for cell in notebook.cells if is_grade(cell)]
    scores = {cell.metadata.nbgrader.grade_id: determine_grade(cell)[0] for cell in graded}
    assert scores
    assert not any(scores.values()), scores
