"""What the Makefile and CI do about missing system packages."""

import subprocess
import sys

import pytest

APT = {"apt-get": 'echo "apt-get $*" >> "$(dirname "$0")/log"'}
UNPRIVILEGED, ROOT = {"id": "echo 1000"}, {"id": "echo 0"}
SUDO = {"sudo": 'shift; [ "$1" = true ] || "$@"'}


@pytest.fixture
def system(tmp_path, root):
    """A system of which only the given programs exist; runs tools/system-packages there."""

    def call(parts: str, programs: dict[str, str], **variables: str) -> tuple[int, str, str]:
        for name, body in ({"python3": f'exec {sys.executable} "$@"'} | programs).items():
            program = tmp_path / name
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(0o755)
        done = subprocess.run(
            ["/bin/sh", str(root / "tools" / "system-packages"), *parts.split()],
            env={"PATH": str(tmp_path), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    return call


def test_nothing_is_done_where_everything_is_there(system, tmp_path):
    there = {"google-chrome": "", "bwrap": ""}
    assert system("venv chromium bubblewrap", there | APT) == (0, "", "")
    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize(
    ("parts", "programs", "variables", "missing"),
    [
        ("chromium bubblewrap", APT | UNPRIVILEGED | {"sudo": "exit 1"}, {}, "chromium bubblewrap"),
        ("venv bubblewrap", ROOT | {"python3": "exit 1"}, {}, "python3-venv bubblewrap"),
        ("venv", {"bare": "exit 1"}, {"PYTHON": "bare"}, "python3-venv"),
    ],
    ids=["may not install", "no apt", "a Python that is named"],
)
def test_the_command_is_named_where_it_cannot_be_done(
    system, tmp_path, parts, programs, variables, missing
):
    code, _, said = system(parts, programs, **variables)
    assert code == 1
    assert said == (
        f"Missing on this system: {missing}. Install with: sudo apt-get install {missing}\n"
    )
    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize("programs", [ROOT, UNPRIVILEGED | SUDO], ids=["root", "passwordless sudo"])
def test_it_is_installed_where_the_user_may(system, tmp_path, programs):
    tools = {"env": 'shift; "$@"', "dirname": 'echo "${1%/*}"', "true": ""}
    code, _, said = system("chromium", APT | tools | programs)
    assert code == 0, said
    update, install = (tmp_path / "log").read_text().splitlines()
    assert update.startswith("apt-get update")
    assert install.startswith("apt-get install -y")
    assert install.endswith(" chromium")


def test_an_unknown_part_is_said(system):
    code, _, said = system("chrome", {})
    assert code == 2
    assert "There is no part 'chrome'." in said
