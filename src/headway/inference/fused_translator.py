"""The translator's cached step with nothing between the kernels.

    self-attention → cross-attention → feed-forward, each with its norm and residual

Decoder blocks become plain functions, as those of the language model do in
`headway.inference.fused`, where the terms are set out. Cross-attention is new: its keys and values
were made once from the memory, so that a step projects queries only.

The numbers are those of `headway.inference.cached_translator`, where each step can be read; the
tests hold one against the other.
"""

from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional

from headway.inference.cached_translator import CachedTranslator
from headway.inference.fused import (
    Kernel,
    Step,
    fuse_attention,
    fuse_feed_forward,
    fuse_norm,
    fuse_residual,
)
from headway.inference.kv_cache import KeyValueCache
from headway.nn.block import DecoderBlock
from headway.nn.multihead import MultiHeadAttention, attend_grouped


@dataclass(slots=True, kw_only=True)
class TranslatorStep(Step):
    """A `Step` that also looks at a memory.

    memories are (key, value) of each block, (B, G, S, D); memory_mask is bool (B, 1, 1, S). Both
    belong to the step and not to the blocks, because they follow the rows that are selected.
    """

    memories: list[tuple[Tensor, Tensor]]
    memory_mask: Tensor | None = None


class FusedTranslator(CachedTranslator):
    """`CachedTranslator` on fused blocks: the same in all but time."""

    def cached_block(self, block: DecoderBlock, layer: int) -> Kernel:
        """A block of the decoder as one function, which looks back into the cache."""
        return fuse_decoder_block(block, self.cache, layer)

    def run_blocks(self, x: Tensor, score_bias: Tensor | None) -> Tensor:
        """New tokens (B, T, C) through all blocks, (B, T, C); their room is reserved."""
        (B, T, C), cache = x.shape, self.cache
        step = TranslatorStep(
            batch=B,
            tokens=T,
            offset=cache.read,
            start=cache.used,
            end=cache.used + T,
            score_bias=score_bias,
            causal=T > 1,
            memories=self.memories,
            memory_mask=self.mask,
        )
        x = x.view(B * T, C)
        for block in self.blocks:
            x = block(x, step)
        return x.view(B, T, C)


def fuse_decoder_block(block: DecoderBlock, cache: KeyValueCache, layer: int) -> Kernel:
    """`DecoderBlock.forward` with cached attentions, as a function of x and the step."""
    attention = fuse_attention(block.attention, cache, layer)
    cross_attention = fuse_cross_attention(block.cross_attention, layer)
    attend = fuse_residual(block.attention_residual, attention)
    look = fuse_residual(block.cross_residual, cross_attention)
    feed = fuse_residual(block.feed_forward_residual, fuse_feed_forward(block.feed_forward))
    return lambda x, step: feed(look(attend(x, step), step), step)


def fuse_cross_attention(attention: MultiHeadAttention, layer: int) -> Kernel:
    """Attention of new tokens to the memory of one layer."""
    H, G, D = attention.heads, attention.key_value_heads, attention.head_width
    weight, bias = attention.qkv.weight[: H * D], attention.qkv.bias  # of the queries alone
    bias = None if bias is None else bias[: H * D]
    norm = None if attention.query_norm is None else fuse_norm(attention.query_norm)
    out_weight, out_bias = attention.output.weight, attention.output.bias
    linear = functional.linear
    kernel = functional.scaled_dot_product_attention

    def attend(x: Tensor, step: TranslatorStep) -> Tensor:
        B, T = step.batch, step.tokens
        query = linear(x, weight, bias).view(B, T, H, D).transpose(1, 2)
        query = query if norm is None else norm(query)
        keys, values = step.memories[layer]
        if G == H:
            mixed = kernel(query, keys, values, step.memory_mask)
        else:
            mixed = attend_grouped(query, keys, values, step.memory_mask)
        return linear(mixed.transpose(1, 2).reshape(B * T, H * D), out_weight, out_bias)

    return attend
