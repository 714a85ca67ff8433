"""The drawing of chapter 13: its lines are the model's weights, its steps say where it looks."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.crossing import Crossing, crossing, most_other

MADE = Crossing(
    source=["a", "red", "house", "<end>"],
    own=np.array([[0.5, 0.1, 0.3, 0.1], [0.25] * 4, [0.1, 0.6, 0.2, 0.1], [0.25] * 4]),
    asking=(0,),
    memory=np.array([[0.1, -0.2, 0.3, 9.0]] * 3 + [[1.5, 0.0, 0.0, 9.0]]),
    start="<start>",
    target=["une", "maison", "rouge", "<end>"],
    weights=np.array(
        [[0.9, 0.0, 0.1, 0.0], [0.0, 0.02, 0.98, 0.0], [0.0, 0.999, 0.001, 0.0], [0, 0, 0.2, 0.8]]
    ),
    sure=[0.99, 0.8, 0.7, 0.999],
)


def texts(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("text")]


def steps_of(svg: str) -> list[str]:
    groups = ElementTree.fromstring(svg).iter("g")
    return [ElementTree.tostring(g, encoding="unicode") for g in groups if g.get("data-step")]


def widths(part: str) -> list[float]:
    """How thick the green lines are, the thickest last."""
    lines = re.findall(r'hw-of-value hw-flow" stroke-width="([\d.]+)"', part)
    return sorted(float(width) for width in lines)


def test_lines_are_as_thick_as_the_weights_and_the_least_are_left_out():
    _, memory, *words = steps_of(crossing(MADE, "It crosses", "Play.").drawing)
    assert widths(memory) == [pytest.approx(9 * 0.3, abs=0.06)]
    for part, row in zip(words, MADE.weights, strict=True):
        wanted = sorted(9 * weight for weight in row if weight >= 0.04)
        np.testing.assert_allclose(widths(part), wanted, atol=0.06)


def test_each_step_reads_the_word_before_and_writes_the_next():
    _, memory, *words = steps_of(crossing(MADE, "It crosses", "Play.").drawing)
    assert "1.5" in memory
    assert "−0.2" in memory
    assert "9.0" not in memory
    read = [MADE.start, *MADE.target[:-1]]
    for part, before, after, sure in zip(
        words, read, MADE.target, ("99%", "80%", "70%", "over 99%"), strict=True
    ):
        assert texts(part)[-4] == before
        assert texts(part)[-2:] == [after, sure]


def test_the_steps_say_when_it_jumps_ahead_and_when_it_goes_back():
    _, encoder, *steps = crossing(MADE, "It crosses", "Play.").data["steps"]
    assert "“a” most to “house” (30%)" in encoder
    assert steps == [
        "The decoder has read <start>, looks at “a” (90%), and writes “une”.",
        "It reads “une”, jumps ahead, past “red”, to “house” (98%), and writes “maison”.",
        "It reads “maison”, goes back to “red” (over 99%), and writes “rouge”.",
        "It reads “rouge”, goes on to “<end>” (80%), and writes “<end>”.",
    ]


def test_a_word_is_not_asked_about_its_look_at_itself():
    assert most_other(MADE.own, 0) == 2
    assert most_other(MADE.own, 2) == 1


def test_the_table_has_all_weights():
    figure = crossing(MADE, "It crosses", "Play.")
    assert figure.header == ["writes", *MADE.source, "probability"]
    assert figure.rows[1] == ["maison", "0.00", "0.02", "0.98", "0.00", "0.800"]
    assert "“rouge” looks most at “red” (1.00)" in figure.alt


def test_a_drawing_is_whole_without_scripts_and_all_of_it_is_in_view():
    figure = crossing(MADE, "It crosses", "Play.")
    svg = ElementTree.fromstring(figure.drawing)
    steps = [int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")]
    assert steps == list(range(1, len(figure.data["steps"]) + 1))
    width, height = map(float, svg.get("viewBox").split()[2:])
    for one in svg.iter("text"):
        assert 0 <= float(one.get("x")) <= width
        assert 0 <= float(one.get("y")) <= height


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"memory": np.ones((3, 4))}, "need shapes"),
        ({"weights": MADE.weights[:3]}, "need shapes"),
        ({"sure": [0.5]}, "need shapes"),
        ({"weights": 2 * MADE.weights}, "sum to one"),
        ({"own": -MADE.own}, "sum to one"),
        (
            {
                "source": ["a"] * 10,
                "own": np.full((10, 10), 0.1),
                "memory": np.ones((10, 2)),
                "weights": np.full((4, 10), 0.1),
            },
            "up to 9 words",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        crossing(replace(MADE, **change), "A", "B.")
