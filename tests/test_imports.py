"""What imports what: the contracts of pyproject.toml, and what a bare import brings in."""

import subprocess
import sys

import pytest

PROBE = "headway.tasks.engine.probe"
CONTRACTS = "from importlinter.cli import lint_imports_command as command; command()"


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh Python holds after a statement."""
    command = [sys.executable, "-c", f"{statement}\nimport sys; print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_imports_point_one_way(root):
    command = [sys.executable, "-c", CONTRACTS, "--no-cache"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import headway", {"torch", "numpy", "IPython", "rich", "typer"}),
        ("import headway.text.vocabulary", {"torch", "IPython", "matplotlib"}),
        ("import headway.tasks.check", {"torch", "IPython", "matplotlib", "nbgrader"}),
        ("import headway.cli", {"torch", "numpy", "traitlets", "packaging", "jinja2"}),
    ],
)
def test_an_import_brings_in_nothing_heavy(statement, absent):
    assert not loaded_by(statement) & absent


def test_the_probe_imports_nothing_of_the_course():
    ours = {name for name in loaded_by(f"import {PROBE}.verbs") if name.startswith("headway")}
    modules = {f"{PROBE}.{name}" for name in ("asks", "calls", "outcomes", "plain", "verbs")}
    assert ours == {"headway", "headway.tasks", "headway.tasks.engine", PROBE} | modules
