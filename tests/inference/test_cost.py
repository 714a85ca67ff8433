from dataclasses import replace
from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from headway.inference.cost import (
    add_up,
    attention_crossover,
    block_flops,
    block_parameters,
    cache_bytes,
    cached_generation_flops,
    cached_step_flops,
    decoder_parameters,
    forward_flops,
    latent_cache_bytes,
    layer_crossover,
    score_bytes,
    uncached_generation_flops,
    uncached_step_flops,
)
from headway.inference.kv_cache import CachedLanguageModel
from headway.models.language_model import CONFIGS, LanguageModel, LanguageModelConfig
from headway.models.parts import parameter_count
from headway.nn.block import Block, PreNorm
from headway.nn.feed_forward import FeedForward
from headway.nn.latent_attention import LatentAttention
from headway.nn.multihead import MultiHeadAttention
from headway.nn.position import RotaryPosition, frequencies

SMALL = LanguageModelConfig(vocabulary=50, context=32, width=24, heads=6, layers=3)
GPT2 = CONFIGS["gpt-2"]


def counted(run):
    """FLOPs of a function's matrix products by torch's counter, which knows no fused CPU kernel."""
    plain = sdpa_kernel(SDPBackend.MATH)
    with plain, FlopCounterMode(display=False) as counter, torch.no_grad():
        run()
    return counter.get_total_flops()


def made(config):
    return LanguageModel(config, torch.Generator()).eval()


@pytest.mark.parametrize("G", [None, 2])
def test_a_blocks_parameters_are_those_of_a_block(G):
    block = Block(MultiHeadAttention(24, 6, G), FeedForward(24, 40), partial(PreNorm, 24))
    assert block_parameters(24, 40, 6, G) == parameter_count(block)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"hidden": 10, "key_value_heads": 2},
        {"tied": False, "norm": "post"},
        {"position": "rotary", "layers": 0},
        {"gated": True, "hidden": 30, "normalization": "rms", "bias": False},
        {"bias": False, "qkv_bias": True},
        {"head_width": 5, "key_value_heads": 2, "head_norm": True},
        {"head_width": 5, "head_norm": True, "normalization": "rms"},
        {"norm": "sandwich", "parallel": True},
        {"norm": "sandwich", "normalization": "rms", "tied": False},
        {"gated": True, "experts": 4},
        {"gated": True, "bias": False, "experts": 5, "active_experts": 1, "hidden": 10},
    ],
)
def test_a_decoders_parameters_are_those_of_a_language_model(changes):
    config = replace(SMALL, **changes)
    assert decoder_parameters(config) == parameter_count(made(config))
    with pytest.raises(ValueError, match="'relative' positions are not counted"):
        decoder_parameters(replace(config, position="relative"))


@pytest.mark.parametrize("G", [None, 2])
@given(T=st.integers(1, 9))
def test_a_blocks_flops_are_those_that_torch_counts(G, T):
    block = Block(MultiHeadAttention(24, 6, G), FeedForward(24, 40), partial(PreNorm, 24))
    ours = block_flops(T, T, 24, 40, 6, G)
    assert sum(ours) == counted(lambda: block(torch.zeros(1, T, 24)))
    explicit = counted(lambda: block.attention.with_weights(torch.zeros(1, T, 24)))
    assert ours.projections + ours.scores + ours.mixing == explicit
    assert ours.feed_forward == counted(lambda: block.feed_forward(torch.zeros(1, T, 24)))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"gated": True},
        {"head_width": 5, "key_value_heads": 2},
        {"gated": True, "experts": 5},
        {"gated": True, "experts": 5, "active_experts": 4},
    ],
)
def test_a_models_flops_are_those_that_torch_counts(changes):
    ids, config = torch.zeros(1, 9, dtype=torch.int64), replace(SMALL, **changes)
    assert sum(forward_flops(config, 9)) == counted(lambda: made(config)(ids))


