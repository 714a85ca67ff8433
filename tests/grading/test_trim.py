"""Long outputs are cut, pictures stay whole, verdicts stay as they are."""

import json

from nbformat.v4 import new_code_cell, new_notebook, new_output

from headway.grading.notebook import MAX_BYTES
from headway.grading.trim import MAX_TEXT, MAX_TOTAL, TrimOutput
from headway.tasks.check import MIME


def trimmed(*outputs):
    notebook = new_notebook(cells=[new_code_cell("", outputs=list(outputs))])
    TrimOutput().preprocess(notebook, {})
    return notebook.cells[0].outputs


def test_texts_are_cut_and_say_so():
    long = "x" * (MAX_TEXT + 1)
    stream, error, plain = trimmed(
        new_output("stream", text=long),
        new_output("error", ename="E", evalue=long, traceback=[long, "short"]),
        new_output("display_data", {"text/plain": long}),
    )
    for text in (stream.text, error.evalue, error.traceback[0], plain.data["text/plain"]):
        assert text == long[:-1] + "\n… cut here: 100,001 characters in all."
    assert (error.ename, error.traceback[1]) == ("E", "short")


def test_markup_and_media_are_whole_or_left_out():
    picture, page, data = trimmed(
        new_output("display_data", {"image/png": "A" * 500_000, "text/plain": "<Figure>"}),
        new_output("display_data", {"text/html": "<p>" * MAX_TEXT}),
        new_output("display_data", {"application/json": {"a": ["b" * 3_000_000]}}),
    )
    assert picture.data == {"image/png": "A" * 500_000, "text/plain": "<Figure>"}
    assert page.data == {"text/plain": "… left out: text/html is too large."}
    assert data.data == {"text/plain": "… left out: application/json is too large."}


def test_a_verdict_stays_and_all_together_fit_into_a_notebook():
    verdict = {"task": "t", "reason": "r" * (MAX_TEXT + 1)}
    many = [new_output("stream", text="\0" * MAX_TEXT) for _ in range(100)]
    *others, last = trimmed(*many, new_output("display_data", {MIME: verdict}))
    assert last.data[MIME] == verdict
    assert MAX_TEXT < len(json.dumps(others)) < MAX_TOTAL + MAX_TEXT < MAX_BYTES


def test_the_points_of_a_check_stay_readable_after_any_amount_of_output():
    many = [new_output("stream", text="x" * MAX_TEXT) for _ in range(110)]
    check = new_output("execute_result", {"text/plain": "1.5", "text/html": "<p>", MIME: {}})
    assert trimmed(*many, check)[-1].data == check.data
