"""`headway doctor`: what is there, what is not, and the command that mends it."""

import sys
import tempfile
from pathlib import Path

import pytest

from headway import checkout, errors, extras
from headway.commands import doctor
from headway.grading.sandbox.cgroups import Delegated, NotDelegated

pytestmark = pytest.mark.usefixtures("guarded")


def test_doctor_finds_this_environment_in_order(headway):
    result = headway("doctor")
    assert result.code == 0
    for what in ("Python", "numpy", "torch", "jupyterlab", "kernel python3", "bubblewrap"):
        assert what in result.out


def test_doctor_tells_what_prints_the_book(headway, monkeypatch):
    monkeypatch.setattr(doctor.out, "width", 200)
    monkeypatch.setenv("HEADWAY_BROWSER", sys.executable)
    words = " ".join(headway("doctor", "--for", "author").out.split())
    assert f"✓ browser that prints {sys.executable} headway book --pdf" in words
    monkeypatch.setenv("HEADWAY_BROWSER", "no-such-browser")
    result = headway("doctor", "--for", "author")
    assert result.code == 0
    assert "To mend: name a browser's program in HEADWAY_BROWSER, or unset it" in result.out
    assert "headway book --pdf" not in headway("doctor", "--for", "instructor").out


@pytest.fixture
def pretend(monkeypatch):
    """Lets packages seem to be of other versions."""
    version = extras.metadata.version

    def of(**versions: str) -> None:
        monkeypatch.setattr(
            extras.metadata, "version", lambda name: versions.get(name) or version(name)
        )

    return of


def test_doctor_fails_if_the_base_is_incomplete(headway, pretend):
    pretend(numpy="1.0", ruff="0.1")
    result = headway("doctor")
    assert result.code == 1
    assert "1.0, needs" in result.out
    assert 'To mend: pip install -c constraints.txt -e "."' in result.out
    assert 'To mend: pip install -c constraints.txt -e ".[test]"' in result.out


@pytest.mark.parametrize(
    ("whom", "said", "extras"),
    [
        ("student", {"numpy", "jupyterlab"}, 2),  # the base is one
        ("instructor", {"numpy", "jupyterlab", "distributed", "bubblewrap"}, 3),
        ("author", {"numpy", "jupyterlab", "distributed", "bubblewrap", "ruff", "chromium"}, 4),
    ],
)
def test_doctor_names_the_command_for_what_one_needs_and_looks_at_nothing_else(
    headway, monkeypatch, pretend, whom, said, extras
):
    names = ("numpy", "jupyterlab", "distributed", "ruff")
    pretend(**dict.fromkeys(names, "0.0.1"))
    monkeypatch.setattr("headway.commands.doctor.shutil.which", lambda name: None)
    out = headway("doctor", "--for", whom).out.lower()
    assert {name for name in (*names, "bubblewrap", "chromium") if name in out} == said
    assert out.count("to mend: pip install -c constraints.txt") == extras
    for program in ("bubblewrap", "chromium"):
        assert (f"to mend: sudo apt-get install {program}" in out) == (program in said)


@pytest.mark.parametrize(
    ("there", "whom"),
    [
        ((), "a student"),
        (("distributed",), "an instructor"),
        (("distributed", "pytest"), "an author"),
    ],
)
def test_doctor_guesses_for_whom_by_what_is_installed_and_says_so(
    headway, monkeypatch, there, whom
):
    find = doctor.find_spec

    def pretended(name):
        return find(name) if name not in ("pytest", "distributed") or name in there else None

    monkeypatch.setattr(doctor, "find_spec", pretended)
    result = headway("doctor")
    assert f"Everything {whom} needs is there." in result.out
    assert f"This was for {whom}; for others: headway doctor --for " in result.out


