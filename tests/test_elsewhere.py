"""What a student needs, on Windows and on macOS, as far as Linux can play them.

`tests/elsewhere/sitecustomize.py` says how it is done, and what cannot be seen this way.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

from headway.chapters import ASSIGNMENTS, CHAPTERS
from headway.imports import own_imports
from tests.full import full_but

FIRST = CHAPTERS[0]
ELSEWHERE = ("windows", "macos")
FOR_LINUX = ("headway.grading", "headway.runner")
# Of grading, a student's commands run these parts.
STUDENTS_OF_GRADING = ("settings", "locks", "notebooks", "slow_imports", "words", "times")
# macOS lacks only little of what Linux has.
on_windows_first = pytest.mark.parametrize("system", full_but("windows".__eq__, ELSEWHERE))


@pytest.fixture
def run(root, tmp_path):
    """Runs Python on a system, in an empty folder."""

    def python(system: str, *arguments: str) -> subprocess.CompletedProcess:
        plays = {"HEADWAY_TEST_SYSTEM": system, "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"}
        path = [root / "tests" / "elsewhere", root / "src"]
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=os.environ | plays | {"PYTHONPATH": os.pathsep.join(map(str, path))},
            capture_output=True,
            encoding="cp1252",
            check=False,
        )

    return python


@pytest.mark.full
@on_windows_first
def test_each_module_of_a_student_is_imported(run, system):
    ours = tuple(f"headway.grading.{part}" for part in STUDENTS_OF_GRADING)
    modules = own_imports().modules
    names = sorted(n for n in modules if n.startswith(ours) or not n.startswith(FOR_LINUX))
    assert len(names) > 400
    done = run(system, "-c", f"from importlib import import_module as i\nfor n in {names}: i(n)")
    assert (done.returncode, done.stderr) == (0, "")


@on_windows_first
def test_a_student_starts_works_checks_and_sees_the_progress(run, root, tmp_path, system):
    done = run(system, "-m", "headway", "start", "01", "--no-open")
    assert done.returncode == 0, done.stderr
    notebook = tmp_path / "work" / FIRST.notebook
    assert notebook.read_bytes() == (root / "exercises" / FIRST.notebook).read_bytes()
    shutil.copy(root / "solutions" / FIRST.notebook, notebook)
    done = run(system, "-m", "headway", "check", "01", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["score"], report["bonus"]) == (20, 4)
    done = run(system, "-m", "headway", "progress")
    assert done.returncode == 0, done.stderr
    assert f"Go on with: headway start {FIRST.number:02d}" in done.stdout


@pytest.mark.full(chapter=False)
@pytest.mark.parametrize("system", ELSEWHERE)
@pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda assignment: assignment.name)
def test_each_solution_passes_its_checks(run, root, system, assignment):
    solved = root / "solutions" / assignment.notebook
    done = run(system, "-m", "headway", "check", str(solved), "--json")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.full
@on_windows_first
def test_the_doctor_tells_an_instructor_what_is_not_there(run, system):
    done = run(system, "-m", "headway", "doctor", "--for", "instructor")
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("To mend: ")] == [
        "To mend: call headway grade on Linux (on Windows, in WSL 2)"
    ]


@on_windows_first
@pytest.mark.parametrize("command", [["grade", "01", "--course", "."], ["hub", "."]])
def test_what_needs_linux_says_so(run, system, command):
    done = run(system, "-m", "headway", *command)
    assert done.returncode == 2
    assert "runs on Linux only" in done.stderr


def test_the_simulation_takes_away_what_it_says(run, tmp_path):
    (tmp_path / "text").write_text("→", encoding="utf-8")
    done = run("windows", "-c", "import headway.grading.sandbox.hardening")
    assert "ModuleNotFoundError: No module named 'fcntl'" in done.stderr
    done = run("macos", "-c", "from headway.grading.workers.pool import Pool; Pool(1)")
    assert "no attribute 'sched_getaffinity'" in done.stderr
    read = "from pathlib import Path; print(Path('text').read_text(), open('text').read())"
    assert run("windows", "-c", read).stdout.split() == ["→".encode().decode("cp1252")] * 2
