"""The figures of chapter 13: they show the model's weights, and refuse what makes no sense."""

import re
from dataclasses import replace

import numpy as np
import pytest

from headway.figures.gallery.shared.drawn import room
from headway.figures.gallery.translator.crossing import Crossing, crossing, most_other
from headway.figures.gallery.translator.schedule_curves import schedule_curves
from headway.figures.gallery.translator.shape_tracker import Stage, shape_tracker
from headway.training.schedule import Noam
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_whole, part, texts, widths

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
LONG = {
    "source": ["a"] * 10, "own": np.full((10, 10), 0.1), "memory": np.ones((10, 2)),
    "weights": np.full((4, 10), 0.1),
}  # fmt: skip


def drawn(**changes):
    return crossing(replace(MADE, **changes), "It crosses", "Play.")


def curves(**changes):
    given = {"widths": [4, 16], "warmups": [5], "steps": [1, 5, 20], "title": "T", "caption": "C"}
    return schedule_curves(Noam, **given | changes)


def tracker(stage=("encoder", "memory", "B S C"), **changes):
    given = {"models": {"m": {"C": 4}}, "lengths": {"B": 2, "S": 3, "T": 5}, "most": {}}
    stages = [Stage(*stage, code="x", note="y")]
    return shape_tracker(stages, title="T", caption="C", **given | changes)


def test_lines_are_as_thick_as_the_weights_and_the_least_are_left_out():
    figure = drawn()
    assert_whole(figure)
    assert set(widths(part(figure, 2), "value")) == {2.7}  # the arc, and its tip
    for step, row in enumerate(MADE.weights, start=3):
        wanted = sorted(9 * weight for weight in row if weight >= 0.08)
        np.testing.assert_allclose(sorted(widths(part(figure, step), "value")), wanted, atol=0.06)
        assert len(widths(part(figure, step), "query")) == len(wanted), "it asks before it hears"


def test_boxes_are_as_wide_as_the_longest_word_needs():
    figure = drawn(target=["une", "grenouille", "rouge", "<end>"])
    for form, own in ((figure.drawing, drawn().drawing), (figure.upright, drawn().upright)):
        wide, usual = (float(re.search(r'<rect class="hw-box.*? width="(.*?)"', one)[1])
                       for one in (form, own))  # fmt: skip
        assert wide >= room("grenouille") > usual


def test_each_step_reads_the_word_before_writes_the_next_and_says_where_it_looks():
    figure = drawn()
    assert MADE.start in texts(part(figure, 3))
    assert [texts(part(figure, step))[-1] for step in range(3, 7)] == MADE.target
    _, encoder, *steps = figure.data["steps"]
    assert "“a” most to “house” (30%)" in encoder
    assert steps == [
        "The decoder has read <start>, looks at “a” (90%), and writes “une”.",
        "It reads “une”, jumps ahead, past “red”, to “house” (98%), and writes “maison”.",
        "It reads “maison”, goes back to “red” (over 99%), and writes “rouge”.",
        "It reads “rouge”, goes on to “<end>” (80%), and writes “<end>”.",
    ]
    assert figure.rows[1] == ["maison", "0.00", "0.02", "0.98", "0.00", "0.800"]
    assert "“rouge” looks most at “red” (1.00)" in figure.alt
    assert most_other(MADE.own, 2) == 1, "not its look at itself"


def test_the_curves_are_those_of_the_schedule_with_steps_from_one():
    figure = curves()
    assert_on_page(figure)
    rates = figure.data["rates"]
    assert rates[0][0] == pytest.approx([Noam(4, 5)(n) for n in (0, 4, 19)], rel=0.005)
    assert rates[1][0][1] == pytest.approx(1 / np.sqrt(16 * 5), rel=0.005)
    assert "to 0.224 at step 5, then falls ever more slowly to 0.112 at step 20" in figure.alt


def test_a_shape_is_shown_in_letters_and_numbers():
    figure = tracker()
    assert_on_page(figure)
    assert figure.rows == [["encoder: memory", "(B, S, C)", "(2, 3, 4)", "24"]]
    assert figure.data["stages"][0]["shape"] == ["B", "S", "C"]


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"memory": np.ones((3, 4))}, "need shapes"),
        (drawn, {"sure": [0.5]}, "need shapes"),
        (drawn, {"weights": 2 * MADE.weights}, "sum to one"),
        (drawn, {"own": -MADE.own}, "sum to one"),
        (drawn, LONG, "up to 9 words"),
        (curves, {"steps": [1, 20]}, "peaks at the end of the warm-up"),
        (curves, {"steps": [0, 5]}, "from 1 or later"),
        (curves, {"steps": [5, 1]}, "must rise"),
        (curves, {"at": 3}, "does not exist"),
        (tracker, {"stage": ("middle", "memory", "B S C")}, "side of 'memory'"),
        (tracker, {"stage": ("encoder", "memory", "B S Q")}, "no size ['Q']"),
        (tracker, {"at": 1}, "a chosen stage"),
        (tracker, {"models": {}}, "a model"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_tracker = CASES.of("shape_tracker")
SIZES = {"B": 2, "H": 8, "T": 20, "S": 10}
of_tracker(
    "a stage has the sizes of its letters, and their product",
    "[inNumbers(['B', 'H', 'T', 'S'], sizes), countOf(inNumbers(['B', 3, 'S'], sizes))]",
    [list(Stage("decoder", "cross weights", "B H T S", "…", "…").sizes(SIZES)), 60],
    sizes=SIZES,
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
