import math
from functools import partial

import pytest
import torch
from transformers import DeepseekV3Config
from transformers.models.deepseek_v3.modeling_deepseek_v3 import (
    DeepseekV3Attention,
    DeepseekV3RotaryEmbedding,
)

from headway.nn.block import Block, PreNorm
from headway.nn.feed_forward import FeedForward
from headway.nn.latent_attention import LatentAttention
from headway.nn.masks import causal_mask
from headway.nn.position import RotaryPosition, frequencies
from headway.shapes import ShapeError
from tests.nn.drawn import normal, rough

C, H, D, R, P = 24, 4, 6, 10, 4
close = {"atol": 1e-5, "rtol": 1e-5}


def made(pairs="halves"):
    return rough(LatentAttention(C, H, D, R, P, RotaryPosition(32, frequencies(P), pairs)))


@pytest.mark.parametrize("mask", [None, causal_mask(9), torch.ones(9, 9).bool().triu()])
@pytest.mark.parametrize("causal", [False, True])
def test_absorbed_keys_give_the_same_as_keys_that_are_made(mask, causal):
    attention, x = made(), normal(2, 9, C)
    given = (*attention.ask(x), *attention.store(x), mask, None, causal)
    expanded, absorbed = attention.attend_expanded(*given), attention.attend_absorbed(*given)
    torch.testing.assert_close(absorbed, expanded, **close)
    assert attention(x, mask, causal=causal).equal(expanded)


def test_the_two_ways_differ_by_rounding_only_with_a_bias_too():
    attention, x = made().double(), normal(2, 9, C).double()
    given = (*attention.ask(x), *attention.store(x), None, normal(4, 9, 9, seed=2).double(), True)
    difference = attention.attend_absorbed(*given) - attention.attend_expanded(*given)
    assert difference.abs().max() < 1e-12


def test_it_is_the_formula_of_the_paper():
    attention, x = made().double(), normal(1, 5, C).double()
    W_C, W_KR = attention.compress.weight.split((R, P))
    both = attention.expand.weight.view(H, 2, D, R)
    W_Q = attention.query.weight.view(H, D + P, C)
    rows = x[0] @ W_C.T
    c = rows / (rows.square().mean(-1, keepdim=True) + 1e-6).sqrt() * attention.norm.weight
    shared = attention.rotary(x[0] @ W_KR.T)
    heads = []
    for h in range(H):
        query, turned = x[0] @ W_Q[h, :D].T, attention.rotary(x[0] @ W_Q[h, D:].T)
        key, value = c @ both[h, 0].T, c @ both[h, 1].T
        scores = (query @ key.T + turned @ shared.T) / math.sqrt(D + P)
        heads.append(scores.softmax(-1) @ value)
    expected = torch.cat(heads, dim=-1) @ attention.output.weight.T
    torch.testing.assert_close(attention(x)[0], expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("way", ["attend_expanded", "attend_absorbed"])
def test_latents_kept_from_earlier_tokens_give_the_same_as_the_whole_text(way):
    attention, x = made(), normal(2, 9, C)
    attend, whole = getattr(attention, way), attention(x, causal=True)
    latents, keys = attention.store(x[:, :4])
    for t in range(4, 9):
        new = x[:, t : t + 1]
        latents, keys = (
            torch.cat(both, dim=1)
            for both in zip((latents, keys), attention.store(new, offset=t), strict=True)
        )
        step = attend(*attention.ask(new, offset=t), latents, keys, causal=True)
        torch.testing.assert_close(step[:, 0], whole[:, t], **close)
    assert latents[0, 0].numel() + keys[0, 0].numel() == R + P < 2 * H * D


def test_scores_know_the_distance_and_not_the_place():
    attention, x = made(), normal(1, 5, C)
    moved = attention.attend_expanded(*attention.ask(x, 7), *attention.store(x, 7), causal=True)
    torch.testing.assert_close(moved, attention(x, causal=True), **close)


def test_order_matters_only_through_the_shared_key():
    attention, x = made(), normal(1, 5, C)
    order = torch.tensor([3, 0, 4, 1, 2])
    assert not torch.allclose(attention(x)[:, order], attention(x[:, order]), atol=1e-3)
    with torch.no_grad():
        attention.compress.weight[R:] = 0  # the shared key says nothing
    torch.testing.assert_close(attention(x)[:, order], attention(x[:, order]), **close)


def test_it_stands_in_a_block_where_the_attention_does():
    block, x = Block(made(), FeedForward(C, 8), partial(PreNorm, C)), normal(2, 9, C)
    changed = x.clone()
    changed[:, 5] = 0
    before, after = block(x, causal=True), block(changed, causal=True)
    assert before[:, :5].equal(after[:, :5])
    assert not torch.allclose(before[:, 6:], after[:, 6:])


@pytest.mark.parametrize("pairs", ["interleaved", "halves"])
def test_it_is_the_attention_of_transformers_on_the_same_weights(pairs):
    config = DeepseekV3Config(
        hidden_size=C,
        num_attention_heads=H,
        num_key_value_heads=H,
        q_lora_rank=None,
        kv_lora_rank=R,
        qk_nope_head_dim=D,
        v_head_dim=D,
        qk_rope_head_dim=P,
        rope_interleave=pairs == "interleaved",
        attn_implementation="eager",
    )
    theirs, ours, x = rough(DeepseekV3Attention(config, 0)), made(pairs), normal(2, 9, C)
    named = {
        "q_proj": ours.query,
        "kv_a_proj_with_mqa": ours.compress,
        "kv_a_layernorm": ours.norm,
        "kv_b_proj": ours.expand,
        "o_proj": ours.output,
    }
    for name, module in named.items():
        module.load_state_dict(getattr(theirs, name).state_dict())
    turns = DeepseekV3RotaryEmbedding(config)(x, torch.arange(9)[None])
    mask = torch.zeros(9, 9).masked_fill(~causal_mask(9), -torch.inf)[None, None]
    torch.testing.assert_close(ours(x, causal=True), theirs(x, turns, mask)[0], **close)


def test_sizes_and_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="latent must be at least 1, got 0"):
        LatentAttention(C, H, D, 0, P, torch.nn.Identity())
    attention, x = made(), normal(2, 9, C)
    with pytest.raises(ShapeError, match=r"expected \(B, T, 24\)"):
        attention(torch.zeros(2, 9, C + 1))
    with pytest.raises(ShapeError, match=r"expected \(B, T, 24\)"):
        attention(torch.zeros(9, C))
    latents, keys = attention.store(x)
    for way in (attention.attend_expanded, attention.attend_absorbed):
        with pytest.raises(ShapeError, match="Was only one of them extended"):
            way(*attention.ask(x), latents, keys[:, :8])
