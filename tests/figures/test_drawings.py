"""What all drawings are made of: a canvas, and steps that one goes through."""

from xml.etree import ElementTree

import pytest

from headway.figures.gallery.drawn import Canvas
from headway.figures.gallery.stepped import stepped
from tests.figures.node import Cases
from tests.figures.shown import texts


def test_words_that_look_like_markup_are_escaped():
    canvas = Canvas(9, 9, "a < b")
    canvas.write(1, 1, "<b>")
    assert texts(ElementTree.fromstring(canvas.svg())) == ["<b>"]


def test_a_step_without_a_part_and_a_color_without_a_meaning_are_refused():
    with pytest.raises(ValueError, match="belongs to step 1 of 1"):
        stepped("<svg/>", ["One."], "A", "B.", "C.", ["x"], [[1]])
    with pytest.raises(ValueError, match="'red' is no tone"):
        Canvas(9, 9, "A").write(0, 0, "a", tone="red")


CASES = Cases()
CASES.of("stepped")(
    "keys lead from step to step, and stop at both ends",
    "pressed.map(([key, step]) => stepAfter(key, step, 7))",
    [3, 7, 1, 1, 7],
    pressed=[("ArrowRight", 2), ("ArrowRight", 7), ("ArrowLeft", 1), ("Home", 5), ("End", 2)],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_it_should(answers, name):
    CASES[name].check(answers[name])
