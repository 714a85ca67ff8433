"""The course as pip installs it in an empty environment, far from the checkout."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from headway.chapters import CHAPTERS
from headway.errors import DISTRIBUTION
from tests.grading.classroom import hand_in, statuses_and_scores

pytestmark = pytest.mark.full
FIRST = CHAPTERS[0]


@pytest.fixture(scope="module")
def dist(root, tmp_path_factory) -> Path:
    """A folder with the wheel and the source distribution."""
    out = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", out], cwd=root, check=True)
    return out


@pytest.fixture(scope="module")
def environment(root, tmp_path_factory) -> Path:
    """The programs of an environment with nothing in it but pip."""
    folder = tmp_path_factory.mktemp("environment") / "of a student"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / "bin"


@pytest.fixture
def run(environment, tmp_path):
    """Runs a program of the environment in an empty folder, as somebody without a checkout."""

    def program(name: str, *arguments: object) -> subprocess.CompletedProcess:
        own = {"PATH": f"{environment}{os.pathsep}{os.defpath}", "PYTHONPATH": ""}
        return subprocess.run(
            [environment / name, *map(str, arguments)],
            cwd=tmp_path,
            env=os.environ | own,
            capture_output=True,
            text=True,
            check=False,
        )

    return program


def install(run, root, *asked: str) -> None:
    done = run("pip", "install", "--quiet", "-c", root / "constraints.txt", *asked)
    if "Failed to establish a new connection" in done.stderr:
        pytest.skip(f"No package index can be asked: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr


def test_a_wheel_of_the_source_distribution_is_the_wheel(dist, tmp_path):
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    shutil.unpack_archive(sdist, tmp_path)
    (source,) = tmp_path.iterdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(build, cwd=source, check=True)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(tmp_path / wheel.name) as other:
        assert {i.filename: i.CRC for i in one.infolist()} == {
            i.filename: i.CRC for i in other.infolist()
        }


def test_a_student_needs_the_wheel_alone(run, dist, root, tmp_path):
    (wheel,) = dist.glob("*.whl")
    install(run, root, f"{wheel}[notebook]")
    done = run("headway", "doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Everything a student needs is there." in done.stdout
    assert run("headway", "start", "01", "--no-open").returncode == 0
    notebook = tmp_path / "work" / FIRST.notebook
    assert notebook.read_bytes() == (root / "exercises" / FIRST.notebook).read_bytes()
    shutil.copy(root / "solutions" / FIRST.notebook, notebook)
    done = run("headway", "check", "01")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("nbgrader", "validate", notebook)
    assert done.returncode == 0, done.stderr


def test_an_instructor_adds_an_extra_and_grades_against_solutions_of_the_course_folder(
    run, dist, root, tmp_path
):
    (wheel,) = dist.glob("*.whl")
    install(run, root, f"{wheel}[notebook]")
    hand_in(tmp_path, "ada")
    done = run("headway", "grade", "01", "--course", ".")
    assert f'-m pip install "{DISTRIBUTION}[grade]"' in done.stderr
    install(run, root, f"{DISTRIBUTION}[grade]")  # as it was told; the wheel is there already
    done = run("headway", "grade", "01", "--course", ".")
    assert "this installation of headway holds no solutions" in done.stderr
    shutil.copytree(root / "solutions" / FIRST.name, tmp_path / "source" / FIRST.name)
    done = run("headway", "grade", "01", "--course", ".")
    assert (done.returncode, done.stderr) == (0, "")
    assert statuses_and_scores(tmp_path) == {"ada": ("graded", 24)}
