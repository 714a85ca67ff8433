"""`pytest --chapter`: which tests concern a chapter, and what is said where none does."""

import os
import subprocess
import sys

import pytest

from headway.chapters import find_chapter
from tests.one_chapter import concerns


@pytest.mark.parametrize(
    ("test_id", "concerned"),
    [
        ("tests/nn/test_masks.py::test_it[2]", True),
        ("tests/browser/test_attention_figures.py::test_it", True),
        ("tests/chain/test_pieces.py::test_08_uniform_weights_are_the_mean_vote", True),
        ("tests/browser/test_pages.py::test_it[book/08-attention.html-dark-390]", True),
        ("tests/models/test_masks.py::test_it", False),
        ("tests/chain/test_pieces.py::test_09_one_head_is_attention", False),
        ("tests/nn/test_block.py::test_a_block[08-attentions]", False),
    ],
)
def test_a_file_a_function_or_a_parameter_names_the_chapter(test_id, concerned):
    assert concerns(test_id, find_chapter("08-attention")) == concerned


@pytest.mark.parametrize(
    ("chapter", "file", "code", "said"),
    [
        ("8", "tests/test_chapters.py", pytest.ExitCode.OK, "[08-attention]"),
        ("attentoin", "tests/test_chapters.py", pytest.ExitCode.USAGE_ERROR, "Did you mean"),
        ("8", "tests/test_cli.py", pytest.ExitCode.NO_TESTS_COLLECTED, "none of these tests"),
    ],
)
def test_only_what_concerns_the_chapter_is_run_and_nothing_at_all_is_said(
    root, chapter, file, code, said
):
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--chapter", chapter, file]
    own = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    done = subprocess.run(command, cwd=root, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    ids = [line for line in done.stdout.splitlines() if "::" in line]
    assert all("08-attention" in test_id for test_id in ids)
