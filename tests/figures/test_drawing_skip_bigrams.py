"""The drawing of the voting words: all votes and their sums are shown, before and after a mask."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.voting_words import Voting, voting_words

VOTING = Voting(
    words=["the", "program", "it", "ran"],
    answers=["down", "please"],
    votes=np.array([[0.5, 0.5], [0.0, 1.0], [0.5, 0.5]]),
    mask=np.array([False, True, False]),
)


def step(figure, number):
    """The part of the drawing that belongs to a step."""
    svg = ElementTree.fromstring(figure.drawing)
    (part,) = [group for group in svg.iter("g") if group.get("data-step") == str(number)]
    return part


def said(part):
    return [one.text for one in part.iter("text")]


def blocks(part):
    """Widths of the cells that print no number: the blocks of the bars."""
    return [
        float(group[0].get("width"))
        for group in part.iter("g")
        if len(group) == 1 and group[0].tag == "rect"
    ]


def test_every_vote_is_printed_and_added_up():
    figure = voting_words(VOTING, "They vote", "Play.")
    assert said(step(figure, 1)) == ["the", "program", "it", "ran", "?"]
    assert said(step(figure, 3)) == ["down", "please", *["0.5", "0.5", "0", "1", "0.5", "0.5"]]
    assert said(step(figure, 4)) == ["1", "2"]
    assert figure.data["steps"][3] == "All votes together: 1 for down and 2 for please."
    assert "2 of 3 give half a vote to either word" in figure.data["steps"][2]
    assert figure.rows[1] == ["program … ran", "0", "1", "1"]


def test_a_bar_has_a_block_for_each_vote_and_is_as_long_as_their_sum():
    figure = voting_words(VOTING, "They vote", "Play.")
    everybody, masked = blocks(step(figure, 4)), blocks(step(figure, 6))
    one = masked[0]
    np.testing.assert_allclose(np.array(everybody) / one, [0.5, 0.5, 0.5, 1, 0.5])
    assert len(masked) == 1


def test_behind_the_mask_only_those_speak_that_may():
    figure = voting_words(VOTING, "They vote", "Play.")
    assert said(step(figure, 5)) == ["mask", "may speak", "0", "1", "0"]
    assert said(step(figure, 6)) == ["down", "please", "0", "1", "0", "1"]
    assert "Here “program” may speak" in figure.data["steps"][4]
    silent = voting_words(replace(VOTING, mask=np.zeros(3, dtype=bool)), "Nobody", "Play.")
    assert said(step(silent, 6)) == ["down", "please", "0", "0"]
    assert "Here nobody may speak" in silent.data["steps"][4]


def test_a_pair_that_leans_is_not_called_undecided():
    leaning = replace(VOTING, votes=np.array([[0.75, 0.25], [0.0, 1.0], [0.5, 0.5]]))
    figure = voting_words(leaning, "They vote", "Play.")
    assert "1 of 3 give half a vote" in figure.data["steps"][2]
    assert "0.75" in said(step(figure, 3))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"votes": np.ones((3, 3))}, r"need votes \(3, 2\)"),
        ({"mask": np.ones(3)}, "booleans"),
        ({"answers": ["down"]}, "1 answers"),
        ({"words": ["the", "the", "it", "ran"]}, "comes twice"),
        (
            {
                "words": list("abcdefghijk"),
                "votes": np.ones((10, 2)),
                "mask": np.ones(10, dtype=bool),
            },
            "one can read",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        voting_words(replace(VOTING, **change), "A", "B.")
