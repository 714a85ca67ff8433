"""Honest programs in the sandbox, how runs end, and systems where there is no sandbox."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from headway.errors import UserError
from headway.grading.sandbox.bubblewrap import how_to_mend
from headway.grading.sandbox.mounts import student_view
from headway.grading.sandbox.student_package import make_student_package
from tests.hostile.sandbox import run

GIB = 1 << 30


@pytest.mark.parametrize("number", [0, 1, 3, 100])
def test_an_exit_code_comes_through(attack, number):
    ending = attack(f"import os; os._exit({number})")
    assert (ending.how, ending.code, ending.limit) == ("exited", number, None)


@pytest.mark.parametrize(
    ("code", "number"),
    [("import ctypes; ctypes.string_at(0)", 11), ("import os; os.kill(os.getpid(), 9)", 9)],
)
def test_a_crash_is_told_by_its_signal(attack, code, number):
    ending = attack(code)
    assert (ending.how, ending.code, ending.limit) == ("signal", number, None)


def test_output_and_errors_come_apart_and_whole(attack):
    ending = attack("import sys; print('ready\\nout'); print('wrong', file=sys.stderr)")
    assert (ending.stdout, ending.stderr) == (b"ready\nout\n", b"wrong\n")


def test_standard_input_is_at_its_end(attack):
    assert b"EOFError" in attack("input()").stderr


def test_an_honest_cell_with_numpy_torch_and_a_plot_runs(attack):
    code = """
import numpy as np, torch
weights = torch.nn.Linear(8, 8)
loss = weights(torch.ones(4, 8)).square().mean()
loss.backward()
import matplotlib.pyplot as plt
plt.plot(np.arange(3))
plt.savefig("plot.png")
print(torch.isfinite(weights.weight.grad).all().item(), torch.get_num_threads())
"""
    ending = attack(code, wall_seconds=60, cpu_seconds=60, memory_bytes=2 * GIB)
    assert ending.stdout == b"True 1\n", ending.stderr.decode()
    assert 50 << 20 < ending.peak_memory < 2 * GIB
    assert ending.cpu_seconds > 0


def test_a_system_without_bubblewrap_is_told_how_to_get_it(student_package, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="sudo apt-get install bubblewrap"):
        run(["/bin/true"], student_view(student_package))


@pytest.mark.parametrize(
    ("complaint", "mending"),
    [
        ("bwrap: Unknown option --disable-userns", "version 0.8 or newer"),
        (
            "bwrap: No permissions to create new namespace",
            "seccomp=unconfined.*unmask=/proc|sysctl",
        ),
    ],
)
def test_a_system_that_does_not_let_it_work_is_told_so(
    student_package, monkeypatch, complaint, mending
):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        broken = Path(folder, "bwrap")
        broken.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 1\n")
        broken.chmod(0o755)
        monkeypatch.setenv("PATH", folder)
        with pytest.raises(UserError, match=f"{complaint}.*{mending}.*headway doctor"):
            run(["/bin/true"], student_view(student_package))
    assert how_to_mend(complaint)


def test_a_thing_to_bind_that_is_not_there_is_an_error_of_ours(student_package):
    view = student_view(student_package, (Path("/none/such"), Path("/course")))
    with pytest.raises((UserError, OSError), match="/none/such"):
        run(["/bin/true"], view)


def test_every_module_of_the_student_package_can_be_imported(student_package):
    names = [
        ".".join(path.relative_to(student_package.parent).with_suffix("").parts)
        for path in sorted(student_package.rglob("*.py"))
    ]
    code = (
        "import importlib, sys\n"
        f"for name in {names}: importlib.import_module(name.removesuffix('.__init__'))\n"
        "assert sys.modules['headway'].__file__.startswith(sys.argv[1]), 'its own package'"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(student_package)],
        env={**os.environ, "PYTHONPATH": str(student_package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    around = ast.parse((student_package / "tasks" / "__init__.py").read_text())
    assert [type(node) for node in around.body] == [ast.Expr], "a docstring and no code"


def test_a_student_package_keeps_what_is_given_and_hides_what_imports_the_hidden(student_package):
    there = {path.relative_to(student_package).as_posix() for path in student_package.rglob("*.*")}
    assert {
        "text/categories.py",
        "tasks/engine/probe/verbs.py",
        "tasks/check.py",
        "figures/core/base.css",
    } <= there
    assert not {"text/vocabulary.py", "text/tokenizer.py", "ngram/markov.py"} & there
    assert not any(
        name.startswith(("cli", "grading", "commands", "tasks/chapters")) for name in there
    )


def test_a_student_package_refuses_what_cannot_be(tmp_path):
    with pytest.raises(ValueError, match=r"no module headway\.text\.none"):
        make_student_package(tmp_path / "a", ["headway.text.none"])
    with pytest.raises(ValueError, match=r"hands out headway\.text\.tokenizer"):
        make_student_package(
            tmp_path / "b", ["headway.text.vocabulary"], ["headway.text.tokenizer"]
        )
