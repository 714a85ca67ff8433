import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.nn.sparse_masks import block_mask, dilated_mask, global_mask, strided_mask
from headway.shapes import ShapeError

sizes = st.integers(1, 6)
earlier = st.integers(0, 5)


def by_rule(T, S, rule):
    """A (T, S) mask from a rule for (position of the query, position of the key)."""
    return torch.tensor([[rule(S - T + t, s) for s in range(S)] for t in range(T)])


@given(sizes, sizes, earlier)
def test_each_pattern_shows_what_its_rule_says(size, T, before):
    S = T + before
    assert block_mask(size, T, S).equal(by_rule(T, S, lambda p, s: p // size == s // size))
    assert strided_mask(size, T, S).equal(by_rule(T, S, lambda p, s: abs(p - s) % size == 0))
    seen = [size * k for k in range(-2, 3)]
    assert dilated_mask(2, size, T, S).equal(by_rule(T, S, lambda p, s: p - s in seen))
    chosen = torch.tensor([0, S - 1])
    ends = (0, S - 1)
    assert global_mask(chosen, T, S).equal(by_rule(T, S, lambda p, s: p in ends or s in ends))


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: block_mask(2, 3, 2), ShapeError, r"\(3, 2\).*fewer keys"),
        (lambda: block_mask(0, 3), ValueError, "block must be at least 1"),
        (lambda: strided_mask(0, 3), ValueError, "stride must be at least 1"),
        (lambda: dilated_mask(-1, 1, 3), ValueError, "0 or more; got -1"),
        (lambda: global_mask(torch.tensor([3]), 3), IndexError, "0 … 2, got 3"),
        (lambda: global_mask(torch.tensor([[0]]), 3), ShapeError, r"\(1, 1\)"),
    ],
)
def test_what_makes_no_pattern_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
