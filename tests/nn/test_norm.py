import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from headway.nn.norm import LayerNorm, RMSNorm
from headway.shapes import ShapeError
from tests.nn.drawn import normal, rough

close = {"atol": 1e-5, "rtol": 1e-5}
BOTH = [(LayerNorm, nn.LayerNorm), (RMSNorm, nn.RMSNorm)]


@pytest.mark.parametrize(("ours", "theirs"), BOTH)
@given(st.integers(0, 10_000), st.sampled_from([0.1, 1.0, 100.0]))
def test_a_norm_agrees_with_torch_forward_and_backward(ours, theirs, seed, scale):
    ours = rough(ours(12, eps=1e-3))
    theirs = theirs(12, eps=1e-3)
    theirs.load_state_dict(ours.state_dict())
    ours, theirs = ours.double(), theirs.double()  # at scale 0.1 rounding to 32 bits shows
    x = (scale * normal(2, 5, 12, seed=seed) + 3).double().requires_grad_()
    torch.testing.assert_close(ours(x), theirs(x), **close)
    inputs = [(module, (x, *module.parameters())) for module in (ours, theirs)]
    mine, other = (torch.autograd.grad(m(x).square().sum(), tensors) for m, tensors in inputs)
    for a, b in zip(mine, other, strict=True):
        torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("norm", [LayerNorm, RMSNorm])
def test_another_width_is_refused(norm):
    with pytest.raises(ShapeError, match=r"expected \(\.\.\., 12\)"):
        norm(12)(torch.zeros(2, 3, 11))
