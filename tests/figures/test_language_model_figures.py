"""The figures of chapter 11: the tower and the dashboard show the model's numbers."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.language_model.tower import Rising, tower
from headway.figures.gallery.language_model.training_dashboard import Look, training_dashboard
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_whole, part, svg_of, texts, widths

RISING = Rising(
    tokens=["<end>", "Return", " the"],
    ids=[9, 3, 4],
    stream=normal(3, 3, 8),
    looks=np.array([[0.1, 0.2, 0.7], [0.8, 0.1, 0.1]]),
    would_say=[("a", 0.5), (" b", 0.25), ("<c>", 0.75)],
    says=[("<c>", 0.75), (" b", 0.25)],
    size=10,
)
LOSSES = [7 - n / 100 for n in range(1, 301)]
LOOKS = [Look(1, 7.0, "x"), Look(150, 5.5, "the the"), Look(300, 4.25, "the file")]


def drawn(**changes):
    return tower(replace(RISING, **changes), "It rises", "Play.")


def dashboard(looks=LOOKS):
    levels = {"uniform guess": 6.5}
    return training_dashboard(LOSSES, looks, levels, "It falls", "Move.", prompt="Return ")


def test_the_tower_prints_what_each_level_would_say_and_whom_the_last_token_looks_at():
    figure = drawn()
    assert_whole(figure)
    said = texts(svg_of(figure))
    assert {"“a” 50%", "“b” 25%", "“<c>” 75%", "9", "␣the", "chosen"} <= set(said)
    assert "“the” looks most at itself" in figure.data["steps"][2]
    assert "looks most at “<end>”" in figure.data["steps"][3]
    wanted = 12 * RISING.looks[:, :2].ravel()
    np.testing.assert_allclose(widths(svg_of(figure), "value"), wanted, atol=0.06)
    climbing = [one.get("class") for one in part(figure, 3).iter("g")]
    assert "hw-arrives" in climbing, "the rows come up from the storey below"


def test_words_too_long_for_their_columns_are_written_by_turns_higher_and_lower():
    heights = {}
    for length in (2, 8, 14):
        tokens = [letter * length for letter in "abc"]
        drawn_upright = ElementTree.fromstring(drawn(tokens=tokens).upright)
        found = {one.get("y") for one in drawn_upright.iter("text") if one.text in tokens}
        heights[length] = len(found)
    assert heights == {2: 1, 8: 1, 14: 2}


def test_the_dashboard_has_a_short_curve_and_the_numbers_and_the_text_of_each_look():
    figure = dashboard()
    assert_on_page(figure)
    assert [look["step"] for look in figure.data["looks"]] == [1, 150, 300]
    second = {"step": 150, "loss": 5.5, "heldOut": 5.5, "said": "the the"}
    assert figure.data["looks"][1] == second
    assert {1, 150, 300} <= {step for step, _ in figure.data["curve"]}
    assert len(figure.data["curve"]) < 160
    assert "7 at 1, 5.5 at 150, 4.25 at 300" in figure.alt
    assert "uniform guess 6.5" in figure.alt
    assert "At step 300 the model writes “Return the file”" in figure.alt


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"looks": np.ones((1, 3))}, "a stream"),
        (dashboard, {"looks": LOOKS[:1]}, "two steps of the training or more, in order"),
        (dashboard, {"looks": LOOKS[::-1]}, "in order"),
        (dashboard, {"looks": [LOOKS[0], Look(301, 1.0, "")]}, "steps of the training"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_dashboard = CASES.of("training_dashboard")
of_dashboard(
    "a loss is compared with each level",
    "compared(5, [['uniform guess', 6.5], ['chain', 4]])",
    "1.5 below the uniform guess, 1 above the chain",
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_it_should(answers, name):
    CASES[name].check(answers[name])
