"""The figures of chapter 3: all votes and their sums are shown, before and behind a mask."""

import re
from dataclasses import replace

import numpy as np
import pytest

from headway.figures.gallery.skip_bigrams.vote_bars import vote_bars
from headway.figures.gallery.skip_bigrams.votes import Prefix
from headway.figures.gallery.skip_bigrams.voting_words import Voting, voting_words
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_upright, assert_whole, part, texts

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
    """Widths of the blocks in a part of a drawing, without the seams between them."""
    found = [bar for bar in drawn.iter("rect") if "hw-column" in bar.get("class")]
    return np.array([float(bar.get("width")) for bar in found]) + 1.5


def test_every_vote_is_a_block_and_comes_to_the_bar_of_its_answer():
    figure = voting()
    assert_whole(figure)
    assert_upright(figure)
    assert texts(part(figure, 1)) == ["the", "program", "it", "ran", "?"]
    votes = [0.5, 0.5, 1, 0.75, 0.25]
    cast, counted = blocks(part(figure, 3)), blocks(part(figure, 4))
    np.testing.assert_allclose(cast / 26, votes, atol=0.005)
    np.testing.assert_allclose(sorted(counted / counted.max()), sorted(votes), atol=0.005)
    assert {"1.25", "1.75", "together"} == set(texts(part(figure, 4)))
    steps = figure.data["steps"]
    assert steps[3] == "All votes together: 1.25 for down and 1.75 for please."
    assert "1 of 3 give half a vote" in steps[2]
    assert figure.rows[1] == ["program … ran", "0", "1", "1"]


def test_behind_the_mask_only_those_speak_that_may():
    figure, silent = voting(), voting(mask=np.zeros(3, dtype=bool))
    assert texts(part(figure, 5)) == ["0", "1", "0", "mask"]
    assert blocks(part(figure, 6)) == blocks(part(figure, 3))[2:3]
    assert texts(part(silent, 6))[:2] == ["0", "0"]
    faded = [group for group in part(figure, 3) if group.get("data-until") == "5"]
    assert len(faded) == 2, "those who must be silent"
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
    CASES.of("shared")(f"{votes} votes", "outcome(words, votes, following)", says, **given)


@pytest.mark.parametrize("name", CASES)
def test_a_script_says_what_comes_of_the_votes(answers, name):
    CASES[name].check(answers[name])
