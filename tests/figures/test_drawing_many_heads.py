"""The drawing of the heads: each head's weights and row are shown, and what they lead to."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.heads_side_by_side import Heads, heads_side_by_side

HEADS = Heads(
    words=["the", "chicken", "crossed", "it"],
    asks=2,
    questions=["who?", "what?"],
    weights=np.array([[0.0, 0.9, 0.0, 0.1], [0.01, 0.0, 0.19, 0.8]]),
    found=np.array([[1.0, -2.0, 0.5], [3.0, 0.0, 0.25]]),
    output=np.array([0.1, 0.2, -0.3, 0.4, 0.5, -0.6]),
    answers=[("chicken", 0.97), ("it", 0.88)],
)


def test_each_head_has_a_lane_with_its_weights_and_what_it_brings_home():
    figure = heads_side_by_side(HEADS, "They ask", "Play.")
    svg = ElementTree.fromstring(figure.drawing)
    for h, numbers in enumerate(HEADS.found):
        (lane,) = [group for group in svg.iter("g") if group.get("data-step") == str(2 + h)]
        said = [one.text for one in lane.iter("text")]
        assert {f"{weight:.2f}" for weight in HEADS.weights[h]} <= set(said)
        assert {f"{x:.1f}".replace("-", "−") for x in np.round(numbers, 1) + 0.0} <= set(said)
        wide = [
            float(w)
            for w in re.findall(r'stroke-width="([\d.]+)"', ElementTree.tostring(lane).decode())
        ]
        drawn = [w for w in HEADS.weights[h] if w > 0.02]
        np.testing.assert_allclose(wide[1:], [max(0.8, 9 * w) for w in drawn], atol=0.06)
    whole = [one.text for one in svg.iter("text")]
    assert "who? chicken 97%" in whole
    assert "what? it 88%" in whole
    assert "Head 1 gives 90% of its weight to “chicken”" in figure.data["steps"][1]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"weights": np.ones((2, 3))}, "4 words and 2 questions need weights"),
        ({"asks": 4}, "word 4 asks"),
        ({"answers": [("a", 1.0)]}, "an answer a head"),
        ({"found": np.ones((2, 9))}, "one can read"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        heads_side_by_side(replace(HEADS, **change), "A", "B.")
