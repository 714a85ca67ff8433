"""Scaled frequencies of rotary positions: their limits, and what is refused."""

import math

import pytest
import torch

from headway.nn.position import frequencies
from headway.nn.rotary_scaling import (
    DynamicScaling,
    LinearScaling,
    LlamaScaling,
    LongScaling,
    YarnScaling,
)

SPEEDS = frequencies(64, 500_000.0)
LLAMA = LlamaScaling(factor=8, low=1, high=4, context=8192)


def test_linear_scaling_turns_position_p_as_far_as_p_over_the_factor():
    scaled = LinearScaling(4)(SPEEDS, 128)
    torch.testing.assert_close(12 * scaled, 3 * SPEEDS)


def test_fast_pairs_stay_and_slow_ones_take_the_whole_factor():
    turns = LLAMA.context * SPEEDS / (2 * math.pi)
    scaled = LLAMA(SPEEDS, 8)
    fast, slow = turns >= 4, turns <= 1
    assert all(some.any() for some in (fast, slow, ~fast & ~slow))
    assert scaled[fast].equal(SPEEDS[fast])
    torch.testing.assert_close(scaled[slow], SPEEDS[slow] / 8)
    between = (scaled / SPEEDS)[~fast & ~slow]
    assert ((between > 1 / 8) & (between < 1)).all()
    assert (scaled.diff() < 0).all()  # still in order


def test_long_texts_have_a_table_of_their_own():
    scaling = LongScaling((1.0, 2.0), (4.0, 8.0), context=100)
    speeds = torch.tensor([1.0, 0.1])
    assert scaling(speeds, 100).tolist() == pytest.approx([1, 0.05])
    assert scaling(speeds, 101).tolist() == pytest.approx([0.25, 0.0125])
    with pytest.raises(ValueError, match="2 factors for 3 pairs"):
        scaling(torch.ones(3), 100)
    with pytest.raises(ValueError, match="tables of 2 and of 1 factors"):
        LongScaling((1.0, 2.0), (4.0,), context=100)


def test_dynamic_scaling_changes_nothing_up_to_the_trained_context():
    scaling = DynamicScaling(factor=4, context=128)
    assert scaling(SPEEDS, 100).equal(SPEEDS)
    longer = scaling(SPEEDS, 256) / SPEEDS
    assert longer[0] == 1
    assert longer[-1] == pytest.approx(1 / 5)  # α = 4 · 2 − 3


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: LinearScaling(0.5), r"factor must be 1 or more, got 0\.5"),
        (lambda: LlamaScaling(factor=8, low=4, high=4, context=8), "low must be below high"),
        (lambda: LlamaScaling(factor=8, low=1, high=4, context=0), "context at least 1"),
        (lambda: YarnScaling(factor=8, context=8, fast=1, slow=1), "slow must be below fast"),
        (lambda: DynamicScaling(factor=8, context=0), "context must be at least 1, got 0"),
        (lambda: DynamicScaling(factor=8, context=8)(frequencies(2), 16), "one pair only"),
    ],
)
def test_what_stretches_nothing_is_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()
