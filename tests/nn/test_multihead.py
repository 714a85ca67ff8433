import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from headway.nn.attention import attend
from headway.nn.interchange import load_from_torch, load_into_torch
from headway.nn.masks import causal_mask, padding_mask
from headway.nn.multihead import MultiHeadAttention, attend_grouped, merge_heads, split_heads
from headway.shapes import ShapeError

close = {"atol": 1e-5, "rtol": 1e-5}


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def attention(*given, **named):
    """A module with weights large enough for attention to be far from uniform."""
    module = MultiHeadAttention(*given, **named)
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=0.5, generator=generator)
    return module


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("masked", ["no", "causal", "padding"])
def test_agrees_with_torch_on_the_same_weights(bias, cross, masked):
    theirs = nn.MultiheadAttention(12, 3, bias=bias, batch_first=True)
    ours = attention(12, 3, bias=bias)
    load_into_torch(ours, theirs)
    x, memory = normal(2, 5, 12), normal(2, 7, 12, seed=1)
    memory = memory if cross else x
    S = memory.shape[1]
    mask = {
        "no": None,
        "causal": causal_mask(5, S),
        "padding": padding_mask(torch.tensor([2, 4]), S),
    }
    hide = {
        "no": {},
        "causal": {"attn_mask": ~causal_mask(5, S)},
        "padding": {"key_padding_mask": ~padding_mask(torch.tensor([2, 4]), S)[:, 0, 0]},
    }
    expected, weights = theirs(x, memory, memory, average_attn_weights=False, **hide[masked])
    given = (x, memory if cross else None, mask[masked])
    torch.testing.assert_close(ours(*given), expected, **close)
    output, ours_weights = ours.with_weights(*given)
    torch.testing.assert_close(output, expected, **close)
    torch.testing.assert_close(ours_weights, weights, **close)


def test_gradients_agree_with_torch():
    theirs = nn.MultiheadAttention(12, 3, batch_first=True)
    ours = MultiHeadAttention(12, 3)
    load_from_torch(ours, theirs)
    x = normal(2, 5, 12)
    ours(x, causal=True).square().sum().backward()
    theirs(x, x, x, attn_mask=~causal_mask(5), need_weights=False)[0].square().sum().backward()
    torch.testing.assert_close(ours.qkv.weight.grad, theirs.in_proj_weight.grad, **close)
    torch.testing.assert_close(ours.output.bias.grad, theirs.out_proj.bias.grad, **close)


@given(st.integers(0, 10_000))
def test_without_a_mask_permuted_tokens_give_permuted_outputs(seed):
    module, x = attention(12, 3), normal(2, 6, 12)
    order = torch.randperm(6, generator=torch.Generator().manual_seed(seed))
    torch.testing.assert_close(module(x[:, order]), module(x)[:, order], **close)


@given(st.integers(0, 5), st.integers(0, 10_000))
def test_a_causal_output_does_not_see_later_tokens(t, seed):
    module, x = attention(12, 3), normal(2, 6, 12)
    other = x.clone()
    other[:, t] += normal(12, seed=seed)
    for causal in ({"causal": True}, {"mask": causal_mask(6)}):
        before, after = module(x, **causal), module(other, **causal)
        assert before[:, :t].equal(after[:, :t])
        assert not torch.allclose(before[:, t], after[:, t])


def test_gradients_to_the_future_are_zero():
    x = normal(1, 6, 12).requires_grad_()
    (grad,) = torch.autograd.grad(attention(12, 3)(x, causal=True)[:, 2].sum(), x)
    assert (grad[:, 3:] == 0).all()
    assert (grad[:, :3].abs().sum(-1) > 0).all()


