import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from headway.nn.attention import (
    AdditiveScores,
    MultiplicativeScores,
    attend,
    attend_fused,
    masked_softmax,
    mix,
)
from headway.nn.masks import causal_mask
from headway.shapes import ShapeError
from tests.nn.drawn import normal

close = {"atol": 1e-5, "rtol": 1e-5}
both_forms = pytest.mark.parametrize("function", [attend, attend_fused])


@st.composite
def cases(draw):
    """Query, key, value and a mask with some rows hidden altogether."""
    B, H, T, S = (draw(st.integers(1, n)) for n in (2, 3, 5, 6))
    D, E, seed = draw(st.integers(1, 8)), draw(st.integers(1, 5)), draw(st.integers(0, 10_000))
    generator = torch.Generator().manual_seed(seed)
    mask_shape = draw(st.sampled_from([(T, S), (B, 1, 1, S), (B, 1, T, S), (B, H, T, S), (1, S)]))
    mask = torch.rand(mask_shape, generator=generator) < draw(st.sampled_from([0.2, 0.7]))
    query, key, value = (
        torch.randn(B, H, n, width, generator=generator) for n, width in ((T, D), (S, D), (S, E))
    )
    return query, key, value, mask


@given(cases())
def test_explicit_fused_and_torch_agree_forward_and_backward(case):
    *tensors, mask = case
    inputs, results = [tensor.requires_grad_() for tensor in tensors], []
    for mixed in (
        attend(*inputs, mask)[0],
        attend_fused(*inputs, mask),
        functional.scaled_dot_product_attention(*inputs, attn_mask=mask),
    ):
        results.append([mixed, *torch.autograd.grad(mixed.square().sum(), inputs)])
    for other in results[1:]:
        torch.testing.assert_close(other, results[0], **close)


@given(cases())
def test_rows_of_weights_sum_to_one_or_to_zero_where_nothing_is_visible(case):
    mask = case[-1]
    _, weights = attend(*case)
    visible = mask.any(-1).expand(weights.shape[:-1])
    torch.testing.assert_close(weights.sum(-1), visible.float(), **close)
    assert (weights >= 0).all()
    assert (weights[~mask.expand_as(weights)] == 0).all()


@both_forms
def test_a_row_with_nothing_visible_gives_zeros_and_finite_gradients(function):
    mask = torch.tensor([[True, True, False], [False, False, False]])
    inputs = [normal(n, 4, seed=n).requires_grad_() for n in (2, 3, 3)]
    found = function(*inputs, mask)
    mixed = found[0] if function is attend else found
    assert mixed[1].tolist() == [0.0] * 4
    for grad in torch.autograd.grad(mixed.sum(), inputs):
        assert grad.isfinite().all()


@pytest.mark.parametrize(("T", "S"), [(1, 1), (5, 5), (1, 6), (2, 6), (3, 7), (70, 130)])
def test_causal_without_a_mask_is_attention_under_the_causal_mask(T, S):
    query, key, value = normal(2, 3, T, 8), normal(2, 3, S, 8, seed=1), normal(2, 3, S, 8, seed=2)
    mixed, _ = attend(query, key, value, causal_mask(T, S))
    torch.testing.assert_close(attend_fused(query, key, value, causal=True), mixed, **close)
    hidden = torch.arange(S) != S // 2
    mixed, _ = attend(query, key, value, causal_mask(T, S) & hidden)
    both = attend_fused(query, key, value, hidden.expand(T, S), causal=True)
    torch.testing.assert_close(both, mixed, **close)


@pytest.mark.parametrize("causal", [False, True])
def test_a_bias_is_added_to_the_scaled_scores(causal):
    query, key, value = (normal(2, 3, 4, 8, seed=seed) for seed in range(3))
    bias = 3 * normal(3, 4, 4)
    mask = causal_mask(4) if causal else torch.tensor([True, False, True, True])
    scores = query @ key.mT / math.sqrt(8) + bias
    expected = scores.masked_fill(~mask, -torch.inf).softmax(-1) @ value
    torch.testing.assert_close(attend(query, key, value, mask, bias)[0], expected, **close)
    fused = attend_fused(query, key, value, None if causal else mask[None], bias, causal)
    torch.testing.assert_close(fused, expected, **close)


def test_inputs_are_left_as_they_were():
    tensors = [normal(2, 4), normal(3, 4), normal(3, 4), torch.ones(2, 3, dtype=torch.bool)]
    copies = [tensor.clone() for tensor in tensors]
    attend(*tensors)
    attend_fused(*tensors)
    mix(tensors[0], normal(4, 3), torch.tensor([True, False, True, False]))
    assert all(a.equal(b) for a, b in zip(tensors, copies, strict=True))


