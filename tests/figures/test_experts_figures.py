"""The drawing of chapter 18: each token goes where its largest scores are."""

from dataclasses import replace

import numpy as np
import pytest

from headway.figures.gallery.experts.at_the_desk import at_the_desk
from headway.figures.gallery.experts.routed import THICK, Routed
from tests.figures.shown import assert_whole, part, texts, widths

rng = np.random.default_rng(0)
shares = rng.dirichlet(np.ones(5), size=4)
chosen = np.array([[2, 0], [0, 4], [2, 4], [0, 2]])
ROUTED = Routed(
    words=["Return", "the", "owl", "."],
    shares=shares,
    chosen=chosen,
    weights=np.array([[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.55, 0.45]]),
    typical=[["the", "a", "an"], ["in"], [".", ","], ["is"], ["owl", "cat"]],
    asks=1,
)


def drawn(**changes):
    return at_the_desk(replace(ROUTED, **changes), "They go to the desk", "Play.")


def test_each_token_goes_to_its_experts_with_lines_as_thick_as_their_weights():
    figure = drawn()
    assert_whole(figure)
    assert widths(part(figure, 3), "query") == pytest.approx([THICK * 0.6, THICK * 0.4], abs=0.06)
    others = [THICK * weight for weight in ROUTED.weights[[0, 2, 3]].ravel()]
    assert widths(part(figure, 4), "residual") == pytest.approx(others, abs=0.06)
    assert "“owl” to expert 3 (70%) and expert 5 (30%)" in figure.alt


def test_the_experts_are_counted_and_those_that_nobody_asked_are_told():
    figure = drawn()
    counted = [text for text in texts(part(figure, 5)) if text.endswith("×")]
    assert counted == ["3×", "0×", "3×", "0×", "2×"]
    last = figure.data["steps"][-1]
    assert "Nobody asked 2 of them" in last


def test_the_table_has_a_share_for_each_token_and_expert():
    rows = drawn().rows
    assert [row[0] for row in rows] == ROUTED.words
    np.testing.assert_allclose([[float(x) for x in row[1:-1]] for row in rows], shares, atol=0.005)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"shares": shares[:3]}, "need shares"),
        ({"weights": np.ones((4, 1))}, "as many weights"),
        ({"asks": 4}, "token 4 goes first"),
        ({"chosen": chosen + 1}, "experts 0 to 4"),
        (
            {"words": ["a"] * 13, "shares": np.ones((13, 5)), "chosen": np.zeros((13, 2), int),
             "weights": np.ones((13, 2))},
            "up to 12 tokens",
        ),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        drawn(**changes)
