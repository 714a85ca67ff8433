"""The cached step with nothing between the kernels.

A step for one token does so little arithmetic that calling modules takes as long as multiplying:
with C = 128, about half the time. Here each block becomes one plain function, made once, that
holds its weights and calls torch's kernels one after the other: no module calls, no checks, no
dropout, tokens of all sentences side by side in one matrix (B·T, C), residuals added in place.

The numbers are those of `headway.inference.kv_cache`, where each step can be read; the tests hold
one against the other. A function keeps the weights that its block had when it was made: changed in
place they are seen, replaced they are not. Forward hooks do not run.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.inference.kv_cache import CachedLanguageModel, KeyValueCache
from headway.nn.block import Block, ParallelBlock, PostNorm, PreNorm, SandwichNorm
from headway.nn.feed_forward import FeedForward, GatedFeedForward
from headway.nn.masks import combine, window_mask
from headway.nn.multihead import MultiHeadAttention, attend_grouped


@dataclass(slots=True)
class Step:
    """What all blocks share in one step: T new tokens for each of B sentences.

    The new tokens have positions from `offset` on and go into the slots from `start` to `end` − 1;
    mask, score_bias and causal are those of `attend_grouped`.
    """

    batch: int
    tokens: int
    offset: int
    start: int
    end: int
    mask: Tensor | None = None
    score_bias: Tensor | None = None
    causal: bool = True
    seen: dict[int, Tensor | None] = field(default_factory=dict)  # local blocks' masks, by window

    def mask_within(self, window: int | None, device: torch.device) -> Tensor | None:
        """The mask for blocks of this window, made by the first of them."""
        if window is None or (window >= self.end and (self.causal or self.tokens == 1)):
            return self.mask
        if window not in self.seen:
            mask = window_mask(window, self.tokens, self.end, device)
            self.seen[window] = combine(self.mask, mask)
        return self.seen[window]


Kernel = Callable[[Tensor, Any], Tensor]  # (B·T, C) and a Step → (B·T, C)


class FusedLanguageModel(CachedLanguageModel):
    """`CachedLanguageModel` on fused blocks: the same in all but time."""

    def cached_block(self, block: Block, layer: int) -> Kernel:
        """A block of the model as one function, which looks back into the cache."""
        return fuse_block(block, self.cache, layer)

    def run_blocks(
        self, x: Tensor, mask: Tensor | None, score_bias: Tensor | None, causal: bool
    ) -> Tensor:
        """New tokens (B, T, C) through all blocks, (B, T, C); their room is reserved."""
        (B, T, C), cache = x.shape, self.cache
        place = (cache.read, cache.used, cache.used + T)
        step = Step(B, T, *place, mask, score_bias, causal and T > 1)
        x = x.view(B * T, C)
        for block in self.blocks:
            x = block(x, step)
        return x.view(B, T, C)


def fuse_block(block: Block, cache: KeyValueCache, layer: int) -> Kernel:
    """`Block.forward` with `CachedAttention` for one layer, as a function of x and the step."""
    around, attention = block.attention_residual, fuse_attention(block.attention, cache, layer)
    behind, feed_forward = block.feed_forward_residual, fuse_feed_forward(block.feed_forward)
    if isinstance(block, ParallelBlock):
        found, made = fuse_update(around, attention), fuse_update(behind, feed_forward)
        return lambda x, step: found(x, step).add_(x).add_(made(x, step))
    attend, feed = fuse_residual(around, attention), fuse_residual(behind, feed_forward)
    return lambda x, step: feed(attend(x, step), step)


def fuse_residual(residual: PreNorm, sublayer: Kernel) -> Kernel:
    """The way around a sub-layer, whose result is a tensor of its own."""
    if isinstance(residual, PostNorm):
        norm = fuse_norm(residual.norm)
        return lambda x, step: norm(sublayer(x, step).add_(x))
    update = fuse_update(residual, sublayer)
    return lambda x, step: update(x, step).add_(x)


def fuse_update(residual: PreNorm, sublayer: Kernel) -> Kernel:
    """What a `PreNorm` or a `SandwichNorm` adds to x."""
    norm = fuse_norm(residual.norm)
    if not isinstance(residual, SandwichNorm):
        return lambda x, step: sublayer(norm(x), step)
    after = fuse_norm(residual.norm_after)
    return lambda x, step: after(sublayer(norm(x), step))


def fuse_norm(norm: nn.Module) -> Callable[[Tensor], Tensor]:
    """A norm as one call of its kernel; of another kind, as it is."""
    if isinstance(norm, nn.RMSNorm):
        rms_norm, shape, weight, eps = torch.rms_norm, norm.normalized_shape, norm.weight, norm.eps
        return lambda x: rms_norm(x, shape, weight, eps)
    if isinstance(norm, nn.LayerNorm):
        shape, weight, bias, layer_eps = norm.normalized_shape, norm.weight, norm.bias, norm.eps
        layer_norm = torch.layer_norm
        return lambda x: layer_norm(x, shape, weight, bias, layer_eps)
    return norm


def fuse_attention(attention: MultiHeadAttention, cache: KeyValueCache, layer: int) -> Kernel:
    """Self-attention of new tokens to themselves and to what the cache holds."""
    H, G, D = attention.heads, attention.key_value_heads, attention.head_width
    weight, bias = attention.qkv.weight, attention.qkv.bias
    out_weight, out_bias = attention.output.weight, attention.output.bias
    place, window, capped = fuse_place(attention), attention.window, attention.score_cap is not None
    linear = functional.linear
    kernel = functional.scaled_dot_product_attention

    def attend(x: Tensor, step: Step) -> Tensor:
        B, T, start, end = step.batch, step.tokens, step.start, step.end
        heads = linear(x, weight, bias).view(B, T, H + 2 * G, D).transpose(1, 2)
        query = heads[:, :H]
        if place is None:
            cache.layers[layer][:, :, start:end] = heads[:, H:]  # keys and values at once
        else:
            query, key = place(query, heads[:, H : H + G], step.offset)
            cache.keys[layer][:, :, start:end] = key
            cache.values[layer][:, :, start:end] = heads[:, H + G :]
        keys, values = cache.keys[layer][:, :, :end], cache.values[layer][:, :, :end]
        if capped:
            around = step.mask, step.score_bias, step.causal
            mixed, _ = attention.weigh_heads(query, keys, values, *around)
        else:
            mask = step.mask_within(window, x.device)
            if G == H and step.score_bias is None and not step.causal:
                mixed = kernel(query, keys, values, mask)
            else:
                mixed = attend_grouped(query, keys, values, mask, step.score_bias, step.causal)
        return linear(mixed.transpose(1, 2).reshape(B * T, H * D), out_weight, out_bias)

    return attend


def fuse_place(attention: MultiHeadAttention) -> Callable[..., tuple[Tensor, Tensor]] | None:
    """What queries and keys go through before they meet: their norms, their turn; None if nothing.

    Called with queries (B, H, T, D), keys (B, G, T, D) and the position of the first.
    """
    rotary = attention.rotary
    if attention.query_norm is None or attention.key_norm is None:
        if rotary is None:
            return None
        return lambda query, key, offset: (rotary(query, offset), rotary(key, offset))
    query_norm, key_norm = fuse_norm(attention.query_norm), fuse_norm(attention.key_norm)
    if rotary is None:
        return lambda query, key, offset: (query_norm(query), key_norm(key))
    return lambda query, key, offset: (
        rotary(query_norm(query), offset),
        rotary(key_norm(key), offset),
    )


def fuse_feed_forward(feed_forward: nn.Module) -> Kernel:
    """The two layers of the feed-forward, and its gate if it has one; of another kind, as it is."""
    if not isinstance(feed_forward, FeedForward | GatedFeedForward):
        return lambda x, step: feed_forward(x)
    expand, contract = feed_forward.expand, feed_forward.contract
    wide, wide_bias, narrow, narrow_bias = (
        expand.weight,
        expand.bias,
        contract.weight,
        contract.bias,
    )
    activation, linear = feed_forward.activation, functional.linear
    if not isinstance(feed_forward, GatedFeedForward):
        return lambda x, step: linear(activation(linear(x, wide, wide_bias)), narrow, narrow_bias)

    def gated(x: Tensor, step: Step) -> Tensor:
        gate, passed = linear(x, wide, wide_bias).chunk(2, dim=-1)
        return linear(activation(gate).mul_(passed), narrow, narrow_bias)

    return gated
