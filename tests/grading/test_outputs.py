"""Outputs from a process that may lie: known forms only, cut where long, bounded together."""

import json

import nbformat
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook

from headway.grading.notebook import MAX_BYTES
from headway.grading.outputs import MAX_OUTPUTS, MAX_TEXT, MAX_TOTAL, TOO_LARGE, Outputs
from headway.tasks.check import MIME


def taken(*messages):
    outputs, room = [], Outputs()
    for message in messages:
        room.add(outputs, message)
    return outputs


def stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def display(**data):
    return {"output_type": "display_data", "data": data, "metadata": {"headway": "card"}}


def test_texts_are_cut_and_say_so():
    long = "x" * (MAX_TEXT + 1)
    heard, error, plain = taken(
        stream(long),
        {"output_type": "error", "ename": "E", "evalue": long, "traceback": [long, "short"]},
        display(**{"text/plain": long}),
    )
    for text in (heard.text, error.evalue, error.traceback[0], plain.data["text/plain"]):
        assert text == long[:-1] + "\n… cut here: 100,001 characters in all."
    assert (error.ename, error.traceback[1]) == ("E", "short")


def test_a_stream_in_pieces_is_one_output_and_bounded():
    (heard,) = taken(*[stream("x" * 1_000)] * 1_000)
    assert MAX_TEXT <= len(heard.text) < MAX_TEXT + 2_000
    one, other, again = taken(stream("a"), stream("b", "stderr"), stream("c"))
    assert (one.text, other.name, again.text) == ("a", "stderr", "c")


def test_markup_and_media_are_whole_or_left_out():
    picture, page, data = taken(
        display(**{"image/png": "A" * 500_000, "text/plain": "<Figure>"}),
        display(**{"text/html": "<p>" * MAX_TEXT}),
        display(**{"application/json": {"a": ["b" * 3_000_000]}}),
    )
    assert picture.data == {"image/png": "A" * 500_000, "text/plain": "<Figure>"}
    assert page.data == {"text/plain": "… left out: text/html is too large."}
    assert data.data == {"text/plain": "… left out: application/json is too large."}


def test_nobody_can_hand_in_a_card_or_a_verdict():
    (shown,) = taken(display(**{"text/html": "<b>24 of 20</b>", MIME: {"score": 24}}))
    assert MIME not in shown.data
    assert shown.metadata == {}


def test_all_outputs_together_fit_into_a_notebook():
    many = taken(*[stream("\0" * MAX_TEXT, ("stdout", "stderr")[i % 2]) for i in range(300)])
    assert MAX_TEXT < len(json.dumps(many)) < MAX_TOTAL + 200 * len(TOO_LARGE) < MAX_BYTES


def test_a_million_displays_are_cut():
    many = taken(*[display(**{"text/plain": "x"})] * (MAX_OUTPUTS + 500))
    assert len(many) == MAX_OUTPUTS + 1
    assert "more than 1,000 outputs" in many[-1].text


def test_clearing_clears():
    assert taken(stream("a"), {"output_type": "clear_output", "wait": False}) == []


def test_a_display_can_be_updated_by_its_name():
    named = {"transient": {"display_id": "bar"}}
    update = display(**{"text/plain": "100 %"}) | {"output_type": "update_display_data"}
    other = update | {"transient": {"display_id": "another"}}
    shown, last = taken(
        display(**{"text/plain": "0 %"}) | named, stream("x"), update | named, other
    )
    assert shown.data == {"text/plain": "100 %"}
    assert last.text == "x"


def test_lone_surrogates_can_be_written():
    (heard,) = taken(stream("\ud800"))
    heard.text.encode()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text() | st.sampled_from(["output_type", "data", "text"]), inner)
    ),
)
fields = {
    "output_type": st.sampled_from(["stream", "display_data", "execute_result", "error"]),
    "name": anything | st.just("stdout"),
    "text": anything,
    "data": anything | st.dictionaries(st.sampled_from(["text/plain", "image/png"]), anything),
    "ename": anything,
    "evalue": anything,
    "traceback": anything,
    "execution_count": anything,
}


@given(st.lists(anything | st.fixed_dictionaries({}, optional=fields), max_size=5))
def test_whatever_comes_makes_a_valid_notebook(messages):
    notebook = new_notebook(cells=[new_code_cell("", outputs=taken(*messages))])
    nbformat.validate(notebook)
    json.dumps(notebook, allow_nan=False).encode()
