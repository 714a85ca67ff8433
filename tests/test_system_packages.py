"""What the Makefile and CI do about missing system packages, and which Python CI takes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def system(tmp_path, root):
    """A system of which only the given programs exist; runs tools/system-packages there."""

    def call(
        parts: list[str], programs: dict[str, str], **variables: str
    ) -> subprocess.CompletedProcess:
        for name, body in {"python3": f'exec {sys.executable} "$@"', **programs}.items():
            program = tmp_path / name
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(0o755)
        return subprocess.run(
            ["/bin/sh", str(root / "tools" / "system-packages"), *parts],
            env={"PATH": str(tmp_path), **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    return call


APT = 'echo "apt-get $*" >> "$(dirname "$0")/log"'
UNPRIVILEGED, ROOT = "echo 1000", "echo 0"


def test_nothing_is_done_where_everything_is_there(system, tmp_path):
    done = system(
        ["venv", "chromium", "bubblewrap"], {"google-chrome": "", "bwrap": "", "apt-get": APT}
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (tmp_path / "log").exists()


def test_the_command_is_named_where_the_user_may_not_install(system, tmp_path):
    programs = {"apt-get": APT, "id": UNPRIVILEGED, "sudo": "exit 1"}
    done = system(["chromium", "bubblewrap"], programs)
    assert done.returncode == 1
    assert done.stderr == (
        "Missing on this system: chromium bubblewrap. "
        "Install with: sudo apt-get install chromium bubblewrap\n"
    )
    assert not (tmp_path / "log").exists()


def test_the_command_is_named_where_there_is_no_apt(system):
    done = system(["venv", "bubblewrap"], {"id": ROOT, "python3": "exit 1"})
    assert done.returncode == 1
    assert done.stderr.endswith("sudo apt-get install python3-venv bubblewrap\n")


@pytest.mark.parametrize(
    "programs",
    [{"id": ROOT}, {"id": UNPRIVILEGED, "sudo": 'shift; [ "$1" = true ] || "$@"'}],
    ids=["root", "passwordless sudo"],
)
def test_it_is_installed_where_the_user_may(system, tmp_path, programs):
    tools = {"env": 'shift; "$@"', "dirname": 'echo "${1%/*}"', "true": ""}
    done = system(["chromium"], {"apt-get": APT, **tools, **programs})
    assert done.returncode == 0, done.stderr
    update, install = (tmp_path / "log").read_text().splitlines()
    assert update.startswith("apt-get update")
    assert install.startswith("apt-get install -y")
    assert install.endswith(" chromium")


def test_an_unknown_part_is_said(system):
    done = system(["chrome"], {})
    assert done.returncode == 2
    assert "There is no part 'chrome'." in done.stderr


def test_the_python_that_is_named_is_looked_at(system):
    done = system(["venv"], {"bare": "exit 1"}, PYTHON="bare")
    assert (done.returncode, done.stderr.split()[-1]) == (1, "python3-venv")


@pytest.fixture
def chosen_python(tmp_path, root):
    """The Python that .ci/run hands to tools/system-packages and to make."""

    def call(**variables: str) -> list[str]:
        for folder in (".ci", "tools"):
            (tmp_path / folder).mkdir()
        shutil.copy(root / ".ci" / "run", tmp_path / ".ci")
        for program in ("tools/system-packages", "make"):
            (tmp_path / program).write_text('#!/bin/sh\necho "$PYTHON"\n')
            (tmp_path / program).chmod(0o755)
        inherited = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        return subprocess.run(
            ["bash", tmp_path / ".ci" / "run"],
            env=inherited | variables,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()

    return call


def test_ci_takes_the_python_that_is_named(chosen_python):
    assert chosen_python(PYTHON="python3.12") == ["python3.12", "python3.12"]


def test_ci_takes_the_python_of_the_system_where_it_is_new_enough(chosen_python):
    system = Path("/usr/bin/python3")
    new = "import sys; sys.exit(sys.version_info < (3, 11))"
    good = system.exists() and subprocess.run([system, "-c", new], check=False).returncode == 0
    assert chosen_python() == [str(system) if good else "python3"] * 2
