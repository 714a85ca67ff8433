"""The transformer block: attention moves information between tokens, a network works on each.

    pre-norm    x + Dropout(f(LayerNorm(x)))              (GPT-2)
    post-norm   LayerNorm(x + Dropout(f(x)))              (Vaswani et al. 2017, section 3.1)
    sandwich    x + Dropout(LayerNorm(f(LayerNorm(x))))   (Ding et al. 2021; Gemma 2)

for f = attention, then f = feed-forward; in a decoder with cross-attention to the encoder's
output between them. In a parallel block both read the same x. All shapes are (B, T, C): a block
can stand on a block.

A block of 2017 and one of today differ in their arguments (`headway.nn.norm`,
`headway.nn.feed_forward`, `headway.nn.multihead`):

    part         GPT-2                         Llama
    norm         PreNorm with LayerNorm        PreNorm with RMSNorm
    positions    added to the embeddings       rotary, in the attention
    heads        H keys and values             G ≤ H keys and values
    feed-forward FeedForward, GELU             GatedFeedForward, SiLU
    biases       in every layer                none

Dropout stands where the paper has it, on what a sub-layer returns. It is torch's, and draws from
the stream that `torch.manual_seed` starts; torch has no dropout that takes a generator.
"""

import copy
from collections.abc import Callable, Iterable
from typing import Any

from torch import Tensor, nn

from headway.nn.attention import check_width
from headway.nn.multihead import MultiHeadAttention


class PreNorm(nn.Module):
    """The way around a sub-layer f: x + Dropout(f(norm(x))); the input passes by unchanged.

        x = residual.after(x, f(residual.before(x)))

    Args:
        width: C.
        dropout: the share of f's outputs that training sets to zero.
        norm: makes the normalization from the width.
    """

    def __init__(
        self, width: int, dropout: float = 0.0, norm: Callable[[int], nn.Module] = nn.LayerNorm
    ):
        super().__init__()
        self.width = width
        self.norm = norm(width)
        self.dropout = nn.Dropout(dropout)

    def before(self, x: Tensor) -> Tensor:
        """What the sub-layer reads, (B, T, C), of x (B, T, C)."""
        check_width("x", x, self.width)
        return self.norm(x)

    def after(self, x: Tensor, update: Tensor) -> Tensor:
        """x (B, T, C) and what the sub-layer returned, (B, T, C), together: (B, T, C)."""
        return x + self.dropout(update)


class PostNorm(PreNorm):
    """norm(x + Dropout(f(x))): what leaves is normalized; all else is as in `PreNorm`."""

    def before(self, x: Tensor) -> Tensor:
        """What the sub-layer reads: x (B, T, C) itself."""
        check_width("x", x, self.width)
        return x

    def after(self, x: Tensor, update: Tensor) -> Tensor:
        """x (B, T, C) and what the sub-layer returned, (B, T, C), together: (B, T, C)."""
        return self.norm(x + self.dropout(update))


class SandwichNorm(PreNorm):
    """x + Dropout(norm(f(norm(x)))): one norm before f and another after it, with gains of its own.

    However large the numbers that f returns, what is added to x has the size of that gain.
    """

    def __init__(
        self, width: int, dropout: float = 0.0, norm: Callable[[int], nn.Module] = nn.LayerNorm
    ):
        super().__init__(width, dropout, norm)
        self.norm_after = norm(width)

    def after(self, x: Tensor, update: Tensor) -> Tensor:
        """x (B, T, C) and what the sub-layer returned, (B, T, C), together: (B, T, C)."""
        return x + self.dropout(self.norm_after(update))


class Block(nn.Module):
    """Self-attention, then feed-forward: an encoder's block, or with `causal` a GPT's.

        Block(MultiHeadAttention(C, H), FeedForward(C, M), partial(PreNorm, C, dropout=0.1))

    Args:
        attention: called as attention(x, mask=…, score_bias=…, causal=…).
        feed_forward: (B, T, C) → (B, T, C).
        residual: makes a `PreNorm`, `PostNorm` or `SandwichNorm`, called once for each sub-layer.
    """

    def __init__(
        self,
        attention: MultiHeadAttention,
        feed_forward: nn.Module,
        residual: Callable[[], PreNorm],
    ):
        super().__init__()
        self.attention = attention
        self.feed_forward = feed_forward
        self.attention_residual = residual()
        self.feed_forward_residual = residual()

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        """(B, T, C) → (B, T, C); mask, score_bias and causal as in `MultiHeadAttention`."""
        h = self.attention_residual.before(x)
        update = self.attention(h, mask=mask, score_bias=score_bias, causal=causal)
        x = self.attention_residual.after(x, update)
        update = self.feed_forward(self.feed_forward_residual.before(x))
        return self.feed_forward_residual.after(x, update)


