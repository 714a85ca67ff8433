"""Interactive figures: what a page gets, what a notebook gets, and how numbers are written."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from headway.figures.core.interactive import ATTACHED
from headway.figures.core.page import number
from headway.figures.core.styles import base_style, figure_style
from headway.figures.gallery.one_hot.row_lookup import row_lookup
from headway.figures.gallery.shared.stepped import stepped
from tests.figures.node import Cases, normal

LOOKUP = row_lookup(["</script>", "b"], [[1], [2]])
STEPPED = stepped(
    '<svg aria-label="One step."><g data-step="1"></g></svg>',
    *(["One."], "It grows", "Press Play.", "One step.", ["step"], [[1]]),
)
figures = pytest.mark.parametrize("figure", [LOOKUP, STEPPED], ids=lambda figure: figure.script)


@figures
def test_a_page_gets_html_and_no_widget(figure, monkeypatch):
    monkeypatch.setenv("HEADWAY_BOOK", "1")
    data = figure._repr_mimebundle_()
    assert set(data) == {"text/html", "text/plain"}
    numbers = re.search(r'<script type="application/json">(.*?)</script>', data["text/html"])[1]
    assert json.loads(numbers) == figure.data, "a word that looks like markup ends no script"


@figures
def test_a_live_notebook_gets_a_widget_and_html_for_frontends_without(figure, monkeypatch):
    monkeypatch.delenv("HEADWAY_BOOK", raising=False)
    data = figure._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "<script" not in data["text/html"]
    assert re.search('<img class="hw-static|<svg', data["text/html"])
    assert base_style() + figure_style(figure.script) in data["text/html"]
    assert replace(figure, attached={"weights": [1]}).widget().attached == {"weights": [1]}


def test_what_is_attached_is_carried_by_a_page_under_a_name_of_its_content():
    names = []
    for weight in (1, 1, 2):
        figure = replace(LOOKUP, attached={"weights": [weight, "</script>"]})
        name, numbers = re.search(
            rf'<script type="{re.escape(ATTACHED)}" data-name="([\w-]+)">(.*?)</script>',
            figure.html(),
        ).groups()
        assert json.loads(numbers) == figure.attached
        names.append(name)
    assert names[0] == names[1] != names[2]


def test_data_that_a_page_cannot_hold_are_refused():
    with pytest.raises(ValueError, match="data of figure 'row_lookup' must be plain JSON"):
        replace(LOOKUP, data={"words": np.nan})


CASES = Cases()
VALUES = [*normal(20), *(1000 * normal(20, seed=1)), 0.0, -0.0001, 3.0]
CASES.of("core/shared")(
    "numbers are written as Python writes them",
    "[2, 3, 4].map((digits) => values.map((x) => show(x, digits)))",
    [[number(x, digits) for x in VALUES] for digits in (2, 3, 4)],
    values=VALUES,
)
CASES.of("core/shared")(
    "a small probability is not told as zero",
    "[0, 0.0004, 0.0006, 0.25, 1].map(chance)",
    ["0", "< 0.001", "0.001", "0.25", "1"],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
