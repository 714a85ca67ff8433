"""The drawing of chapter 16: its edges are counted, its weights and numbers are the model's."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.everybody_talks import Talk, everybody_talks
from tests.figures.frame import assert_words_inside

WEIGHTS = np.array([0.6, 0.25, 0.0, 0.05, 0.1])
VALUES = np.array([[1.0, -2.0], [0.5, 0.5], [9.0, 9.0], [0.0, 4.0], [2.0, 0.0]])
TALK = Talk(
    words=["the", "mint", "in", "pots", "smells"],
    asks=4,
    weights=WEIGHTS,
    values=VALUES,
    mixed=WEIGHTS @ VALUES,
    answer=("fresh", 0.87),
    reach=1,
)


def steps_of(figure):
    """What belongs to each step, by its number."""
    svg = ElementTree.fromstring(figure.drawing)
    return {int(g.get("data-step")): g for g in svg.iter("g") if g.get("data-step")}


def texts(part):
    return [one.text for one in part.iter("text")]


def lines(part, tone):
    return [one for one in part.iter("path") if f"hw-of-{tone}" in one.get("class")]


def test_a_line_is_drawn_for_each_pair_and_a_loop_for_each_word():
    steps = steps_of(everybody_talks(TALK, "They talk", "Play."))
    assert len(lines(steps[2], "ink")) == 5 * 4 / 2 + 5  # a line carries both directions
    assert "5 × 5 = 25 edges" in texts(steps[2])
    assert len(TALK.window) == 5 + 2 * 4
    assert "13 edges" in texts(steps[5])
    assert len(lines(steps[5], "value")) == 2  # into the word that asks: its neighbor, itself
    assert len(lines(steps[5], "ink")) == 4 + 3  # the other loops, and pairs without it


def test_edges_into_the_word_are_as_thick_as_their_weights():
    step = steps_of(everybody_talks(TALK, "They talk", "Play."))[3]
    wide = [float(one.get("stroke-width")) for one in lines(step, "value")]
    np.testing.assert_allclose(wide, [14 * 0.6, 14 * 0.25, 0.8, 0.8, 1.4], atol=0.06)
    assert texts(step) == ["60%", "25%", "5%", "10%"]  # and none for no weight


def test_the_largest_messages_are_listed_and_their_sum_arrives():
    figure = everybody_talks(TALK, "They talk", "Play.")
    said = texts(steps_of(figure)[4])
    for word, weight in (("the", 0.6), ("mint", 0.25), ("smells", 0.1)):
        assert {word, f"{weight:.2f} ×"} <= set(said)
    assert "+ the other 2 words, 0.05 together" in said
    arrives = [f"{x:.1f}".replace("-", "−") for x in TALK.mixed]
    assert said[said.index("what “smells” hears =") + 1 :][:2] == arrives
    assert "“smells fresh”, 87%" in said
    assert "and the thickest one is gone" in figure.data["steps"][4]
    near = everybody_talks(replace(TALK, reach=4), "They talk", "Play.")
    assert "“the” to “smells” among them" in near.data["steps"][4]


def test_the_drawing_is_whole_without_scripts_and_nothing_leaves_it():
    figure = everybody_talks(TALK, "They talk", "Play.")
    assert sorted(steps_of(figure)) == list(range(1, len(figure.data["steps"]) + 1))
    assert "hidden" not in re.sub(r">[^<]*<", "><", figure.drawing)
    svg = ElementTree.fromstring(figure.drawing)
    assert_words_inside(svg)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"weights": WEIGHTS[:4]}, r"5 words need weights \(5,\)"),
        ({"asks": 5}, "word 5 asks"),
        ({"weights": WEIGHTS / 2}, "sum to one, got 0.500"),
        ({"mixed": np.zeros(2)}, "the weighted mean of the values"),
        ({"reach": 0}, "a reach from 1 to 4; got 5, 2 and 0"),
        ({"values": np.zeros((5, 9)), "mixed": np.zeros(9)}, "up to 8 numbers each"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        everybody_talks(replace(TALK, **change), "A", "B.")