class ParallelBlock(Block):
    """Self-attention and feed-forward side by side: both read x, and both are added to it.

        x + attention(norm(x)) + feed_forward(norm(x))

    The feed-forward does not see what the attention of its own block found, and need not wait for
    it. Each has a norm of its own. Arguments and shapes are those of `Block`.

    Source: Wang and Komatsuzaki 2021 (GPT-J); Black et al. 2022, section 2.1.2 (GPT-NeoX).
    """

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        """(B, T, C) → (B, T, C); mask, score_bias and causal as in `MultiHeadAttention`."""
        h = self.attention_residual.before(x)
        found = self.attention(h, mask=mask, score_bias=score_bias, causal=causal)
        made = self.feed_forward(self.feed_forward_residual.before(x))
        return self.feed_forward_residual.after(self.attention_residual.after(x, found), made)


class DecoderBlock(nn.Module):
    """Causal self-attention, cross-attention to a memory, then feed-forward.

    Args:
        attention: called as attention(x, mask=…, score_bias=…, causal=True).
        cross_attention: called as cross_attention(x, memory, mask=…).
        feed_forward: (B, T, C) → (B, T, C).
        residual: makes a `PreNorm` or `PostNorm`, called once for each sub-layer.
    """

    def __init__(
        self,
        attention: MultiHeadAttention,
        cross_attention: MultiHeadAttention,
        feed_forward: nn.Module,
        residual: Callable[[], PreNorm],
    ):
        super().__init__()
        self.attention = attention
        self.cross_attention = cross_attention
        self.feed_forward = feed_forward
        self.attention_residual = residual()
        self.cross_residual = residual()
        self.feed_forward_residual = residual()

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        score_bias: Tensor | None = None,
    ) -> Tensor:
        """One decoder block.

        Args:
            x: (B, T, C), the target side.
            memory: (B, S, C), what the encoder returns; every block reads the same.
            mask: bool, broadcastable to (B, 1, T, T), hides padding among the targets; that
                later targets are hidden goes without saying.
            memory_mask: bool, broadcastable to (B, 1, T, S), hides padding of the source.
            score_bias: float, broadcastable to (B, H, T, T), added to the self-attention's scores.

        Returns:
            (B, T, C).
        """
        h = self.attention_residual.before(x)
        update = self.attention(h, mask=mask, score_bias=score_bias, causal=True)
        x = self.attention_residual.after(x, update)
        update = self.cross_attention(self.cross_residual.before(x), memory, mask=memory_mask)
        x = self.cross_residual.after(x, update)
        update = self.feed_forward(self.feed_forward_residual.before(x))
        return self.feed_forward_residual.after(x, update)


def with_parts(block: nn.Module, **parts: nn.Module) -> nn.Module:
    """A block with other modules in the places named; all others, and so their weights, are shared.

        with_parts(block, attention=CachedAttention(block.attention, cache, layer))

    The block that is given stays as it is.
    """
    other = copy.copy(block)
    other._modules = {**block._modules, **parts}
    return other


class Stack(nn.Module):
    """Blocks one after the other, and a final norm.

    Args:
        blocks: modules that keep the shape (B, T, C); the same module twice shares its weights.
        norm: after the last block. Pre-norm needs one, because its blocks never normalize what
            they pass on; post-norm does not.
    """

    blocks: Any  # a ModuleList, which does not know the type of its modules

    def __init__(self, blocks: Iterable[nn.Module], norm: nn.Module | None = None):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.Identity() if norm is None else norm

    def forward(self, x: Tensor, *given, **named) -> Tensor:
        """(B, T, C) → (B, T, C); whatever else is given goes to every block."""
        for block in self.blocks:
            x = block(x, *given, **named)
        return self.norm(x)
