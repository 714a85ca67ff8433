import pytest
import torch
from torch import nn

from headway.nn.interchange import load_from_torch, load_into_torch
from headway.nn.masks import causal_mask, padding_mask, window_mask
from headway.nn.multihead import MultiHeadAttention, attend_grouped, split_heads
from headway.shapes import ShapeError
from tests.nn.drawn import normal, rough

close = {"atol": 1e-5, "rtol": 1e-5}


def attention(*given, **named):
    return rough(MultiHeadAttention(*given, **named))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("masked", ["no", "causal", "padding"])
def test_agrees_with_torch_on_the_same_weights(bias, cross, masked):
    theirs = nn.MultiheadAttention(12, 3, bias=bias, batch_first=True)
    ours, x = attention(12, 3, bias=bias), normal(2, 5, 12)
    load_into_torch(ours, theirs)
    memory = normal(2, 7, 12, seed=1) if cross else x
    S = memory.shape[1]
    causal, padding = causal_mask(5, S), padding_mask(torch.tensor([2, 4]), S)
    mask, hide = {
        "no": (None, {}),
        "causal": (causal, {"attn_mask": ~causal}),
        "padding": (padding, {"key_padding_mask": ~padding[:, 0, 0]}),
    }[masked]
    expected = theirs(x, memory, memory, average_attn_weights=False, **hide)
    given = (x, memory if cross else None, mask)
    torch.testing.assert_close(ours(*given), expected[0], **close)
    torch.testing.assert_close(ours.with_weights(*given), expected, **close)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("cap", [None, 0.5])
@pytest.mark.parametrize("window", [1, 3, 9])
def test_a_window_and_a_cap_hold_with_and_without_weights(window, cap, causal):
    ours, x = attention(12, 6, 2, window=window, score_cap=cap), normal(2, 7, 12)
    output, weights = ours.with_weights(x, causal=causal)
    seen = window_mask(window, 7) if window < 7 or not causal else causal_mask(7)
    assert (weights > 0).equal(seen.expand_as(weights))
    torch.testing.assert_close(ours(x, causal=causal), output, **close)
    free = attention(12, 6, 2, score_cap=cap)
    torch.testing.assert_close(free(x, mask=seen), output, **close)
    uncapped = attention(12, 6, 2, window=window)(x, causal=causal)
    assert torch.allclose(output, uncapped, atol=1e-4) == (cap is None or window == 1)


def test_causal_outputs_and_gradients_agree_with_torch():
    theirs, ours = nn.MultiheadAttention(12, 3, batch_first=True), MultiHeadAttention(12, 3)
    load_from_torch(ours, theirs)
    x = normal(2, 5, 12)
    mine = ours(x, causal=True)
    other, _ = theirs(x, x, x, attn_mask=~causal_mask(5), need_weights=False)
    torch.testing.assert_close(mine, other, **close)
    for output in (mine, other):
        output.square().sum().backward()
    torch.testing.assert_close(ours.qkv.weight.grad, theirs.in_proj_weight.grad, **close)
    torch.testing.assert_close(ours.output.bias.grad, theirs.out_proj.bias.grad, **close)


def test_narrower_heads_are_heads_with_silent_columns():
    wide, narrow = attention(12, 3), attention(12, 3, head_width=2)
    kept = torch.tensor([True, True, False, False]).repeat(3)  # two of the four columns of a head
    scale = torch.ones(18)
    scale[:12] = (2 / 4) ** 0.25  # of queries and keys: scores are divided by √2, and not by √4
    with torch.no_grad():
        wide.qkv.weight[~kept.repeat(3)] = 0
        wide.qkv.bias[~kept.repeat(3)] = 0
        narrow.qkv.weight.copy_(wide.qkv.weight[kept.repeat(3)] * scale[:, None])
        narrow.qkv.bias.copy_(wide.qkv.bias[kept.repeat(3)] * scale)
        narrow.output.weight.copy_(wide.output.weight[:, kept])
        narrow.output.bias.copy_(wide.output.bias)
    x = normal(2, 5, 12)
    torch.testing.assert_close(narrow(x, causal=True), wide(x, causal=True), **close)


