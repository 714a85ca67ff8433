"""Workers are made ready for what a notebook hands out, before it is released."""

import nbformat
import pytest

from headway.chapters import CHAPTERS, course_root, hidden_modules, released_notebook
from headway.grading.allowance import Allowance
from headway.grading.spec import opening_job
from headway.grading.workers.job import _imports


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_sandbox_that_is_made_early_is_the_one_that_is_needed(chapter):
    hidden = hidden_modules()[chapter.name]
    source = course_root() / "solutions" / chapter.notebook
    released = nbformat.read(released_notebook(chapter), as_version=4)
    cells = [cell.source for cell in released.cells if cell.cell_type == "code"]
    early = _imports(tuple(opening_job(source, hidden, Allowance())["sources"]))
    late = _imports(tuple(cells))
    assert early[1] == late[1]
    assert set(hidden) & early[0] == set(hidden) & late[0]
