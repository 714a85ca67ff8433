"""Drawings of chapter 12: their numbers are the model's, each step has its part, bad ones fail."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.both_sides import Looked, both_sides
from headway.figures.gallery.unblanking import Fill, unblanking

LOOKED = Looked(
    words=["she", "saw", "the", "_", "by", "it"],
    blank=3,
    left=np.array([0.5, 0.3, 0.2]),
    both=np.array([0.1, 0.02, 0.08, 0.1, 0.2, 0.5]),
    guesses=[("bat", 0.3), ("bank", 0.26)],
    answers=[("bank", 0.9), ("bat", 0.04)],
)
FILLS = [Fill(1, "owl", 0.25), Fill(0, "the", 0.5), Fill(2, "flew", 1.0)]


def texts(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("text")]


def test_lines_are_as_thick_as_the_weights_of_both_models():
    svg = both_sides(LOOKED, "It looks", "Play.").drawing
    widths = [float(w) for w in re.findall(r'hw-of-value hw-flow" stroke-width="([\d.]+)"', svg)]
    wanted = [*LOOKED.left[:2], *np.delete(LOOKED.both, 3)]
    np.testing.assert_allclose(widths, np.maximum(0.8, 16 * np.array(wanted)), atol=0.06)


def test_both_models_say_what_they_say_and_how_sure_they_are():
    figure = both_sides(LOOKED, "It looks", "Play.")
    assert {"bat", "bank", "30%", "26%", "90%", "4%", "50%"} <= set(texts(figure.drawing))
    steps = figure.data["steps"]
    assert "“bat”, with 30%" in steps[2]
    assert "“it”; 70% of its weight" in steps[4]
    assert "“bank”, with 90%" in steps[5]


def test_a_row_for_each_pass_has_the_words_so_far():
    figure = unblanking(FILLS, "It writes", "Play.")
    rows = [texts(ElementTree.tostring(g).decode())
            for g in ElementTree.fromstring(figure.drawing).iter("g")]  # fmt: skip
    assert rows == [
        ["blanks"],
        ["pass 1", "owl", "0.25"],
        ["pass 2", "the", "0.50", "owl"],
        ["pass 3", "the", "owl", "flew", "1.00"],
    ]
    assert "the owl flew" in figure.alt


@pytest.mark.parametrize(
    "figure", [both_sides(LOOKED, "A", "B."), unblanking(FILLS, "A", "B.")], ids=["look", "fill"]
)
def test_a_drawing_is_whole_without_scripts_and_has_a_part_for_each_step(figure):
    svg = ElementTree.fromstring(figure.drawing)
    steps = [int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")]
    assert sorted(set(steps)) == list(range(1, len(figure.data["steps"]) + 1))
    assert "hidden" not in re.sub(r">[^<]*<", "><", figure.drawing)
    width, height = map(float, svg.get("viewBox").split()[2:])
    for one in svg.iter("text"):
        assert 0 <= float(one.get("x")) <= width
        assert 0 <= float(one.get("y")) <= height


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: both_sides(replace(LOOKED, left=np.ones(2)), "A", "B."), "needs weights"),
        (lambda: both_sides(replace(LOOKED, blank=0, left=np.ones(0)), "A", "B."), "needs weights"),
        (
            lambda: both_sides(replace(LOOKED, words=["a"] * 15, both=np.ones(15)), "A", "B."),
            "up to 14 words",
        ),
        (lambda: unblanking(FILLS[:2] + FILLS[:1], "A", "B."), "once each"),
        (lambda: unblanking([Fill(i, "a", 1.0) for i in range(13)], "A", "B."), "1 to 12 words"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()
