"""Numbers kept within a bound, and attention whose scores are."""

import pytest
import torch

from headway.nn.attention import attend, mix
from headway.nn.masks import causal_mask
from headway.nn.soft_cap import attend_capped, soft_cap
from headway.shapes import ShapeError
from tests.nn.drawn import normal


def test_small_numbers_stay_large_ones_reach_the_cap_and_the_slope_never_ends():
    x = torch.tensor([-1000.0, -5.0, 0.0, 5.0, 100.0], requires_grad=True)
    capped = soft_cap(x, 50)
    expected = torch.tensor([-50.0, -4.9834, 0.0, 4.9834, 48.2014])  # as the docstring says
    torch.testing.assert_close(capped, expected, atol=1e-4, rtol=0)
    capped[1:].sum().backward()
    assert (x.grad[1:] > 0).all()
    assert x.grad[2] == 1


def test_a_cap_far_above_all_scores_changes_nothing_and_a_near_one_does():
    heads, mask = [normal(2, 3, 5, 4, seed=seed) for seed in range(3)], causal_mask(5)
    bias = normal(3, 5, 5, seed=4)
    plain = attend(*heads, mask, bias)
    torch.testing.assert_close(attend_capped(*heads, 1e4, mask, bias), plain)
    near = attend_capped(*heads, 0.5, mask, bias)
    assert not torch.allclose(near[1], plain[1], atol=0.01)
    query, key, value = heads
    scores = 0.5 * torch.tanh(query @ key.mT / 2 / 0.5) + bias  # √D = 2
    torch.testing.assert_close(near, mix(scores, value, mask))


def test_what_does_not_fit_is_refused_as_in_attention():
    with pytest.raises(ShapeError, match="differ in width"):
        attend_capped(normal(1, 5, 4), normal(1, 5, 3), normal(1, 5, 3), 1.0)
