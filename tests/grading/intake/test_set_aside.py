"""What cannot be graded, or asks for too much, is set aside with a sentence."""

import json

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.chapters import CHAPTERS, released_notebook
from headway.grading.intake.repair import SetAside, repair
from headway.grading.intake.submitted_cells import read_cells

RELEASE = nbformat.read(released_notebook(CHAPTERS[0]), as_version=4)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{", "not JSON"),
        (b"\x80\x03cposix\nsystem\n", "not JSON"),
        (b"[]", "not that of a notebook"),
        (b'{"cells": 1}', "not that of a notebook"),
        (b'{"cells": [], "nbformat": 4}', "none of the assignment's cells"),
        (b'{"worksheets": [1, {"cells": 2}]}', "none of the assignment's cells"),
        ("{}".encode("utf-16"), "not UTF-8"),
        ("{}".encode("utf-32"), "not UTF-8"),
        (b"[" * 101 + b"]" * 101, "more than 100 deep"),
        (b"[" * 20_000_000, "more than 500,000 lists"),
        (b'{"a":' * 400_000, "more than 100 deep"),
        (b"[]," * 6_600_000, "more than 500,000 lists"),
        (b'"' + b'\\"' * 9_999_999, "not JSON"),
        (b"9" * 1_000_000, "not that of a notebook"),
        (b" " * 20_000_001, "20 MB large, more than 20 MB"),
        (b'{"cell_type":1},' * 4_001, "more than 2,000 cells"),
        (b'{"cells":[' + b"1," * 2_000 + b"1]}", "more than 2,000 cells"),
        (b'{"cells":[{"source":"' + b"x" * 1_000_001 + b'"}]}', "1,000,001 characters"),
    ],
    ids=lambda value: value[:12] if isinstance(value, bytes) else value,
)
def test_what_cannot_be_graded_is_set_aside_with_a_sentence(content, said):
    with pytest.raises(SetAside) as reason:
        repair(content, RELEASE)
    assert said in str(reason.value)
    assert str(reason.value).endswith(".")


def test_a_notebook_of_another_assignment_is_set_aside_and_gets_no_zero():
    for chapter in CHAPTERS[1:]:
        with pytest.raises(SetAside, match="another assignment's"):
            repair(released_notebook(chapter).read_bytes(), RELEASE)


def test_checks_that_a_student_named_make_no_notebook_another_assignment_s():
    notebook = nbformat.read(released_notebook(CHAPTERS[0]), as_version=4)
    own = [cell for cell in notebook.cells if cell.metadata.nbgrader.grade_id == "dot"] * 12
    for number, cell in enumerate(own):
        cell = nbformat.from_dict({**cell, "id": f"own-{number}"})
        cell.metadata.nbgrader.grade_id = f"check-own-{number}"
        notebook.cells.append(cell)
    assert len(repair(nbformat.writes(notebook).encode(), RELEASE).notebook.cells) > 12


@given(st.text(alphabet='ab"\\[]{}\n', max_size=40))
def test_brackets_within_texts_are_not_counted(text):
    bracketed = json.dumps({"cells": [{"source": text + "[" * 101, text: "{" * 101}]}).encode()
    assert read_cells(bracketed)[0][0].source == text + "[" * 101
    with pytest.raises(SetAside, match="deep"):
        read_cells(bracketed.replace(b'{"cells": ', b'{"cells": ' + b"[" * 101))
