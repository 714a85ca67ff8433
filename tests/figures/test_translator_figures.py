"""The figures of chapter 13: what the scripts get, what is said in words, what is refused."""

import numpy as np
import pytest

from headway.figures.gallery.alignment import Alignment, alignment
from headway.figures.gallery.decoder_inputs import Inputs, decoder_inputs
from headway.figures.gallery.schedule_curves import schedule_curves
from headway.figures.gallery.shape_tracker import Stage, shape_tracker
from headway.training.schedule import Noam

HEADS = np.array([[[0.2, 0.8], [1.0, 0.0]], [[0.4, 0.6], [0.5, 0.5]]])  # (H, T, S)


def look(weights=HEADS, source=("red", "house"), target=("maison", "rouge"), **more):
    case = Alignment(source, target, weights)
    return alignment([case], title="T", caption="C", **more)


def test_the_mean_of_the_heads_comes_before_the_heads():
    (case,) = look().data["cases"]
    assert case["weights"] == [[[0.3, 0.7], [0.75, 0.25]], *HEADS.tolist()]
    assert look().data["heads"] == ["mean of all", "head 0", "head 1"]


def test_the_picture_in_words_names_what_each_word_looks_at():
    assert "“maison” looks most at “house”, “rouge” looks most at “red”" in look().alt


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"source": ["a"]}, r"need weights \(H, 2, 1\)"),
        ({"weights": HEADS * 2}, "sum to one"),
        ({"weights": HEADS[0]}, "need weights"),
        ({"row": 2}, "row 2 does not exist"),
        (
            {"weights": np.full((1, 20, 20), 0.05), "source": "a" * 20, "target": "b" * 20},
            "legible",
        ),
    ],
)
def test_an_alignment_that_does_not_fit_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        look(**arguments)


def test_an_alignment_needs_a_sentence_and_one_number_of_heads():
    with pytest.raises(ValueError, match="at least one sentence"):
        alignment([], title="T", caption="C")
    two = [Alignment(["a"], ["b"], np.ones((H, 1, 1))) for H in (1, 2)]
    with pytest.raises(ValueError, match="same number of heads"):
        alignment(two, title="T", caption="C")


def curves(**changes):
    given = {"widths": [4, 16], "warmups": [5], "steps": [1, 5, 20], "title": "T", "caption": "C"}
    return schedule_curves(Noam, **given | changes)


def test_the_curves_are_those_of_the_schedule_with_steps_from_one():
    data = curves().data
    assert data["rates"][0][0] == pytest.approx([Noam(4, 5)(n) for n in (0, 4, 19)], rel=0.005)
    assert data["rates"][1][0][1] == pytest.approx(1 / np.sqrt(16 * 5), rel=0.005)


def test_the_schedule_in_words_tells_peak_and_end():
    assert "to 0.224 at step 5, then falls ever more slowly to 0.112 at step 20" in curves().alt


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"steps": [1, 20]}, "peaks at the end of the warm-up"),
        ({"steps": [0, 5]}, "from 1 or later"),
        ({"steps": [5, 1]}, "must rise"),
        ({"at": 3}, "does not exist"),
        ({"start": (2, 0)}, "does not exist"),
    ],
)
def test_curves_that_would_miss_something_are_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        curves(**changes)


def inputs(read=("<start>", "b"), said=("b", "<end>"), target=("a", "<end>"), **more):
    stages = [{"greedy": (read, said)}]
    return decoder_inputs(
        [Inputs("x", target, stages)], more.pop("names", ["1 step"]), title="T", caption="C", **more
    )


def test_the_inputs_come_with_the_true_words_beside_them():
    figure = inputs()
    (case,) = figure.data["cases"]
    assert case["target"] == ["a", "<end>"]
    assert case["ways"] == [
        [{"name": "greedy", "read": ["<start>", "b"], "said": ["b", "<end>"]}],
    ]
    assert figure.rows == [["a", "<start>", "b"], ["<end>", "b", "<end>"]]
    assert "greedy reads: <start> b." in figure.alt


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"read": ["<start>"]}, "1 words read and 2 said must both be 2"),
        ({"names": ["1 step", "2 steps"]}, "has 1 states, not 2"),
        ({"chosen": 1}, "a chosen one"),
        ({"names": []}, "a chosen one"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        inputs(**arguments)


def tracker(stage=("encoder", "memory", "B S C"), **changes):
    stage = Stage(*stage, code="x", note="y")
    given = {"models": {"m": {"C": 4}}, "lengths": {"B": 2, "S": 3, "T": 5}, "most": {}}
    return shape_tracker([stage], title="T", caption="C", **given | changes)


def test_a_shape_is_shown_in_letters_and_numbers():
    figure = tracker()
    assert figure.rows == [["encoder: memory", "(B, S, C)", "(2, 3, 4)", "24"]]
    assert figure.data["stages"][0]["shape"] == ["B", "S", "C"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"stage": ("middle", "memory", "B S C")}, "side of 'memory'"),
        ({"stage": ("encoder", "memory", "B S Q")}, r"no size \['Q'\]"),
        ({"at": 1}, "a chosen stage"),
        ({"models": {}}, "a model"),
    ],
)
def test_a_tracker_without_a_size_or_side_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        tracker(**arguments)
