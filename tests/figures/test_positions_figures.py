"""The figures of chapter 7: their positions are the package's; what makes no sense is refused."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.figures.gallery.clocks import Clocks, clocks
from headway.figures.gallery.position_schemes import Scheme, position_schemes, spread
from headway.figures.gallery.position_wiggle import position_wiggle
from headway.nn.position import RotaryPosition, frequencies, sinusoids
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_whole, part, svg_of

ROWS = normal(5, 4)[[0, 1, 2, 0, 4]]
LARGE = {"values": np.ones((33, 1)), "scores": np.ones((33, 33))}
CLOCKS = Clocks(["the", "man", "beats", "the", "boy"], ROWS, frequencies(4, base=10.0).tolist())


def drawn(distance=3, **changes):
    return clocks(replace(CLOCKS, **changes), distance, "They turn", "Play.")


def wiggle(speeds=(1.0, 0.1), last=50, **starts):
    return position_wiggle(speeds, last, "It turns", "Drag.", **starts)


def scheme(values=((1, 0), (0, 1)), scores=((1, 0), (0, 1)), name="one"):
    return Scheme(name, "columns", np.array(values, float), np.array(scores, float))


def schemes(*given, **starts):
    return position_schemes(given or [scheme()], "It knows", "Choose one.", **starts)


def alone(**changes):
    return schemes(scheme(**changes))


def beside(**changes):
    return schemes(scheme(), scheme(**changes))


def test_the_clocks_show_sinusoidal_positions_and_their_hands_point_there():
    wanted = sinusoids(torch.arange(5), 4, base=10.0).numpy()
    np.testing.assert_allclose(CLOCKS.positions, wanted, atol=1e-6)
    np.testing.assert_allclose(CLOCKS.sums, ROWS + wanted, atol=1e-6)
    figure = drawn()
    assert_whole(figure)
    dials = [(float(c.get("cx")), float(c.get("cy"))) for c in svg_of(figure).iter("circle")]
    hands = [path.get("d").split("L")[1].split() for path in part(figure, 2).iter("path")]
    for (x, y), (right, down), (sine, cosine, *_) in zip(dials, hands, wanted, strict=True):
        hand = [float(right) - x, y - float(down)]
        np.testing.assert_allclose(hand, 28 * np.array([sine, cosine]), atol=0.11)
    assert "“the” is at place 0 and at place 3" in figure.data["steps"][0]
    assert "turned by 172°" in figure.data["steps"][-1]


def test_the_wiggle_tables_the_sinusoids_and_says_by_how_much_its_hands_turn():
    figure = wiggle(frequencies(4).tolist(), position=7, distance=3)
    assert_on_page(figure)
    shown = next(row[1:] for row in figure.rows if row[0] == 7)
    expected = sinusoids(torch.tensor(7), 4).tolist()
    assert [float(x.replace("−", "-")) for x in shown] == pytest.approx(expected, abs=0.006)
    assert "position 7 and one for position 10" in figure.alt
    assert "3, 0.03 radians" in figure.alt


def test_the_schemes_hand_over_their_numbers_and_say_what_they_know():
    distances = np.subtract.outer(np.arange(5), np.arange(5))
    assert spread(np.cos(distances)) == pytest.approx(0)
    figure = schemes(scheme(), scheme(scores=np.diag([1, 4]), name="two"), scheme=1)
    assert_on_page(figure)
    assert figure.data["schemes"][1]["scores"] == [[1, 0], [0, 4]]
    assert "two: 1 at distance 0" in figure.alt
    assert "differ by at most 3" in figure.alt
    assert [row[-1] for row in figure.rows] == ["0", "3"]


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"embeddings": np.ones((5, 3))}, "rows of 4 numbers"),
        (drawn, {"speeds": [1.0]}, "1 speeds"),
        (drawn, {"distance": 4}, "two pairs of places"),
        (drawn, {"words": list("abcde")}, "no word comes twice"),
        (wiggle, {"speeds": ()}, "1 to 6 pairs"),
        (wiggle, {"speeds": (1, 0)}, "positive speeds"),
        (wiggle, {"position": 51}, "position 51 must lie in 0 … 50"),
        (wiggle, {"distance": 21}, "distance 21 in 0 … 20"),
        (alone, {"scores": [[1, 2]]}, "got (2, 2) and (1, 2)"),
        (beside, {"values": [[1, 2]] * 3}, "N = 2; got (3, 2)"),
        (alone, LARGE, "2 to 32 positions"),
        (alone, {"values": np.ones((2, 33))}, "32 columns"),
        (schemes, {"position": 2}, "position 2 does not exist"),
        (schemes, {"scheme": 1}, "scheme 1"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_wiggle, of_schemes = CASES.of("position_wiggle"), CASES.of("position_schemes")
SPEEDS = frequencies(8).numpy()
of_wiggle(
    "the hands are the sinusoids",
    "[0, 1, 12, 100].map((p) => encode(p, speeds).flat().map((x) => Math.round(x * 1e6) / 1e6))",
    np.round(sinusoids(torch.tensor([0, 1, 12, 100]), 8).double().numpy(), 6),
    speeds=SPEEDS,
)
for p, k in ((0, 3), (90, 20)):
    of_wiggle(
        f"two hands, {k} apart at {p}, have the sum of the cosines as their dot product",
        "dot(encode(p, speeds), encode(p + k, speeds))",
        np.float64(np.cos(k * SPEEDS).sum()),
        **{"p": p, "k": k, "speeds": SPEEDS},
    )
of_wiggle(
    "a hand's angle is counted clockwise from the top",
    "[[0, 1], [1, 0], [0, -1], [-1, 0]].map(([x, y]) => heading(x, y))",
    np.array([0, np.pi / 2, np.pi, -np.pi / 2]),
)
of_wiggle(
    "a hand that is dragged takes the shorter way, within the text",
    "[[0.1, 0.4], [3.1, -3.1], [0.4, -2.0], [0, 3.1]].map(([start, end]) => "
    "dragged(10, start, end, 0.1, 40))",
    np.array([13, 10 + (2 * np.pi - 6.2) / 0.1, 0, 40]),
)
of_wiggle("a whole turn", "[1, 0.1].map(wholeTurn)", np.array([2 * np.pi, 20 * np.pi]))
rotary = RotaryPosition(6, frequencies(4))
QUERY, KEY = (torch.from_numpy(normal(4, seed=seed)).float().expand(6, 4) for seed in (0, 1))
BY_DISTANCE = (rotary(QUERY) @ rotary(KEY).T).double().numpy()
LEARNED = normal(6, 6)
of_schemes(
    "the spread at one distance",
    "schemes.map(spread)",
    np.array([spread(BY_DISTANCE), spread(LEARNED)]),
    schemes=[BY_DISTANCE.tolist(), LEARNED.tolist()],
)
of_schemes(
    "the scores of a position by distance",
    "byDistance(scores, 2)",
    np.stack([np.arange(6) - 2, LEARNED[2]], axis=1),
    scores=LEARNED,
)
for scores, says in (
    (np.ones((3, 3)), "All scores are equal: the scheme knows no order."),
    (BY_DISTANCE, "Scores of the same distance are equal: only the distance counts."),
    (np.diag([1.0, 4.0]), "Scores of the same distance differ by up to 3: the place counts too."),
):
    of_schemes(says, "knows(scores)", says, scores=scores)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
