"""`headway doctor`: what is there, what is not, and the command that mends it."""

import tempfile
from pathlib import Path


def test_doctor_finds_this_environment_in_order(headway):
    result = headway("doctor")
    assert result.code == 0
    for what in ("Python", "numpy", "torch", "jupyterlab", "kernel python3", "bubblewrap"):
        assert what in result.out


def test_doctor_names_the_command_for_what_is_missing(headway, monkeypatch):
    monkeypatch.setattr("headway.commands.doctor.shutil.which", lambda name: None)
    result = headway("doctor")
    assert result.code == 0, "neither is needed by the base"
    assert "To mend: sudo apt-get install chromium" in result.out
    assert "To mend: sudo apt-get install bubblewrap" in result.out


def test_doctor_fails_if_the_base_is_incomplete(headway, monkeypatch):
    from headway.commands import doctor

    version = doctor.metadata.version
    versions = {"numpy": "1.0", "ruff": "0.1"}
    monkeypatch.setattr(
        doctor.metadata, "version", lambda name: versions.get(name) or version(name)
    )
    result = headway("doctor")
    assert result.code == 1
    assert "1.0, needs" in result.out
    assert "To mend: pip install -c constraints.txt -e '.'" in result.out
    assert "To mend: pip install -c constraints.txt -e '.[test]'" in result.out


def test_doctor_tells_a_sandbox_that_does_not_start():
    from headway.commands.doctor import try_sandbox

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # the sandbox is tried as a user who may do little
        broken = Path(folder, "bwrap")
        broken.write_text(
            "#!/bin/sh\necho 'bwrap: No permissions to create namespace' >&2\nexit 1\n"
        )
        broken.chmod(0o755)
        assert try_sandbox(str(broken)) == "bwrap: No permissions to create namespace"
        assert "No such file" in try_sandbox(str(broken) + "-none")
