"""The figures of chapter 3: all votes and their sums are shown, before and behind a mask."""

import re
from dataclasses import replace

import numpy as np
import pytest

from headway.figures.gallery.skip_bigrams.vote_bars import vote_bars
from headway.figures.gallery.skip_bigrams.votes import Prefix
from headway.figures.gallery.skip_bigrams.voting_words import Voting, voting_words
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_whole, part, texts

VOTING = Voting(
    words=["the", "program", "it", "ran"],
    answers=["down", "please"],
    votes=np.array([[0.5, 0.5], [0.0, 1.0], [0.75, 0.25]]),
    mask=np.array([False, True, False]),
)
PREFIXES = [Prefix("the program ran", "please"), Prefix("the battery ran", "down")]
BARS = {
    "words": ["down", "please"], "prefixes": PREFIXES, "stops": ["1 of 2"], "slider": "Sentences",
    "before": np.array([[[0.5, 1.5], [1.5, 0.5]]]), "after": np.array([[[0, 1], [1, 0]]]),
    "start": 0, "title": "After the mask nothing speaks against it", "caption": "Move the slider.",
}  # fmt: skip


def voting(**changes):
    return voting_words(replace(VOTING, **changes), "They vote", "Play.")


def bars(**changes):
    return vote_bars(**BARS | changes)


def blocks(drawn):
    """Widths of the cells that print no number: the blocks of the bars."""
    cells = [group for group in drawn.iter("g") if len(group) == 1 and group[0].tag == "rect"]
    return np.array([float(cell[0].get("width")) for cell in cells])


def test_every_vote_is_printed_and_added_up_to_a_bar_with_a_block_for_each():
    figure = voting()
    assert_whole(figure)
    assert texts(part(figure, 1)) == ["the", "program", "it", "ran", "?"]
    votes = ["0.5", "0.5", "0", "1", "0.75", "0.25"]
    assert texts(part(figure, 3)) == ["down", "please", *votes]
    assert texts(part(figure, 4)) == ["1.25", "1.75"]
    steps = figure.data["steps"]
    assert steps[3] == "All votes together: 1.25 for down and 1.75 for please."
    assert "1 of 3 give half a vote" in steps[2]
    assert figure.rows[1] == ["program … ran", "0", "1", "1"]
    (one,) = blocks(part(figure, 6))
    np.testing.assert_allclose(blocks(part(figure, 4)) / one, [0.5, 0.75, 0.5, 1, 0.25], atol=0.005)


def test_behind_the_mask_only_those_speak_that_may():
    figure, silent = voting(), voting(mask=np.zeros(3, dtype=bool))
    assert texts(part(figure, 5)) == ["mask", "may speak", "0", "1", "0"]
    assert texts(part(figure, 6)) == ["down", "please", "0", "1", "0", "1"]
    assert texts(part(silent, 6)) == ["down", "please", "0", "0"]
    assert "Here “program” may speak" in figure.data["steps"][4]
    assert "Here nobody may speak" in silent.data["steps"][4]


def test_the_bars_say_both_sides_of_the_mask():
    figure = bars()
    assert_on_page(figure)
    assert "Before the mask: 0.5 for down and 1.5 for please" in figure.alt
    assert "After the mask: 0 for down and 1 for please" in figure.alt
    assert figure.rows == [["1 of 2", "1", "0.5", "1.5", "0", "1"],
                           ["1 of 2", "2", "1.5", "0.5", "1", "0"]]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (voting, {"votes": np.ones((3, 3))}, "need votes (3, 2)"),
        (voting, {"mask": np.ones(3)}, "booleans"),
        (voting, {"answers": ["down"]}, "1 answers"),
        (voting, {"words": ["the", "the", "it", "ran"]}, "comes twice"),
        (voting, {"words": list("abcdefghijk"), "votes": np.ones((10, 2)), "mask": np.ones(10) > 0},
         "one can read"),
        (bars, {"before": np.ones((2, 2, 2))}, "need votes (1, 2, 2) before"),
        (bars, {"after": -np.ones((1, 2, 2))}, "0 or more"),
        (bars, {"before": np.full((1, 2, 2), np.nan)}, "0 or more"),
        (bars, {"start": 1}, "stop 1 does not exist"),
        (bars, {"prefixes": [], "before": np.ones((1, 0, 2)), "after": np.ones((1, 0, 2))},
         "1 to 3 prefixes"),
        (bars, {"slider": ""}, "slider must be"),
        (bars, {"words": ["down", "down"]}, "different next words"),
        (bars, {"prefixes": [Prefix("the program ran", "fast"), PREFIXES[1]]}, "'fast' is none of"),
        (bars, {"prefixes": [Prefix(" ", "down"), PREFIXES[1]]}, "not empty"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
for votes, following, says in [
    ([4, 5], 1, "“please” leads by 1 of 9 votes: right."),
    ([5, 4], 1, "“down” leads by 1 of 9 votes: wrong."),
    ([3.5, 3.5], 0, "A tie at 3.5 of 7 votes: no winner."),
    ([0, 0], 0, "Nothing votes: the model has no answer."),
]:
    given = {"words": ["down", "please"], "votes": votes, "following": following}
    CASES.of("core/shared")(f"{votes} votes", "outcome(words, votes, following)", says, **given)


@pytest.mark.parametrize("name", CASES)
def test_a_script_says_what_comes_of_the_votes(answers, name):
    CASES[name].check(answers[name])
