"""The figures of chapter 17: they ask for what is said, and refuse what makes no sense."""

from dataclasses import replace
from math import log

import pytest

from headway.figures.gallery.answering.told_and_said import Conversation, told_and_said
from tests.figures.shown import assert_upright, assert_whole, part, texts

TALK = Conversation(
    tokens=["<question>", "why", "?", "<answer>", "no", "idea", "<end>"],
    told=4,
    stages={"before": [0.04, 0.5, 0.25], "midway": [0.3, 0.6, 0.7], "after": [0.9, 0.8, 1.0]},
)


def drawn(**changes):
    return told_and_said(replace(TALK, **changes), "It answers", "Play.")


def test_only_what_is_said_is_asked_for_one_place_before_it_stands():
    figure = drawn()
    assert_whole(figure)
    assert_upright(figure)
    assert texts(part(figure, 3)) == [
        "must say",
        "–",
        "–",
        "–",
        "no",
        "idea",
        "<end>",
        "not in the loss",
    ]
    assert [row[:2] for row in figure.rows][2:5] == [["?", "–"], ["<answer>", "no"], ["no", "idea"]]
    assert [len(list(part(figure, step).iter("rect"))) for step in (1, 2, 4)] == [4, 2, 1 + 3]


def test_each_stage_shows_its_probabilities_and_the_loss_over_the_answer_alone():
    figure = drawn()
    loss = -(log(0.04) + log(0.5) + log(0.25)) / 3
    assert texts(part(figure, 4)) == [f"before: loss {loss:.2f}", "4%", "50%", "25%"]
    bars = [one for one in part(figure, 6).iter("rect") if float(one.get("width")) != 18]
    heights = [float(one.get("height")) for one in bars]
    assert [height / heights[2] for height in heights] == pytest.approx([0.9, 0.8, 1], abs=0.01)
    assert [row[2] for row in figure.rows] == ["", "", "", "0.040", "0.500", "0.250"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"told": 0}, "something is told"),
        ({"told": 7}, "something said"),
        ({"tokens": ["a"] * 17}, "up to 16 tokens"),
        ({"stages": {"before": [0.1, 0.2, 0.3]}}, "there are 3 stages"),
        ({"stages": TALK.stages | {"after": [1.0, 1.0]}}, "for each of 3 tokens"),
        ({"stages": TALK.stages | {"after": [1.0, 0.0, 1.0]}}, "above 0"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        drawn(**changes)
