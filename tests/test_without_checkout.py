"""The package as a wheel installs it: without the checkout, and so without any solution."""

import os
import shutil
import subprocess
import sys

import pytest

from headway.chapters import CHAPTERS
from tests.grading.classroom import hand_in, statuses_and_scores

NAME = CHAPTERS[0].name


@pytest.fixture(scope="module")
def headway(root, tmp_path_factory):
    """Runs the command of such a package, in a folder."""
    site = tmp_path_factory.mktemp("site")
    # What `pyproject.toml` puts into a wheel.
    shutil.copytree(root / "src" / "headway", site / "headway")
    shutil.copytree(root / "exercises", site / "headway" / "exercises")

    def run(folder, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "headway", *arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.full
@pytest.mark.jupyter
def test_a_class_is_released_and_graded_from_the_course_folder_s_own_source(
    headway, root, tmp_path
):
    hand_in(tmp_path, "ada")
    done = headway(tmp_path, "grade", "01", "--course", ".")
    assert done.returncode == 2
    assert f"There is no {tmp_path / 'source' / NAME / NAME}.ipynb" in done.stderr
    assert "holds no solutions" in done.stderr
    shutil.copytree(root / "solutions" / NAME, tmp_path / "source" / NAME)
    assert headway(tmp_path, "release", "--course", ".").returncode == 0
    assert (tmp_path / "release" / NAME / f"{NAME}.ipynb").read_bytes() == (
        root / "exercises" / NAME / f"{NAME}.ipynb"
    ).read_bytes()
    done = headway(tmp_path, "grade", "01", "--course", ".")
    assert (done.returncode, done.stderr) == (0, "")
    assert statuses_and_scores(tmp_path) == {"ada": ("graded", 24)}


@pytest.mark.parametrize("command", [["release"], ["book"]])
def test_what_makes_the_course_itself_asks_for_a_checkout(headway, tmp_path, command):
    done = headway(tmp_path, *command)
    assert done.returncode == 2
    assert "No course checkout" in done.stderr
    assert "Traceback" not in done.stderr