@given(st.integers(1, 4), st.integers(0, 4))
def test_more_padding_changes_nothing(length, more):
    module, x = attention(12, 3), normal(1, 5, 12)
    memory = normal(1, 4, 12, seed=1)
    padded = torch.cat([memory, normal(1, more, 12, seed=2)], dim=1)
    lengths = torch.tensor([length])
    expected = module(x, memory, padding_mask(lengths, 4))
    torch.testing.assert_close(
        module(x, padded, padding_mask(lengths, 4 + more)), expected, **close
    )


def test_one_head_with_an_identity_at_the_end_is_plain_attention():
    module = attention(8, 1, bias=False)
    nn.init.eye_(module.output.weight)
    x, memory = normal(2, 5, 8), normal(2, 7, 8, seed=1)
    W_Q, W_K, W_V = module.qkv.weight.split(8)
    mixed, weights = attend(x @ W_Q.T, memory @ W_K.T, memory @ W_V.T)
    output, ours = module.with_weights(x, memory)
    torch.testing.assert_close(output, mixed, **close)
    torch.testing.assert_close(ours[:, 0], weights, **close)
    torch.testing.assert_close(module(x, memory), mixed, **close)


def test_block_diagonal_weights_are_independent_heads():
    module, x = attention(12, 3, bias=False), normal(2, 5, 12)
    blocks = torch.block_diag(*[torch.ones(4, 4)] * 3)
    with torch.no_grad():
        module.qkv.weight *= blocks.repeat(3, 1)
        module.output.weight *= blocks
    alone = []
    for h in range(3):
        columns = slice(4 * h, 4 * h + 4)
        W_Q, W_K, W_V = (W[columns, columns] for W in module.qkv.weight.split(12))
        part = x[..., columns]
        mixed, _ = attend(part @ W_Q.T, part @ W_K.T, part @ W_V.T, causal_mask(5))
        alone.append(mixed @ module.output.weight[columns, columns].T)
    torch.testing.assert_close(module(x, causal=True), torch.cat(alone, dim=-1), **close)


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


@pytest.mark.parametrize("shared", [4, 2, 1])
@pytest.mark.parametrize("chunk", [1, 2])
def test_kept_keys_and_values_give_what_the_whole_sentence_gives(shared, chunk):
    module, x = attention(12, 4, key_value_heads=shared), normal(2, 6, 12)
    keys, values, steps = [], [], []
    for part in x.split(chunk, dim=1):
        query, key, value = module.project(part)
        keys.append(key)
        values.append(value)
        kept = torch.cat(keys, dim=2), torch.cat(values, dim=2)
        steps.append(module.attend_heads(query, *kept, causal=True))
    assert kept[0].shape == (2, shared, 6, 3)
    torch.testing.assert_close(torch.cat(steps, dim=1), module(x, causal=True), **close)


def test_heads_split_into_neighboring_columns_and_merge_back():
    x = normal(2, 5, 12)
    heads = split_heads(x, 3)
    assert heads.shape == (2, 3, 5, 4)
    assert heads[:, 1].equal(x[..., 4:8])
    assert merge_heads(heads).equal(x)


@pytest.mark.parametrize("shared", [3, 1])
def test_an_empty_memory_gives_the_output_bias(shared):
    module, x, nothing = attention(12, 3, shared), normal(2, 5, 12), normal(2, 0, 12)
    expected = module.output.bias.expand(2, 5, -1)
    torch.testing.assert_close(module(x, nothing), expected, **close)
    torch.testing.assert_close(module.with_weights(x, nothing)[0], expected, **close)


def test_a_query_that_may_look_nowhere_gets_the_output_bias():
    module, mask = attention(12, 3), torch.ones(5, 5, dtype=torch.bool)
    mask[3] = False
    output = module(normal(2, 5, 12), mask=mask)
    torch.testing.assert_close(output[:, 3], module.output.bias.expand(2, -1), **close)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MultiHeadAttention(12, 5), "12 does not divide into 5"),
        (lambda: MultiHeadAttention(12, 4, key_value_heads=3), "4 does not divide into 3"),
        (lambda: MultiHeadAttention(12, 0), "12 does not divide into 0"),
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
