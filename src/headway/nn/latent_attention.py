"""Multi-head latent attention: keys and values of all heads made from one small vector a token.

    c      = norm(x W_C)                      the latent            (B, T, C) → (B, T, R)
    k_R    = turn(x W_KR)                     a key of width P that all heads share, (B, T, P)
    q, q_R = x W_Q, split into H heads        widths D and P; q_R is turned like k_R
    k, v   = c W_K, c W_V, split into H heads                       widths D and D
    scores = (q·k + q_R·k_R) / √(D + P)
    output = [softmax(scores_h) v_h …] W_O

A cache holds c and k_R: R + P numbers a token, where keys and values of their own take 2·H·D. The
positions must stay out of c: a rotation between W_K and W_Q would be another one for each distance,
and the two could not be joined as below. So they have a key of their own.

The keys need not be made at all. q·(c W_K) = (q W_Kᵀ)·c: each head's W_K is *absorbed* into its
query, which then meets the latent itself, and W_V is applied to the mixed latents. That is
multi-query attention with one wide key, (c, k_R), and one wide value, c. It gives the same, with
more work for each pair of tokens and none for each cached token.

DeepSeek-V2 makes the queries from a latent, too, which saves weights and no memory of a cache; here
they come from x, as in DeepSeek-V2-Lite.

Source: DeepSeek-AI 2024 (DeepSeek-V2), section 2.1.
"""

import math

import torch
from torch import Tensor, nn

from headway.nn.attention import attend, mix
from headway.nn.masks import causal_mask, combine
from headway.nn.multihead import check_tokens, merge_heads, split_heads
from headway.shapes import ShapeError


class LatentAttention(nn.Module):
    """Self-attention whose keys and values can be made again from one latent a token.

    Args:
        width: C.
        heads: H.
        head_width: D, of a key and of a value before positions.
        latent: R.
        rotary_width: P, how much wider queries and keys are by what is turned.
        rotary: turns vectors of width P by their positions; a `RotaryPosition` of P/2 frequencies.

    Raises:
        ValueError: if a width or the number of heads is below 1.
        ShapeError: when called with another width.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        head_width: int,
        latent: int,
        rotary_width: int,
        rotary: nn.Module,
    ):
        super().__init__()
        sizes = {"width": width, "heads": heads, "head_width": head_width}
        for name, size in (sizes | {"latent": latent, "rotary_width": rotary_width}).items():
            if size < 1:
                raise ValueError(f"{name} must be at least 1, got {size}")
        self.width, self.heads = width, heads
        self.query_widths = (head_width, rotary_width)
        self.stored_widths = (latent, rotary_width)
        self.query = nn.Linear(width, heads * sum(self.query_widths), bias=False)  # W_Q, by heads
        self.compress = nn.Linear(width, sum(self.stored_widths), bias=False)  # W_C, then W_KR
        self.norm = nn.RMSNorm(latent, eps=1e-6)
        self.expand = nn.Linear(latent, 2 * heads * head_width, bias=False)  # each head's W_K, W_V
        self.output = nn.Linear(heads * head_width, width, bias=False)  # W_O
        self.rotary = rotary

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        """Attend and mix, as a block calls its attention.

        Args:
            x: (B, T, C).
            mask: bool, broadcastable to (B, H, T, T); True where a query may look.
            score_bias: float, broadcastable to (B, H, T, T), added to the scores.
            causal: hide later keys, too.

        Returns:
            (B, T, C).
        """
        return self.attend_expanded(*self.ask(x), *self.store(x), mask, score_bias, causal)

    def ask(self, x: Tensor, offset: int = 0) -> tuple[Tensor, Tensor]:
        """Queries (B, H, T, D), and turned ones (B, H, T, P), of x (B, T, C) from `offset` on."""
        check_tokens("x", x, self.width)
        plain, turned = split_heads(self.query(x), self.heads).split(self.query_widths, dim=-1)
        return plain, self.rotary(turned, offset)

    def store(self, x: Tensor, offset: int = 0) -> tuple[Tensor, Tensor]:
        """What a cache keeps of x (B, T, C): latents (B, T, R) and shared keys (B, T, P)."""
        check_tokens("x", x, self.width)
        latents, keys = self.compress(x).split(self.stored_widths, dim=-1)
        return self.norm(latents), self.rotary(keys, offset)

    def attend_expanded(
        self,
        query: Tensor,
        turned: Tensor,
        latents: Tensor,
        keys: Tensor,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        """Multi-head attention on keys and values made from the latents.

        Args:
            query, turned: (B, H, T, D) and (B, H, T, P), of T tokens.
            latents, keys: (B, S, R) and (B, S, P), of S tokens, the T among them as the last.
            mask, score_bias, causal: as for `forward`, of T queries and S keys.

        Returns:
            (B, T, C).

        Raises:
            ShapeError: if there is not one shared key for each latent.
        """
        check_stored(latents, keys)
        key, value = split_heads(self.expand(latents), self.heads).chunk(2, dim=-1)
        shared = keys[:, None].expand(-1, self.heads, -1, -1)
        query, key = torch.cat((query, turned), dim=-1), torch.cat((key, shared), dim=-1)
        mask = visible(mask, query, keys) if causal else mask
        mixed, _ = attend(query, key, value, mask, score_bias)
        return self.output(merge_heads(mixed))

    def attend_absorbed(
        self,
        query: Tensor,
        turned: Tensor,
        latents: Tensor,
        keys: Tensor,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        """The same without making keys and values; arguments and results as `attend_expanded`."""
        check_stored(latents, keys)
        W_K, W_V = self.expand.weight.unflatten(0, (self.heads, -1)).chunk(2, dim=1)  # (H, D, R)
        mask = visible(mask, query, keys) if causal else mask
        absorbed, latents, keys = query @ W_K, latents[:, None], keys[:, None]  # (B, H, T, R)
        scores = (absorbed @ latents.mT + turned @ keys.mT) / math.sqrt(sum(self.query_widths))
        scores = scores if score_bias is None else scores + score_bias
        mixed, _ = mix(scores, latents, mask)  # (B, H, T, R)
        return self.output(merge_heads(mixed @ W_V.mT))


def visible(mask: Tensor | None, query: Tensor, keys: Tensor) -> Tensor | None:
    """A mask that also hides later tokens, for queries (…, T, D) and keys (…, S, P)."""
    return combine(mask, causal_mask(query.shape[-2], keys.shape[-2], query.device))


def check_stored(latents: Tensor, keys: Tensor) -> None:
    """Raise ShapeError unless latents (B, S, R) and shared keys (B, S, P) are as many."""
    if latents.dim() != 3 or keys.dim() != 3 or latents.shape[:2] != keys.shape[:2]:
        raise ShapeError(
            f"latents {tuple(latents.shape)} and keys {tuple(keys.shape)} do not fit: expected "
            "(B, S, R) and (B, S, P), one of each for every token. Was only one of them extended?"
        )
