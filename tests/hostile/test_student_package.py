"""The package that a student finds in the sandbox: what is given, and nothing that answers."""

import ast
import os
import subprocess
import sys

import pytest

from headway.grading.sandbox.student_package import make_student_package


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
