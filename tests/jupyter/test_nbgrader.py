"""Plain nbgrader in a checkout: its own commands do what the `headway` commands do."""

import os
import shutil
import subprocess
import sys
import sysconfig

import pytest
from nbgrader.api import Gradebook

from headway.chapters import CHAPTERS
from headway.grading.settings import WORK_CONFIG
from tests.grading.classroom import cell_named, hand_in, path_of

pytestmark = pytest.mark.jupyter

NAME = CHAPTERS[0].name
NOTEBOOK = CHAPTERS[0].notebook


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


def source_of(name, source):
    return lambda notebook: cell_named(notebook, name).update(source=source)


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


@pytest.mark.full
def test_generate_assignment_makes_what_headway_release_makes(checkout, root):
    released = (checkout / "exercises" / NOTEBOOK).read_bytes()
    assert released == (root / "exercises" / NOTEBOOK).read_bytes()


def test_autograde_saves_the_bonus_too(checkout):
    with Gradebook(f"sqlite:///{checkout / 'gradebook.db'}") as gradebook:
        scores = {s.student.id: s.score for s in gradebook.assignment_submissions(NAME)}
        assert scores == {"ada": 24, "bob": 0}
        assert gradebook.find_assignment(NAME).max_score == 20


def test_validate_is_content_with_the_solution(checkout):
    assert "Success! Your notebook passes all the tests." in nbgrader(
        checkout, "validate", f"solutions/{NOTEBOOK}"
    )


def test_validate_lists_what_an_untouched_notebook_lacks(checkout):
    said = nbgrader(checkout, "validate", f"exercises/{NOTEBOOK}")
    assert "VALIDATION FAILED ON 11 CELL(S)" in said
    assert "The product without the product: 0 of 2 points." in said
    assert "There is no answer here yet." in said


def test_validate_says_what_a_partly_right_answer_lacks_and_how_the_mistake_is_called(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text(WORK_CONFIG)
    hand_in(
        tmp_path, "ada", change=source_of("lookup", "def look_up(ids, table): return table[ids]")
    )
    said = nbgrader(tmp_path, "validate", str(path_of(tmp_path, "ada").relative_to(tmp_path)))
    assert "VALIDATION FAILED ON 1 CELL(S)" in said
    assert "The product without the product: 1.75 of 2 points." in said
    assert "A negative id: returns a value" in said
    assert "negative-wraps: An id of −1 gives the last word's row" in said
