"""The drawing of the clocks: its numbers are those of the package, equal words differ by place."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from headway.figures.gallery.clocks import Clocks, clocks
from headway.nn.position import frequencies, sinusoids

WORDS = ["the", "man", "beats", "the", "boy"]
ROWS = np.random.default_rng(0).normal(size=(5, 4))
ROWS[3] = ROWS[0]
CLOCKS = Clocks(WORDS, ROWS, frequencies(4, base=10.0).tolist())


def test_the_clocks_show_sinusoidal_positions():
    wanted = sinusoids(torch.arange(5), 4, base=10.0).numpy()
    np.testing.assert_allclose(CLOCKS.positions, wanted, atol=1e-6)
    np.testing.assert_allclose(CLOCKS.sums, ROWS + wanted, atol=1e-6)


def test_each_hand_points_where_its_two_numbers_say():
    figure = clocks(CLOCKS, 3, "They turn", "Play.")
    svg = ElementTree.fromstring(figure.drawing)
    dials = [(float(c.get("cx")), float(c.get("cy"))) for c in svg.iter("circle")]
    (fast,) = [group for group in svg.iter("g") if group.get("data-step") == "2"]
    tips = [tuple(map(float, path.get("d").split("L")[1].split())) for path in fast.iter("path")]
    for (x, y), (right, down), (sine, cosine, *_) in zip(
        dials, tips, CLOCKS.positions, strict=True
    ):
        np.testing.assert_allclose([right - x, y - down], 28 * np.array([sine, cosine]), atol=0.11)


def test_the_steps_name_the_word_that_comes_twice_and_the_turn_of_a_distance():
    steps = clocks(CLOCKS, 3, "They turn", "Play.").data["steps"]
    assert "“the” is at place 0 and at place 3" in steps[0]
    assert "turned by 172°" in steps[-1]


@pytest.mark.parametrize(
    ("change", "distance", "says"),
    [
        ({"embeddings": np.ones((5, 3))}, 3, "rows of 4 numbers"),
        ({"speeds": [1.0]}, 3, "1 speeds"),
        ({}, 4, "two pairs of places"),
        ({"words": ["a", "b", "c", "d", "e"]}, 3, "no word comes twice"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, distance, says):
    with pytest.raises(ValueError, match=says):
        clocks(replace(CLOCKS, **change), distance, "A", "B.")
