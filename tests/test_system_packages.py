"""What the Makefile does about missing system packages: installs them, or names the command."""

import subprocess
import sys

import pytest


@pytest.fixture
def system(tmp_path, root):
    """A system of which only the given programs exist; runs tools/system-packages there."""

    def call(parts: list[str], programs: dict[str, str]) -> subprocess.CompletedProcess:
        for name, body in {"python3": f'exec {sys.executable} "$@"', **programs}.items():
            program = tmp_path / name
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(0o755)
        return subprocess.run(
            ["/bin/sh", str(root / "tools" / "system-packages"), *parts],
            env={"PATH": str(tmp_path)},
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