def test_without_a_checkout_the_course_is_named_as_the_package_index_knows_it(
    headway, monkeypatch, tmp_path, pretend
):
    metadata = tmp_path / "headway_course-0.1.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(
        "Metadata-Version: 2.4\nName: headway-course\nVersion: 0.1.0\n"
        "Requires-Dist: numpy>=1.26\nRequires-Dist: jupyterlab<5,>=4.2; extra == 'notebook'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(checkout, "__file__", str(tmp_path / "a" / "b" / "checkout.py"))
    pretend(jupyterlab="0.0.1", numpy="0.0.1")
    out = headway("doctor", "--for", "student").out
    for asked in ("", "[notebook]"):
        assert f'To mend: {sys.executable} -m pip install "headway-course{asked}"\n' in out


def test_a_python_in_a_folder_with_a_space_is_quoted(monkeypatch, tmp_path):
    monkeypatch.setattr(checkout, "__file__", str(tmp_path / "a" / "b" / "checkout.py"))
    monkeypatch.setattr(sys, "executable", "/my files/python")
    assert errors.install_command() == '"/my files/python" -m pip install "headway-course"'


def test_doctor_tells_a_sandbox_that_does_not_start():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # the sandbox is tried as a user who may do little
        broken = Path(folder, "bwrap")
        broken.write_text("#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n")
        broken.chmod(0o755)
        assert doctor.try_sandbox(str(broken)) == "bwrap: No permissions"
        assert "No such file" in doctor.try_sandbox(str(broken) + "-none")


@pytest.mark.parametrize(
    ("root", "start"), [(True, "systemd-run --scope"), (False, "--user --scope")]
)
def test_doctor_tells_who_holds_the_limits_and_how_the_kernel_can(
    headway, monkeypatch, root, start
):
    def refuse():
        raise NotDelegated("this process doesn't own its control group")

    monkeypatch.setattr("headway.commands.doctor.find_delegated", refuse)
    monkeypatch.setattr("headway.commands.doctor.is_root", lambda: root)
    result = headway("doctor")
    words = " ".join(result.out.split())
    assert result.code == 0
    assert "none: this process" in words
    assert f"{start} -p Delegate=yes headway grade" in words
    assert "Everything an author needs is there." in words, "it is no lack"


def test_doctor_tells_that_the_kernel_holds_the_limits(headway, monkeypatch):
    given = Delegated(Path("/sys/fs/cgroup/scope"), ("memory", "pids"))
    monkeypatch.setattr("headway.commands.doctor.find_delegated", lambda: given)
    result = headway("doctor")
    assert "memory, pids" in " ".join(result.out.split())
    assert "systemd-run" not in result.out


def test_doctor_tells_whether_nbgrader_s_own_commands_stay_in_the_sandbox(
    headway, guarded, monkeypatch, tmp_path
):
    def words():
        return " ".join(headway("doctor", "--for", "instructor").out.split())

    monkeypatch.setattr(doctor.out, "width", 250)
    monkeypatch.chdir(tmp_path)
    assert "✓ nbgrader's own commands run no submission outside of the sandbox" in words()
    assert "course folder" not in words()
    (tmp_path / "submitted").mkdir()
    assert "✗ settings of this course folder lack Autograde.exporter_class and" in words()
    assert "To mend: headway class " in words()
    assert headway("class").code == 0
    assert "✓ settings of this course folder complete" in words()
    assert "Everything an instructor needs is there." in words()
    (tmp_path / "nbgrader_config.py").write_text("1 / 0")
    assert f"To mend: correct {tmp_path / 'nbgrader_config.py'}" in words()
    (guarded / "nbgrader_config.json").unlink()
    assert "✗ nbgrader's own commands may run submissions with your rights" in words()


def test_doctor_tells_how_students_code_gets_a_further_package(headway, monkeypatch):
    monkeypatch.setattr(doctor.out, "width", 250)
    assert f"{sys.executable} -m pip install NAME" in headway("doctor", "--for", "instructor").out
    assert "pip install NAME" not in headway("doctor", "--for", "student").out
