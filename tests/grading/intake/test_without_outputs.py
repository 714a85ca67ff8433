"""What grading never looks at is taken out of a large file, and nothing else."""

import json

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from headway.grading.intake import without_outputs as module
from headway.grading.intake.submission import take_snapshot
from headway.grading.intake.without_outputs import without_outputs
from tests.grading.classroom import CHAPTER, hand_in

TRAP = 'print("outputs": [ { \\" \\\\")  # "outputs": [{"a": "'


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    monkeypatch.setattr(module, "SMALL", 0)
    monkeypatch.setattr(module, "BLOCK", 7)


def file_of(*cells) -> bytes:
    return json.dumps(new_notebook(cells=list(cells))).encode()


def printed(*texts: str) -> list:
    return [new_output("stream", text=text) for text in texts]


@pytest.mark.parametrize("indent", [None, 1])
def test_texts_stay_and_outputs_pictures_and_widgets_go(indent):
    notebook = new_notebook(
        cells=[
            new_code_cell(TRAP, outputs=printed(TRAP, "]}" * 9, '"', "\\")),
            new_markdown_cell(TRAP, attachments={"a.png": {"image/png": "A" * 99}}),
            new_code_cell("1", outputs=[new_output("display_data", {"application/json": [[]]})]),
        ],
        metadata={"widgets": {"state": {"a": [1]}}, "title": TRAP},
    )
    kept = json.loads(without_outputs(json.dumps(notebook, indent=indent).encode()))
    for cell in notebook.cells:
        cell |= {name: type(cell[name])() for name in ("outputs", "attachments") if name in cell}
    notebook.metadata.widgets = {}
    assert kept == notebook


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[" * 1000,
        b'{"outputs": [{"a": 1}',
        b'"' * 999,
        b'{"a": "b\\',
        b'{"outputs": 3, "attachments": "x", "cells": []}',
        b'{"a": "x"outputs":[1, 2]", "b": [3]}',
        "{'outputs': [1]}".encode("utf-16"),
    ],
)
def test_what_is_damaged_or_has_none_stays_as_it_is(raw):
    assert without_outputs(raw) == raw


@pytest.mark.parametrize(("limit", "number"), [("MAX_BRACKETS", 10), ("SMALL", 10_000)])
def test_a_small_file_and_one_of_brackets_alone_are_left_as_they_are(monkeypatch, limit, number):
    monkeypatch.setattr(module, limit, number)
    raw = file_of(new_code_cell("1", outputs=printed(*"abcdef")))
    assert without_outputs(raw) is raw


def test_no_more_is_taken_out_than_the_cells_of_a_notebook_hold(monkeypatch):
    monkeypatch.setattr(module, "MAX_CELLS", 1)
    raw = file_of(*[new_code_cell("1", outputs=printed("a")) for _ in range(9)])
    assert without_outputs(raw).count(b'"text"') == 6


def test_thirty_megabytes_of_short_lines_do_not_travel_with_the_answers(tmp_path, monkeypatch):
    def print_a_lot(notebook):
        cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
        cell.outputs = printed("A LOT")

    monkeypatch.undo()
    path = hand_in(tmp_path, "ada", change=print_a_lot)
    saved = path.read_bytes()
    # Jupyter saves each line as a text of its own, so a short one is four times as long.
    path.write_bytes(saved.replace(b'"A LOT"', b'"123\\n",\n      ' * 7_500_000 + b'""'))
    assert path.stat().st_size > 110e6
    snapshot = take_snapshot(path.parent, CHAPTER.name, "ada")
    assert len(snapshot.notebook) < 100_000
    assert [cell["source"] for cell in json.loads(snapshot.notebook)["cells"]] == [
        cell["source"] for cell in json.loads(saved)["cells"]
    ]
