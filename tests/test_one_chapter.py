"""`pytest --chapter`: which tests concern a chapter, and what is said where none does."""

import os
import subprocess
import sys

import pytest

from headway.chapters import find_chapter
from tests.one_chapter import concerns

ATTENTION = find_chapter("08-attention")
HEADS = find_chapter("09-many-heads")


@pytest.mark.parametrize(
    "test_id",
    [
        "tests/nn/test_attention.py::test_a_mask[2]",
        "tests/nn/test_masks.py::test_it",
        "tests/browser/test_attention_figures.py::test_it",
        "tests/tasks/chapters/test_attention.py::test_it",
        "tests/chain/test_pieces.py::test_08_attention_with_uniform_weights_is_the_mean_vote",
        "tests/tasks/test_catalogue.py::test_the_reference_passes[0-08-attention/causal]",
        "tests/tasks/test_catalogue.py::test_it[08-attention]",
        "tests/browser/test_pages.py::test_it[book/08-attention.html-dark-390]",
        "tests/x/test_y.py::TestIt::test_08_it",
    ],
)
def test_a_test_concerns_the_chapter_that_its_file_function_or_parameter_names(test_id):
    assert concerns(test_id, ATTENTION)
    assert not concerns(test_id, HEADS)


@pytest.mark.parametrize(
    "test_id",
    [
        "tests/nn/test_multihead.py::test_it",
        "tests/models/test_graph_attention.py::test_it",
        "tests/models/test_masks.py::test_it",
        "tests/chain/test_pieces.py::test_09_one_head_is_attention",
        "tests/tasks/test_catalogue.py::test_the_reference_passes[0-09-many-heads/attention]",
        "tests/nn/test_block.py::test_a_block[attention-08]",
        "tests/nn/test_block.py::test_a_block[108-attention]",
        "tests/nn/test_block.py::test_a_block[08-attentions]",
    ],
)
def test_a_test_that_names_another_chapter_or_the_word_alone_does_not_concern_it(test_id):
    assert not concerns(test_id, ATTENTION)


@pytest.mark.parametrize("slug", ["test_many_heads.py", "test_many_heads_figures.py"])
def test_the_hyphens_of_a_slug_are_underscores_in_files(slug):
    assert concerns(f"tests/x/{slug}::test_it", HEADS)


def collected(root, chapter: str, file: str) -> tuple[int, str]:
    """The exit code, and what is said, where tests of a file are chosen and not run."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--chapter", chapter, file]
    own = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    done = subprocess.run(command, cwd=root, env=own, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_only_what_concerns_the_chapter_is_run(root):
    code, said = collected(root, "8", "tests/test_chapters.py")
    ids = [line for line in said.splitlines() if "::" in line]
    assert code == 0
    assert len(ids) >= 5
    assert all("08-attention" in test_id for test_id in ids)


def test_an_unknown_chapter_is_answered_with_those_there_are(root):
    code, said = collected(root, "attentoin", "tests/test_chapters.py")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "--chapter: There is no chapter 'attentoin'. Did you mean" in said


def test_a_run_that_selects_nothing_says_so_and_fails(root):
    code, said = collected(root, "8", "tests/test_cli.py")
    assert code == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "--chapter: none of these tests concerns 08-attention." in said