def test_a_large_score_does_not_overflow():
    weights = masked_softmax(torch.tensor([[1e4, 0.0, 2e4]]), torch.tensor([[True, True, False]]))
    assert weights.tolist() == [[1.0, 0.0, 0.0]]


def test_additive_scores_follow_the_formula_pair_by_pair():
    scores = AdditiveScores(query_width=3, key_width=4, hidden=5)
    query, key = normal(2, 6, 3), normal(2, 7, 4)
    given = scores(query, key)
    assert given.shape == (2, 6, 7)
    W, U, v = scores.query.weight, scores.key.weight, scores.vote.weight[0]
    for b, t, s in [(0, 0, 0), (0, 5, 6), (1, 2, 3)]:
        expected = v @ torch.tanh(W @ query[b, t] + U @ key[b, s])
        torch.testing.assert_close(given[b, t, s], expected, **close)


def test_multiplicative_scores_follow_the_formula_and_include_the_dot_product():
    scores = MultiplicativeScores(query_width=3, key_width=4)
    query, key = normal(2, 6, 3), normal(2, 7, 4)
    expected = torch.einsum("btd,de,bse->bts", query, scores.key.weight, key)
    torch.testing.assert_close(scores(query, key), expected, **close)
    same = MultiplicativeScores(4, 4)
    torch.nn.init.eye_(same.key.weight).data.div_(2)  # I/√D
    value = normal(2, 7, 2)
    mixed, _ = mix(same(key[:, :5], key), value, causal_mask(5, 7))
    torch.testing.assert_close(mixed, attend(key[:, :5], key, value, causal_mask(5, 7))[0], **close)


@both_forms
@pytest.mark.parametrize(
    ("shapes", "mask", "error", "message"),
    [
        (((2, 4), (3, 5), (3, 4)), None, ShapeError, r"\(2, 4\).*\(3, 5\).*width"),
        (((2, 4), (3, 4), (2, 4)), None, ShapeError, r"\(3, 4\).*\(2, 4\).*length"),
        (((2, 2, 4), (3, 3, 4), (3, 3, 4)), None, ShapeError, r"\(2, 2, 4\).*\(3, 3, 4\).*batch"),
        (((2, 4), (3, 4), (3, 4)), torch.ones(3, 2).bool(), ShapeError, r"\(3, 2\).*\(2, 3\)"),
        (((2, 4), (3, 4), (3, 4)), torch.ones(5, 2, 3).bool(), ShapeError, r"\(5, 2, 3\)"),
        (((2, 4), (3, 4), (3, 4)), torch.zeros(2, 3), TypeError, "score_bias"),
    ],
)
def test_what_does_not_fit_is_refused_with_both_shapes(function, shapes, mask, error, message):
    with pytest.raises(error, match=message):
        function(*(normal(*shape) for shape in shapes), mask)


@both_forms
@pytest.mark.parametrize(
    ("batch", "mask", "axes", "fits"),
    [
        ((2,), (2, 5), "[:, None, :]", (2, 1, 5)),
        ((2, 4), (2, 5), "[:, None, None, :]", (2, 1, 1, 5)),
        ((2, 4), (2, 3, 5), "[:, None]", (2, 1, 3, 5)),
    ],
)
def test_a_mask_without_some_axes_is_told_where_they_go(function, batch, mask, axes, fits):
    mask = torch.ones(mask).bool()
    parts = normal(*batch, 3, 4), normal(*batch, 5, 4), normal(*batch, 5, 4)
    with pytest.raises(ShapeError) as refused:
        function(*parts, mask)
    assert str(refused.value).endswith(f"mask{axes}.")
    function(*parts, mask.view(fits))


def test_scores_of_other_widths_and_lengths_are_refused():
    with pytest.raises(ShapeError, match=r"\(3, 2\).*fewer keys"):
        attend_fused(normal(3, 4), normal(2, 4), normal(2, 4), causal=True)
    with pytest.raises(ShapeError, match=r"\(2, 5\).*\(\.\.\., 3\)"):
        AdditiveScores(3, 4, 5)(normal(2, 5), normal(2, 4))
    with pytest.raises(ShapeError, match=r"\(2, 3\).*\(\.\.\., 4\)"):
        MultiplicativeScores(3, 4)(normal(2, 3), normal(2, 3))
    with pytest.raises(ShapeError, match=r"scores \(2, 3\).*value \(2, 3\)"):
        mix(normal(2, 3), normal(2, 3))
    with pytest.raises(ShapeError, match=r"score_bias \(3, 3\)"):
        attend(normal(2, 4), normal(3, 4), normal(3, 4), score_bias=normal(3, 3))
