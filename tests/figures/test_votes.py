"""The vote table and the bars of votes: what they say, and what they refuse."""

import numpy as np
import pytest

from headway.figures.gallery.vote_bars import vote_bars
from headway.figures.gallery.vote_table import vote_table
from headway.figures.gallery.votes import Prefix

FEATURES = ["the … ran", "battery … ran", "program … ran"]
WORDS = ["down", "please"]
VOTES = np.array([[0.5, 0.5], [1, 0], [0, 1]])
PREFIXES = [Prefix("the program ran", "please"), Prefix("the battery ran", "down")]
PRESENT = np.array([[True, False, True], [True, True, False]])
MASK = np.array([False, True, True])
TABLE = {
    "features": FEATURES,
    "words": WORDS,
    "votes": VOTES,
    "prefixes": PREFIXES,
    "present": PRESENT,
    "mask": MASK,
    "title": "One vote decides",
}
BARS = {
    "words": WORDS,
    "prefixes": PREFIXES,
    "stops": ["1 of 2"],
    "slider": "Sentences about a battery",
    "before": np.array([[[0.5, 1.5], [1.5, 0.5]]]),
    "after": np.array([[[0, 1], [1, 0]]]),
    "start": 0,
    "title": "After the mask nothing speaks against it",
    "caption": "Move the slider.",
}


def test_the_table_says_its_sums_in_words_and_as_rows():
    figure = vote_table(**TABLE)
    assert "“the program ran”: 2 of 3 features are present" in figure.alt
    assert "0.5 for down and 1.5 for please" in figure.alt
    assert "of the mask alone, 0 for down and 1 for please" in figure.alt
    assert figure.rows[1] == ["battery … ran", "1", "0", "no", "yes", "1"]
    assert len(figure.header) == len(figure.rows[0])


def test_the_bars_say_both_sides_of_the_mask():
    figure = vote_bars(**BARS)
    assert "Before the mask: 0.5 for down and 1.5 for please" in figure.alt
    assert "After the mask: 0 for down and 1 for please" in figure.alt
    assert figure.rows[0] == ["1 of 2", "1", "0.5", "1.5", "0", "1"]
    assert figure.rows[1] == ["1 of 2", "2", "1.5", "0.5", "1", "0"]
    assert len(figure.header) == len(figure.rows[0])


@pytest.mark.parametrize("figure", [lambda: vote_table(**TABLE), lambda: vote_bars(**BARS)])
def test_the_still_picture_can_be_drawn(figure):
    assert 'src="data:image/svg+xml' in figure().html()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"votes": VOTES.T}, r"need votes \(3, 2\)"),
        ({"present": PRESENT[0]}, r"present \(2, 3\)"),
        ({"mask": MASK[:2]}, r"a mask \(3,\)"),
        ({"mask": MASK.astype(float)}, "hold booleans"),
        ({"votes": 7 * VOTES}, "counts that nobody divided"),
        ({"words": ["down", "down"]}, "different next words"),
        ({"prefixes": [Prefix("the program ran", "fast"), PREFIXES[1]]}, "'fast' is none of"),
        ({"prefixes": [Prefix(" ", "down"), PREFIXES[1]]}, "not empty"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        vote_table(**TABLE | change)


def test_a_table_nobody_could_read_is_refused():
    many = np.ones((1, 20), dtype=bool)
    with pytest.raises(ValueError, match="legible for 1 to 14"):
        vote_table(["f"] * 20, WORDS, np.ones((20, 2)), PREFIXES[:1], many, many[0], title="All")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"before": np.ones((2, 2, 2))}, r"need votes \(1, 2, 2\) before"),
        ({"after": -np.ones((1, 2, 2))}, "0 or more"),
        ({"before": np.full((1, 2, 2), np.nan)}, "0 or more"),
        ({"start": 1}, "stop 1 does not exist"),
        (
            {"prefixes": [], "before": np.ones((1, 0, 2)), "after": np.ones((1, 0, 2))},
            "1 to 3 prefixes",
        ),
        ({"slider": ""}, "slider must be"),
    ],
)
def test_bars_that_make_no_sense_are_refused(change, says):
    with pytest.raises(ValueError, match=says):
        vote_bars(**BARS | change)
