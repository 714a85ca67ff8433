"""Positions: the hands that turn with them, and the schemes by distance."""

import numpy as np
import pytest
import torch

from headway.figures.gallery.position_schemes import Scheme, position_schemes, spread
from headway.figures.gallery.position_wiggle import position_wiggle
from headway.nn.position import frequencies, sinusoids


def wiggle(speeds=(1.0, 0.1), last=50, **starts):
    return position_wiggle(speeds, last, "T", "C", **starts)


def scheme(values=((1, 0), (0, 1)), scores=((1, 0), (0, 1)), name="one"):
    return Scheme(name, "columns", np.array(values, float), np.array(scores, float))


def schemes(*given, **starts):
    return position_schemes(given or [scheme()], "T", "C", **starts)


def test_the_wiggle_tables_the_sinusoids_themselves():
    figure = wiggle(frequencies(4).tolist(), position=7)
    shown = next(row[1:] for row in figure.rows if row[0] == 7)
    expected = sinusoids(torch.tensor(7), 4).tolist()
    assert [float(x.replace("−", "-")) for x in shown] == pytest.approx(expected, abs=0.006)


def test_the_wiggle_says_by_how_much_its_hands_turn():
    figure = wiggle(position=4, distance=3)
    assert "position 4 and one for position 7" in figure.alt
    assert "3, 0.3 radians" in figure.alt


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"speeds": ()}, "1 to 6 pairs"),
        ({"speeds": (1, 0)}, "positive speeds"),
        ({"speeds": (1,) * 7}, "1 to 6 pairs"),
        ({"position": 51}, r"position 51 must lie in 0 … 50"),
        ({"distance": 21}, r"distance 21 in 0 … 20"),
    ],
)
def test_hands_that_cannot_be_shown_are_refused(given, what):
    with pytest.raises(ValueError, match=what):
        wiggle(**given)


def test_scores_that_know_only_the_distance_have_no_spread():
    distances = np.subtract.outer(np.arange(5), np.arange(5))
    assert spread(np.cos(distances)) == pytest.approx(0)
    assert spread(np.diag([1.0, 4.0])) == 3


def test_the_schemes_hand_over_their_numbers_and_say_what_they_know():
    figure = schemes(scheme(), scheme(scores=np.diag([1, 4]), name="two"), scheme=1)
    assert [one["name"] for one in figure.data["schemes"]] == ["one", "two"]
    assert figure.data["schemes"][1]["scores"] == [[1, 0], [0, 4]]
    assert "two: 1 at distance 0" in figure.alt
    assert "differ by at most 3" in figure.alt
    assert [row[-1] for row in figure.rows] == ["0", "3"]


@pytest.mark.parametrize(
    ("given", "starts", "what"),
    [
        ([scheme(scores=[[1, 2]])], {}, r"got \(2, 2\) and \(1, 2\)"),
        ([scheme(), scheme(values=[[1, 2]] * 3)], {}, r"N = 2; got \(3, 2\)"),
        ([scheme(np.ones((33, 1)), np.ones((33, 33)))], {}, "2 to 32 positions"),
        ([scheme(np.ones((2, 33)))], {}, "32 columns"),
        ([scheme()], {"position": 2}, "position 2 does not exist"),
        ([scheme()], {"scheme": 1}, "scheme 1"),
    ],
)
def test_schemes_that_do_not_fit_are_refused(given, starts, what):
    with pytest.raises(ValueError, match=what):
        schemes(*given, **starts)
