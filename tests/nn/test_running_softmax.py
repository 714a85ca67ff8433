import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional

from headway.nn.attention import attend, attend_fused
from headway.nn.masks import causal_mask
from headway.nn.running_softmax import LargestArray, Partial, attend_in_blocks, look
from headway.shapes import ShapeError
from tests.nn.drawn import normal
from tests.nn.test_attention import cases

exactly = {"atol": 1e-12, "rtol": 1e-10}  # what 64 bits leave to rounding
seeds = st.integers(0, 10_000)
blocks = st.integers(1, 8)


def partial(seed, empty=False, scale=30.0):
    """What three queries found among some keys, drawn; nothing at all for the second one."""
    scores = scale * normal(3, 5, seed=seed).double()
    scores[1 if empty else 3 :] = -torch.inf
    return look_at(scores, normal(5, 2, seed=seed + 1).double())


def look_at(scores, value):
    """`look` for scores as they are: a width of 1, queries of 1."""
    T, S = scores.shape
    ones, zeros = torch.ones(T, 1).double(), torch.zeros(S, 1).double()
    return look(ones, zeros, value, score_bias=scores)


@settings(max_examples=50)
@given(cases(), blocks)
def test_blocks_of_any_size_give_what_attend_gives(case, block):
    query, key, value, mask = (x.double() if x.is_floating_point() else x for x in case)
    found = attend_in_blocks(query, key, value, block, mask)
    torch.testing.assert_close(found, attend(query, key, value, mask)[0], **exactly)
    found = attend_in_blocks(query, key, value, block)
    torch.testing.assert_close(found, attend(query, key, value)[0], **exactly)
    assert found.dtype == torch.float64


@given(cases(), blocks)
def test_a_bias_is_added_block_by_block(case, block):
    query, key, value, mask = (x.double() if x.is_floating_point() else x for x in case)
    T, S = query.shape[-2], key.shape[-2]
    for bias in (10 * normal(T, S).double(), normal(3, 1)[:1].double()):
        found = attend_in_blocks(query, key, value, block, mask, bias)
        torch.testing.assert_close(found, attend(query, key, value, mask, bias)[0], **exactly)


@given(cases(), blocks)
def test_gradients_are_those_of_attend_and_finite_where_nothing_is_visible(case, block):
    query, key, value, mask = (x.double() if x.is_floating_point() else x for x in case)
    inputs = [x.requires_grad_() for x in (query, key, value)]
    results = []
    for mixed in (attend(*inputs, mask)[0], attend_in_blocks(*inputs, block, mask)):
        results.append(torch.autograd.grad(mixed.square().sum(), inputs))
    torch.testing.assert_close(results[1], results[0], **exactly)


@pytest.mark.parametrize("block", [1, 7, 32, 100])
def test_it_agrees_with_torch_in_32_bits(block):
    query, key, value = (normal(2, 4, n, 16, seed=n) for n in (50, 70, 70))
    mask = causal_mask(50, 70)
    found = attend_in_blocks(query, key, value, block, mask)
    theirs = functional.scaled_dot_product_attention(query, key, value, mask)
    torch.testing.assert_close(found, theirs, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(found, attend_fused(query, key, value, mask), atol=1e-5, rtol=1e-5)


def test_a_query_with_nothing_to_see_gets_zeros_and_so_does_one_whose_first_blocks_are_hidden():
    query, key, value = normal(3, 4), normal(6, 4, seed=1), normal(6, 2, seed=2)
    mask = torch.zeros(3, 6, dtype=torch.bool)
    mask[1, 5] = True  # nothing in the first two blocks
    mask[2, 0] = True  # nothing in the last two
    found = attend_in_blocks(query, key, value, 2, mask)
    assert found[0].tolist() == [0, 0]
    torch.testing.assert_close(found[1:], value[[5, 0]])


def test_scores_that_exp_cannot_hold_are_no_matter():
    scores = torch.tensor([[-2000.0, 3000.0, 2999.0, -5000.0]]).double()
    value = normal(4, 2).double()
    whole = scores.softmax(-1) @ value
    for cut in (1, 2, 3):
        parts = look_at(scores[:, :cut], value[:cut]), look_at(scores[:, cut:], value[cut:])
        torch.testing.assert_close(parts[0].merge(parts[1]).attention(), whole, **exactly)


@given(seeds, st.booleans(), st.booleans())
def test_merging_is_associative_and_commutative(seed, one, two):
    a, b, c = partial(seed, one), partial(seed + 7, two), partial(seed + 13, one)
    torch.testing.assert_close(a.merge(b).merge(c), a.merge(b.merge(c)), **exactly)
    torch.testing.assert_close(a.merge(b), b.merge(a), rtol=0, atol=0)


@given(seeds)
def test_having_seen_nothing_changes_nothing(seed):
    a = partial(seed)
    nothing = Partial(torch.full_like(a.largest, -torch.inf), 0 * a.total, 0 * a.mixed)
    for merged in (a.merge(nothing), nothing.merge(a)):
        torch.testing.assert_close(merged, a, rtol=0, atol=0)
    assert not nothing.merge(nothing).attention().any()


@given(seeds, st.integers(1, 4))
def test_two_halves_of_the_keys_may_be_read_apart(seed, cut):
    """As on two machines, each with half of the cache."""
    query, key, value = (normal(2, *s, seed=seed + s[1]).double() for s in ((4, 3), (6, 3), (6, 2)))
    left, right = (look(query, key[:, s], value[:, s]) for s in (slice(cut), slice(cut, None)))
    torch.testing.assert_close(
        right.merge(left).attention(), attend(query, key, value)[0], **exactly
    )


@pytest.mark.parametrize("block", [1, 16, 64])
def test_no_array_is_larger_than_the_scores_of_a_block(block):
    T, S, D = 200, 256, 4
    inputs = normal(2, T, D), normal(2, S, D), normal(2, S, D)
    mask = causal_mask(T, S)
    with LargestArray() as whole:
        attend(*inputs, mask)
    assert whole.numbers == 2 * T * S
    with LargestArray() as made:
        attend_in_blocks(*inputs, block, mask)
    assert made.numbers == 2 * T * max(block, D)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ShapeError, match=r"\(2, 4\).*\(3, 5\).*width"):
        attend_in_blocks(normal(2, 4), normal(3, 5), normal(3, 4), 2)
    with pytest.raises(ShapeError, match=r"mask \(2, 2\)"):
        attend_in_blocks(normal(2, 4), normal(3, 4), normal(3, 4), 2, torch.ones(2, 2).bool())
    with pytest.raises(TypeError, match="score_bias"):
        attend_in_blocks(normal(2, 4), normal(3, 4), normal(3, 4), 2, torch.zeros(2, 3))
    for block, S in ((0, 3), (2, 0)):
        with pytest.raises(ValueError, match=f"{block} of {S} keys"):
            attend_in_blocks(normal(2, 4), normal(S, 4), normal(S, 4), block)
