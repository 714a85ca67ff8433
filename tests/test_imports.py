"""What imports what: the contracts of pyproject.toml, and what a bare import brings in."""

import subprocess
import sys

import pytest

PROBE = "headway.tasks.engine.probe"


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh Python holds after a statement."""
    code = f"{statement}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_imports_point_one_way(root):
    code = "from importlinter.cli import lint_imports_command as command; command()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import headway", {"torch", "numpy", "IPython", "rich", "typer"}),
        ("import headway.text.vocabulary", {"torch", "IPython", "matplotlib"}),
        ("import headway.tasks.check", {"torch", "IPython", "matplotlib", "nbgrader"}),
        ("import headway.cli", {"torch", "numpy", "IPython", "nbgrader", "nbclient", "jinja2"}),
    ],
)
def test_an_import_brings_in_nothing_heavy(statement, absent):
    assert not loaded_by(statement) & absent


def test_the_probe_imports_nothing_of_the_course():
    code = (
        f"import {PROBE}.verbs, sys\n"
        "print(*(name for name in sys.modules if name.startswith('headway')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    around = {"headway", "headway.tasks", "headway.tasks.engine", PROBE}
    modules = {f"{PROBE}.{name}" for name in ("asks", "calls", "outcomes", "plain", "verbs")}
    assert set(done.stdout.split()) == around | modules
