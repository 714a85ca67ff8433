import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.nn.attention import attend, attend_fused
from headway.nn.masks import causal_mask, combine, window_mask
from headway.nn.sparse_masks import block_mask, dilated_mask, global_mask, strided_mask
from headway.shapes import ShapeError

sizes = st.integers(1, 6)
earlier = st.integers(0, 5)
PATTERNS = {
    "block": lambda T, S: block_mask(3, T, S),
    "strided": lambda T, S: strided_mask(3, T, S),
    "dilated": lambda T, S: dilated_mask(2, 3, T, S),
    "global": lambda T, S: global_mask(torch.tensor([0, 4]), T, S),
}


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


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_mask_of_a_cached_step_is_the_last_rows_of_the_whole_mask(pattern):
    make = PATTERNS[pattern]
    assert make(4, 11).equal(make(11, 11)[-4:])
    assert make(1, 11).equal(make(11, 11)[-1:])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_all_patterns_look_both_ways(pattern):
    mask = PATTERNS[pattern](11, 11)
    assert mask.equal(mask.T)


@pytest.mark.parametrize("pattern", ["block", "strided", "dilated"])
def test_every_query_sees_its_own_position(pattern):
    assert PATTERNS[pattern](11, 11).diagonal().all()


def test_a_causal_dilated_mask_without_gaps_is_a_window():
    causal = combine(causal_mask(9), dilated_mask(3, 1, 9))
    assert causal.equal(window_mask(4, 9))


def test_a_block_or_a_stride_beyond_the_sequence_and_a_stride_of_one():
    assert block_mask(9, 5).all()
    assert strided_mask(1, 5).all()
    assert strided_mask(9, 5).equal(torch.eye(5, dtype=torch.bool))


def test_what_a_pattern_hides_never_changes_an_output():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(8, 4, generator=generator)
    mask = block_mask(4, 8)
    other = x.clone()
    other[4:] += 1
    assert attend_fused(x, x, x, mask)[:4].equal(attend_fused(other, other, other, mask)[:4])


def test_two_causal_layers_of_local_blocks_and_strides_reach_every_earlier_token():
    # Child et al. 2019: one layer of each connects all pairs in two steps.
    T = 16
    local, jumps = (combine(causal_mask(T), m) for m in (dilated_mask(4, 1, T), strided_mask(4, T)))
    reached = (local.float() @ jumps.float()) > 0
    assert reached.equal(causal_mask(T))


def test_through_one_global_token_all_see_all_in_two_layers():
    step = global_mask(torch.tensor([3]), 7).float()
    assert not (step > 0).all()
    assert ((step @ step) > 0).all()
    weights = attend(torch.zeros(7, 2), torch.zeros(7, 2), torch.eye(7), step > 0)[1]
    assert weights[0].tolist() == [0, 0, 0, 1, 0, 0, 0]


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
