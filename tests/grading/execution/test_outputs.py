"""Outputs from a process that may lie: known forms only, cut where long, bounded together."""

import base64
import json
from io import BytesIO

import nbformat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from headway.grading.execution.outputs import (
    MAX_MEDIA,
    MAX_NAME,
    MAX_NUMBER,
    MAX_OUTPUTS,
    MAX_TEXT,
    MAX_TOTAL,
    MAX_TOTAL_PIXELS,
    NO_DRAWING,
    NO_PICTURE,
    TOO_LARGE,
    OutputCollector,
)
from headway.grading.execution.pictures import drawn_again
from headway.grading.notebooks.assignment import MAX_BYTES
from headway.tasks.check import MIME
from tests.grading.pages import PIXEL

DRAWN = drawn_again(PIXEL, "image/png").data


def taken(*messages):
    outputs, collector = [], OutputCollector()
    for message in messages:
        collector.add(outputs, message)
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


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (
            {"image/png": PIXEL, "text/plain": "<Figure>", "text/html": "<p>"},
            {"image/png": DRAWN, "text/plain": "<Figure>"},
        ),
        ({"text/html": "<p>seen</p>"}, {"text/plain": "seen"}),
        (
            {"image/jpeg": PIXEL, "text/plain": "<Figure>"},
            {"text/plain": f"<Figure>\n{NO_PICTURE.format('image/jpeg')}"},
        ),
        ({"image/png": PIXEL + "A" * MAX_MEDIA}, {"text/plain": NO_PICTURE.format("image/png")}),
        (
            {"image/svg+xml": "<svg/>", "text/plain": "<Graph>"},
            {"text/plain": f"<Graph>\n{NO_DRAWING}"},
        ),
        (
            {"image/svg+xml": "<svg/>", "text/plain": "<Graph>", "image/png": PIXEL},
            {"text/plain": "<Graph>", "image/png": DRAWN},
        ),
        ({"text/html": "<b>24 of 20</b>", MIME: {"score": 24}}, {"text/plain": "24 of 20"}),
        ({"text/html": "<b>24 of 20</b>", MIME: '{"score": 24}'}, {"text/plain": "24 of 20"}),
        ({"application/javascript": "alert(1)"}, None),
    ],
    ids=lambda data: " ".join(data or ["nothing"]),
)
def test_pictures_are_whole_or_left_out_and_of_markup_cards_and_scripts_text_is_left(data, shown):
    found = taken(display(**data))
    assert [one.data for one in found] == ([shown] if shown else [])
    assert not any(one.metadata for one in found)


def test_all_pictures_together_are_no_more_than_a_browser_draws():
    file = BytesIO()
    Image.new("1", (5_000, 5_000)).save(file, "PNG")
    large = base64.b64encode(file.getvalue()).decode()
    shown = taken(*[display(**{"image/png": large})] * 12)
    assert sum("image/png" in one.data for one in shown) == MAX_TOTAL_PIXELS // 5_000**2


def test_all_outputs_together_fit_into_a_notebook():
    many = taken(*[stream("\0" * MAX_TEXT, ("stdout", "stderr")[i % 2]) for i in range(300)])
    assert MAX_TEXT < len(json.dumps(many)) < MAX_TOTAL + 200 * len(TOO_LARGE) < MAX_BYTES


def test_a_million_displays_are_cut():
    many = taken(*[display(**{"text/plain": "x"})] * (MAX_OUTPUTS + 500))
    assert len(many) == MAX_OUTPUTS + 1
    assert "more than 1,000 outputs" in many[-1].text


def test_a_display_can_be_updated_by_its_name():
    named = {"transient": {"display_id": "bar"}}
    update = display(**{"text/plain": "100 %"}) | {"output_type": "update_display_data"}
    other = update | {"transient": {"display_id": "another"}}
    shown, last = taken(
        display(**{"text/plain": "0 %"}) | named, stream("x"), update | named, other
    )
    assert shown.data == {"text/plain": "100 %"}
    assert last.text == "x"


def test_the_names_of_displays_are_few_and_short():
    collector, outputs = OutputCollector(), []
    shown = display(**{"text/plain": "x"})
    for i in range(MAX_NUMBER + 10):
        collector.add(outputs, shown | {"transient": {"display_id": str(i)}})
        collector.add(outputs, {"output_type": "clear_output"})
    assert len(collector._displays) == MAX_NUMBER
    long = OutputCollector()
    long.add([], shown | {"transient": {"display_id": "x" * (MAX_NAME + 1)}})
    assert long._displays == {}


def test_clearing_clears_and_half_characters_can_be_written():
    assert taken(stream("a"), {"output_type": "clear_output", "wait": False}) == []
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


@pytest.mark.parametrize("place", ["output_type", "name", "text", "data", "execution_count"])
def test_arrays_in_the_place_of_words_are_no_output(place):
    words = np.array(["stdout", "stream"])
    for form in (stream("a"), display(**{"text/plain": "a"})):
        assert len(taken(form | {place: words})) <= (place not in form)
    assert not taken(display(**{"text/plain": words}))


@pytest.mark.parametrize("count", [-1, 10**4_000, True, "1", 1.0])
def test_what_cannot_be_the_number_of_a_cell_is_left_out(count):
    form = display(**{"text/plain": "1"}) | {"output_type": "execute_result"}
    (output,) = taken(form | {"execution_count": count})
    assert output.execution_count is None


def test_a_notebook_has_a_bounded_number_of_outputs_but_may_clear_them_for_ever():
    collector, cells = OutputCollector(), [[] for _ in range(10)]
    for outputs in cells:
        for _ in range(MAX_OUTPUTS // 2):
            collector.add(outputs, display(**{"text/plain": "1"}))
    assert sum(map(len, cells)) == MAX_NUMBER + 1
    (cut,) = [o.text for outputs in cells for o in outputs if "text" in o]
    assert cut == "… cut here: more than 3,000 outputs in all."
    collector, outputs = OutputCollector(), []
    for number in range(2 * MAX_NUMBER):
        collector.add(outputs, {"output_type": "clear_output"})
        collector.add(outputs, display(**{"text/plain": f"{number}"}))
    assert [o.data["text/plain"] for o in outputs] == [f"{number}"]
