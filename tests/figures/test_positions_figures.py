"""The figures of chapter 7: their positions are the package's; what makes no sense is refused."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.figures.gallery.positions.clocks import Clocks, clocks
from headway.figures.gallery.positions.position_wiggle import position_wiggle
from headway.nn.position import frequencies, sinusoids
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_upright, assert_whole, part, svg_of

ROWS = normal(5, 4)[[0, 1, 2, 0, 4]]
CLOCKS = Clocks(["the", "man", "beats", "the", "boy"], ROWS, frequencies(4, base=10.0).tolist())


def drawn(distance=3, **changes):
    return clocks(replace(CLOCKS, **changes), distance, "They turn", "Play.")


def wiggle(speeds=(1.0, 0.1), last=50, **starts):
    return position_wiggle(speeds, last, "It turns", "Drag.", **starts)


def test_the_clocks_show_sinusoidal_positions_and_their_hands_point_there():
    wanted = sinusoids(torch.arange(5), 4, base=10.0).numpy()
    np.testing.assert_allclose(CLOCKS.positions, wanted, atol=1e-6)
    np.testing.assert_allclose(CLOCKS.sums, ROWS + wanted, atol=1e-6)
    figure = drawn()
    assert_whole(figure)
    assert_upright(figure)
    dials = [(float(c.get("cx")), float(c.get("cy"))) for c in svg_of(figure).iter("circle")]
    hands = [path.get("d").split("L")[1].split() for path in part(figure, 2).iter("path")]
    for (x, y), (right, down), (sine, cosine, *_) in zip(dials, hands, wanted, strict=True):
        hand = [float(right) - x, y - float(down)]
        np.testing.assert_allclose(hand, 41 * np.array([sine, cosine]), atol=0.11)
    turned = [group.get("style") for group in part(figure, 3).iter("g") if group.get("style")]
    assert turned[3].startswith("--turn:-54.4deg"), "the slow hand, three words on"
    assert "“the” is at place 0 and at place 3" in figure.data["steps"][0]
    assert "turned by 172°" in figure.data["steps"][-1]


def test_a_row_is_drawn_as_bars_up_and_down_and_sums_are_as_tall_as_both():
    tall = {step: heights(part(drawn(), step)) for step in (4, 5, 6)}
    unit = 42 / np.abs(CLOCKS.sums).max()
    for step, rows in ((4, CLOCKS.positions), (5, CLOCKS.embeddings), (6, CLOCKS.sums)):
        wanted = unit * np.abs(rows.ravel())
        np.testing.assert_allclose(tall[step], wanted[wanted > 0.4], atol=0.06)
    kinds = [group.get("class") for group in part(drawn(), 6).iter("g") if group.get("style")]
    signs = [
        "hw-falls" if x < 0 else "hw-rises" for x in CLOCKS.sums.ravel() if abs(unit * x) > 0.4
    ]
    assert kinds == signs


def heights(drawn):
    bars = [bar for bar in drawn.iter("rect") if "hw-column" in bar.get("class")]
    return [float(bar.get("height")) for bar in bars]


def test_the_wiggle_tables_the_sinusoids_and_says_by_how_much_its_hands_turn():
    figure = wiggle(frequencies(4).tolist(), position=7, distance=3)
    assert_on_page(figure)
    shown = next(row[1:] for row in figure.rows if row[0] == 7)
    expected = sinusoids(torch.tensor(7), 4).tolist()
    assert [float(x.replace("−", "-")) for x in shown] == pytest.approx(expected, abs=0.006)
    assert "position 7 and one for position 10" in figure.alt
    assert "3, 0.03 radians" in figure.alt


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
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_wiggle = CASES.of("position_wiggle")
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


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
