"""Plain nbgrader in a checkout: its own commands do what the `headway` commands do."""

import os
import shutil
import subprocess
import sys
import sysconfig

import pytest
from nbgrader.api import Gradebook

from headway.chapters import CHAPTERS
from headway.nbgrader_config import WORK_CONFIG
from tests.grading.classroom import cell_named, hand_in, path_of

pytestmark = pytest.mark.jupyter

NAME = CHAPTERS[0].name
NOTEBOOK = CHAPTERS[0].notebook


def nbgrader(folder, *arguments: str) -> str:
    """Run nbgrader as a user with an activated environment does; what it says."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def checkout(root, tmp_path_factory):
    """A checkout of its own in which nbgrader has released and graded."""
    checkout = tmp_path_factory.mktemp("checkout")
    shutil.copytree(root / "solutions", checkout / "solutions")
    shutil.copy(root / "nbgrader_config.py", checkout)
    hand_in(checkout, "ada")
    hand_in(checkout, "bob", "release")
    nbgrader(checkout, "generate_assignment", NAME)
    nbgrader(checkout, "autograde", NAME)
    return checkout


def test_nbgrader_releases_and_scores_as_headway_does(checkout, root):
    released = (checkout / "exercises" / NOTEBOOK).read_bytes()
    assert released == (root / "exercises" / NOTEBOOK).read_bytes()
    with Gradebook(f"sqlite:///{checkout / 'gradebook.db'}") as gradebook:
        scores = {s.student.id: s.score for s in gradebook.assignment_submissions(NAME)}
        assert scores == {"ada": 24, "bob": 0}, "the bonus is saved, too"
        assert gradebook.find_assignment(NAME).max_score == 20


def test_validate_is_content_with_the_solution_and_lists_what_is_untouched(checkout):
    said = nbgrader(checkout, "validate", f"solutions/{NOTEBOOK}")
    assert "Success! Your notebook passes all the tests." in said
    said = nbgrader(checkout, "validate", f"exercises/{NOTEBOOK}")
    assert "VALIDATION FAILED ON 11 CELL(S)" in said
    assert "The product without the product: 0 of 2 points." in said
    assert "There is no answer here yet." in said


def test_validate_says_what_a_partly_right_answer_lacks_and_how_the_mistake_is_called(tmp_path):
    def wrap(notebook):
        cell_named(notebook, "lookup").source = "def look_up(ids, table): return table[ids]"

    (tmp_path / "nbgrader_config.py").write_text(WORK_CONFIG)
    hand_in(tmp_path, "ada", change=wrap)
    said = nbgrader(tmp_path, "validate", str(path_of(tmp_path, "ada").relative_to(tmp_path)))
    for words in (
        "VALIDATION FAILED ON 1 CELL(S)",
        "The product without the product: 1.75 of 2 points.",
        "A negative id: returns a value",
        "negative-wraps: An id of −1 gives the last word's row",
    ):
        assert words in said
