"""The bars of votes: what they say, and what they refuse."""

import numpy as np
import pytest

from headway.figures.gallery.vote_bars import vote_bars
from headway.figures.gallery.votes import Prefix

WORDS = ["down", "please"]
PREFIXES = [Prefix("the program ran", "please"), Prefix("the battery ran", "down")]
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


def test_the_bars_say_both_sides_of_the_mask():
    figure = vote_bars(**BARS)
    assert "Before the mask: 0.5 for down and 1.5 for please" in figure.alt
    assert "After the mask: 0 for down and 1 for please" in figure.alt
    assert figure.rows[0] == ["1 of 2", "1", "0.5", "1.5", "0", "1"]
    assert figure.rows[1] == ["1 of 2", "2", "1.5", "0.5", "1", "0"]
    assert len(figure.header) == len(figure.rows[0])


def test_the_still_picture_can_be_drawn():
    assert 'src="data:image/svg+xml' in vote_bars(**BARS).html()


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
        ({"words": ["down", "down"]}, "different next words"),
        ({"prefixes": [Prefix("the program ran", "fast"), PREFIXES[1]]}, "'fast' is none of"),
        ({"prefixes": [Prefix(" ", "down"), PREFIXES[1]]}, "not empty"),
    ],
)
def test_bars_that_make_no_sense_are_refused(change, says):
    with pytest.raises(ValueError, match=says):
        vote_bars(**BARS | change)