def test_queries_and_keys_go_through_their_norms_before_they_are_turned():
    turned = []

    class Turn(nn.Module):
        def forward(self, x, offset=0):
            turned.append(x)
            return x

    module = attention(12, 4, key_value_heads=2, rotary=Turn(), head_norm=nn.RMSNorm)
    plain = attention(12, 4, key_value_heads=2)
    plain.qkv.load_state_dict(module.qkv.state_dict())
    x, memory = normal(2, 5, 12), normal(2, 7, 12, seed=1)
    bare = plain.project(x)
    expected = (module.query_norm(bare[0]), module.key_norm(bare[1]), bare[2])
    torch.testing.assert_close(module.project(x), expected, **close)
    torch.testing.assert_close(tuple(turned), expected[:2], **close)
    query, key, value = module.project(x, memory)
    bare_key, bare_value = plain.keys_values(memory)
    torch.testing.assert_close(query, expected[0], **close)
    torch.testing.assert_close((key, value), (module.key_norm(bare_key), bare_value), **close)


@pytest.mark.parametrize("shared", [1, 2])
@pytest.mark.parametrize("masked", ["no", "causal", "padding", "rows", "heads", "bias"])
def test_grouped_heads_are_multi_head_attention_with_equal_key_and_value_weights(shared, masked):
    grouped, whole = attention(12, 4, key_value_heads=shared), MultiHeadAttention(12, 4)
    for name in ("weight", "bias"):
        query, *kept = getattr(grouped.qkv, name).data.split(grouped.widths)
        kept = [
            k.unflatten(0, (shared, 3)).repeat_interleave(4 // shared, 0).flatten(0, 1)
            for k in kept
        ]
        setattr(whole.qkv, name, nn.Parameter(torch.cat([query, *kept])))
    whole.output = grouped.output
    x, memory = normal(2, 5, 12), normal(2, 7, 12, seed=1)
    given = {
        "no": {},
        "causal": {"causal": True},
        "padding": {"mask": padding_mask(torch.tensor([2, 4]), 7)},
        "rows": {"mask": normal(2, 1, 5, 7) > 0},
        "heads": {"mask": normal(2, 4, 5, 7) > 0, "score_bias": normal(4, 5, 7)},
        "bias": {"score_bias": normal(4, 1, 7)},
    }[masked]
    expected = whole(x, memory, **given)
    torch.testing.assert_close(grouped(x, memory, **given), expected, **close)
    if masked == "causal":
        given = {"mask": causal_mask(5, 7)}
    torch.testing.assert_close(grouped.with_weights(x, memory, **given)[0], expected, **close)


@pytest.mark.parametrize("shared", [3, 1])
def test_whoever_may_look_nowhere_gets_the_output_bias(shared):
    module, x, nothing = attention(12, 3, shared), normal(2, 5, 12), normal(2, 0, 12)
    expected = module.output.bias.expand(2, 5, -1)
    torch.testing.assert_close(module(x, nothing), expected, **close)
    torch.testing.assert_close(module.with_weights(x, nothing)[0], expected, **close)
    mask = torch.tensor([True, True, True, False, True])[:, None].expand(5, 5)
    torch.testing.assert_close(module(x, mask=mask)[:, 3], expected[:, 3], **close)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MultiHeadAttention(12, 5), "12 does not divide into 5"),
        (lambda: MultiHeadAttention(12, 4, key_value_heads=3), "4 does not divide into 3"),
        (lambda: attention(12, 3)(normal(2, 5, 8)), r"x has shape \(2, 5, 8\).*12"),
        (lambda: split_heads(normal(2, 5, 12), 5), r"\(2, 5, 12\).*H = 5"),
        (lambda: attention(12, 3)(normal(5, 12)), r"\(5, 12\).*batch dimension missing"),
        (lambda: attention(12, 3)(normal(2, 5, 12), normal(2, 5, 8)), r"memory.*\(2, 5, 8\)"),
        (
            lambda: attention(12, 3)(normal(2, 5, 12), mask=torch.ones(2, 5).bool()),
            r"\(2, 5\).*\(2, 3, 5, 5\)",
        ),
        (
            lambda: attend_grouped(normal(1, 4, 2, 3), normal(1, 3, 2, 3), normal(1, 3, 2, 3)),
            r"\(1, 4, 2, 3\) has 4 heads, key \(1, 3, 2, 3\) has 3",
        ),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(ShapeError, match=message):
        make()