def test_a_cached_steps_flops_are_those_that_torch_counts_and_a_window_bounds_them():
    cached = CachedLanguageModel(made(SMALL), batch=1, length=16)
    with torch.no_grad():
        cached.feed(torch.zeros(1, 8, dtype=torch.int64))
    step = counted(lambda: cached.feed(torch.zeros(1, 1, dtype=torch.int64)))
    assert step == sum(cached_step_flops(SMALL, 9))
    windowed = replace(SMALL, window=4)
    assert cached_step_flops(windowed, 3) == cached_step_flops(SMALL, 3)
    assert cached_step_flops(windowed, 30) == cached_step_flops(SMALL, 4)
    mixed = replace(windowed, global_blocks=(1,))  # whose cache keeps all, for all blocks
    assert cached_step_flops(mixed, 30) == cached_step_flops(SMALL, 30)


@given(st.integers(1, 8), st.integers(1, 8))
def test_the_steps_of_a_cached_generation_add_up_to_one_full_forward(prompt, new):
    # All work on new tokens is done once; only the pairs that a mask would hide are saved.
    last = prompt + new - 1
    cached = cached_generation_flops(SMALL, prompt, new)
    whole = forward_flops(SMALL, last, scored=new)
    assert cached.projections == whole.projections
    assert cached.feed_forward == whole.feed_forward
    assert cached.logits == whole.logits
    hidden = sum(last - length for length in range(prompt + 1, last + 1)) + prompt * (new - 1)
    assert whole.scores - cached.scores == 2 * hidden * SMALL.width * SMALL.layers


def test_generating_one_token_costs_the_same_with_and_without_a_cache():
    assert cached_generation_flops(GPT2, 7, 1) == uncached_generation_flops(GPT2, 7, 1)
    assert uncached_generation_flops(GPT2, 7, 2) == add_up(
        [uncached_step_flops(GPT2, 7), uncached_step_flops(GPT2, 8)]
    )
    for given_lengths in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="at least 1"):
            cached_generation_flops(GPT2, *given_lengths)


def test_caches_of_known_models():
    assert cache_bytes(12, 12, 64, length=1) == 36 * 2**10  # GPT-2 small
    assert cache_bytes(32, 32, 128, length=4096) == 2 * 2**30  # Llama 2 7B
    mistral = cache_bytes(32, 8, 128, length=100_000, window=4096)
    assert mistral == cache_bytes(32, 8, 128, length=4096) == 512 * 2**20
    assert cache_bytes(32, 8, 128, length=100, window=4096) == cache_bytes(32, 8, 128, 100)


@pytest.mark.parametrize("G", [None, 2])
def test_bytes_by_formula_are_the_bytes_that_are_made(G):
    config = replace(SMALL, key_value_heads=G)
    cached = CachedLanguageModel(made(config), batch=5, length=16)
    assert cached.cache.bytes == cache_bytes(3, G or 6, 4, 16, batch=5, item_bytes=4)
    assert score_bytes(2, 3, 5, 7) == torch.zeros(2, 3, 5, 7).nbytes


@given(st.integers(1, 6), st.sampled_from([1, 2, 3, 6]), st.integers(1, 50))
def test_at_the_crossover_both_sides_cost_the_same(D, G, M):
    H, C = 6, 6 * D
    n = attention_crossover(C, H, G)
    assert n == C + G * D
    flops = block_flops(int(n), int(n), C, M, H, G)
    assert flops.scores + flops.mixing == flops.projections
    n = layer_crossover(C, M, H, G)
    assert n == C + G * D + M
    flops = block_flops(int(n), int(n), C, M, H, G)
    assert flops.scores + flops.mixing == flops.projections + flops.feed_forward


def test_a_latent_takes_the_bytes_that_a_latent_attention_stores():
    rotary = RotaryPosition(16, frequencies(4))
    attention = LatentAttention(24, 6, 5, latent=10, rotary_width=4, rotary=rotary)
    stored = attention.store(torch.zeros(3, 7, 24))
    each = sum(kept.numel() * kept.element_size() for kept in stored)
    assert latent_cache_bytes(2, 10, 4, 7, batch=3, item_bytes=4) == 2 * each


def test_the_latents_of_deepseek_v2_take_as_much_as_two_and_a_quarter_heads():
    latent = latent_cache_bytes(60, 512, 64, length=1)
    assert latent == 67.5 * 2**10
    assert cache_bytes(60, 128, 128, length=1) == 3.75 * 2**20
    assert latent == 2.25 * cache_bytes(60, 1, 128, length=1)
