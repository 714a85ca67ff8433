"""The figures of chapter 13: they show the model's weights, and refuse what makes no sense."""

import re
from dataclasses import replace

import numpy as np
import pytest

from headway.figures.gallery.alignment import Alignment, alignment
from headway.figures.gallery.crossing import Crossing, crossing, most_other
from headway.figures.gallery.decoder_inputs import Inputs, decoder_inputs
from headway.figures.gallery.schedule_curves import schedule_curves
from headway.figures.gallery.shape_tracker import Stage, shape_tracker
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
HEADS = np.array([[[0.2, 0.8], [1.0, 0.0]], [[0.4, 0.6], [0.5, 0.5]]])  # (H, T, S)
FLAT = {"weights": np.full((1, 20, 20), 0.05), "source": "a" * 20, "target": "b" * 20}


def drawn(**changes):
    return crossing(replace(MADE, **changes), "It crosses", "Play.")


def look(weights=HEADS, source=("red", "house"), target=("maison", "rouge"), **more):
    return alignment([Alignment(source, target, weights)], "It looks", "Look.", **more)


def of_heads(*counts):
    cases = [Alignment(["a"], ["b"], np.ones((H, 1, 1))) for H in counts]
    return alignment(cases, title="T", caption="C")


def curves(**changes):
    given = {"widths": [4, 16], "warmups": [5], "steps": [1, 5, 20], "title": "T", "caption": "C"}
    return schedule_curves(Noam, **given | changes)


def inputs(read=("<start>", "b"), said=("b", "<end>"), names=("1 step",), **more):
    case = Inputs("x", ("a", "<end>"), [{"greedy": (read, said)}])
    return decoder_inputs([case], names, title="T", caption="C", **more)


def tracker(stage=("encoder", "memory", "B S C"), **changes):
    given = {"models": {"m": {"C": 4}}, "lengths": {"B": 2, "S": 3, "T": 5}, "most": {}}
    stages = [Stage(*stage, code="x", note="y")]
    return shape_tracker(stages, title="T", caption="C", **given | changes)


def test_lines_are_as_thick_as_the_weights_and_the_least_are_left_out():
    figure = drawn()
    assert_whole(figure)
    memory = part(figure, 2)
    assert widths(memory, "value") == [pytest.approx(9 * 0.3, abs=0.06)]
    assert {"1.5", "−0.2"} <= set(texts(memory))
    assert "9.0" not in texts(memory)
    for step, row in enumerate(MADE.weights, start=3):
        wanted = sorted(9 * weight for weight in row if weight >= 0.04)
        np.testing.assert_allclose(sorted(widths(part(figure, step), "value")), wanted, atol=0.06)


def test_each_step_reads_the_word_before_writes_the_next_and_says_where_it_looks():
    figure = drawn()
    for step, before, after, sure in zip(
        *(range(3, 7), [MADE.start, *MADE.target[:-1]], MADE.target),
        *(("99%", "80%", "70%", "over 99%"),),
        strict=True,
    ):
        assert texts(part(figure, step))[-4] == before
        assert texts(part(figure, step))[-2:] == [after, sure]
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


def test_the_alignment_has_the_mean_before_the_heads_and_says_what_each_word_looks_at():
    figure = look()
    assert_on_page(figure)
    (case,) = figure.data["cases"]
    assert case["weights"] == [[[0.3, 0.7], [0.75, 0.25]], *HEADS.tolist()]
    assert figure.data["heads"] == ["mean of all", "head 0", "head 1"]
    assert "“maison” looks most at “house”, “rouge” looks most at “red”" in figure.alt


def test_the_curves_are_those_of_the_schedule_with_steps_from_one():
    figure = curves()
    assert_on_page(figure)
    rates = figure.data["rates"]
    assert rates[0][0] == pytest.approx([Noam(4, 5)(n) for n in (0, 4, 19)], rel=0.005)
    assert rates[1][0][1] == pytest.approx(1 / np.sqrt(16 * 5), rel=0.005)
    assert "to 0.224 at step 5, then falls ever more slowly to 0.112 at step 20" in figure.alt


def test_the_inputs_come_with_the_true_words_beside_them():
    figure = inputs()
    assert_on_page(figure)
    (case,) = figure.data["cases"]
    assert case["target"] == ["a", "<end>"]
    assert case["ways"] == [
        [{"name": "greedy", "read": ["<start>", "b"], "said": ["b", "<end>"]}],
    ]
    assert figure.rows == [["a", "<start>", "b"], ["<end>", "b", "<end>"]]
    assert "greedy reads: <start> b." in figure.alt


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
        (look, {"source": ["a"]}, "need weights (H, 2, 1)"),
        (look, {"weights": HEADS * 2}, "sum to one"),
        (look, {"row": 2}, "row 2 does not exist"),
        (look, FLAT, "legible"),
        (curves, {"steps": [1, 20]}, "peaks at the end of the warm-up"),
        (curves, {"steps": [0, 5]}, "from 1 or later"),
        (curves, {"steps": [5, 1]}, "must rise"),
        (curves, {"at": 3}, "does not exist"),
        (inputs, {"read": ["<start>"]}, "1 words read and 2 said must both be 2"),
        (inputs, {"names": ["1 step", "2 steps"]}, "has 1 states, not 2"),
        (inputs, {"chosen": 1}, "a chosen one"),
        (tracker, {"stage": ("middle", "memory", "B S C")}, "side of 'memory'"),
        (tracker, {"stage": ("encoder", "memory", "B S Q")}, "no size ['Q']"),
        (tracker, {"at": 1}, "a chosen stage"),
        (tracker, {"models": {}}, "a model"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


def test_an_alignment_needs_a_sentence_and_one_number_of_heads():
    with pytest.raises(ValueError, match="at least one sentence"):
        of_heads()
    with pytest.raises(ValueError, match="same number of heads"):
        of_heads(1, 2)


CASES = Cases()
of_tracker = CASES.of("shape_tracker")
CASES.of("alignment")(
    "the reading goes back where the largest weights do",
    "crossings(weights)",
    [[2, 0], [3, 1]],
    weights=np.eye(4)[[2, 0, 0, 3, 1]],
)
CASES.of("decoder_inputs")(
    "words that are not the true ones are counted, and places without a word are not",
    "untrue(['<start>', 'a', '', 'b'], ['<start>', 'a', 'c', 'd'])",
    1,
)
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
