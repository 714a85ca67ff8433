"""The language model: a stack of causal blocks that predicts each next token (GPT).

    x = embedding(ids) + positions           (B, T) → (B, T, C)
    x = block(x), again and again            (B, T, C), each token sees itself and what came before
    logits = norm(x) Wᵀ                      (B, T, V), position t scores the token at t + 1

With the embedding W *tied*, the same matrix reads and writes. `CONFIGS` holds published sizes;
`headway.models.hugging_face` loads their weights.

Source: Radford et al. 2018 (GPT-1) and 2019 (GPT-2); Touvron et al. 2023 (Llama 2);
Jiang et al. 2024 (Mixtral).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from headway.models.parts import ACTIVATIONS, InputLayer, ModelConfig, check_batch
from headway.nn.block import Block, ParallelBlock
from headway.nn.embedding import Embedding, RootWidthScale
from headway.nn.experts import MixtureOfExperts, check_active
from headway.nn.masks import combine
from headway.nn.soft_cap import soft_cap
from headway.shapes import ShapeError


@dataclass(frozen=True, kw_only=True)
class LanguageModelConfig(ModelConfig):
    """The sizes of a `LanguageModel`; the other arguments are those of `ModelConfig`.

    Args:
        tied: whether the embedding also scores the output; otherwise a second V × C matrix does.
        scaled: whether embeddings are multiplied by √C; see `RootWidthScale`.
        window: how many tokens each query sees, its own included and none after it; all if not
            given.
        global_blocks: the blocks, from 0, that have no window and see all; the others are local.
        local_base: of "rotary", the base in local blocks, without a scaling; as in global blocks if
            not given.
        parallel: whether attention and feed-forward of a block read the same (`ParallelBlock`).
        score_cap: the soft cap of the scores of attention; none if not given.
        logit_cap: that of the logits.
        experts: E, how many gated networks, of width M each, the tokens of a block choose among
            (`headway.nn.experts`); if not given, one feed-forward is for all.
        active_experts: k, how many of them each token uses.
        renormalized: whether the weights of the chosen add up to one.

    Raises:
        ValueError: also if `window` is below 1, a cap is not above 0, a global block is none or
            there is no window that it lacks, blocks are parallel that norm what they return, or
            experts have no gate or are fewer than a token uses.
    """

    tied: bool = True
    scaled: bool = False
    window: int | None = None
    global_blocks: tuple[int, ...] = ()
    local_base: float | None = None
    parallel: bool = False
    score_cap: float | None = None
    logit_cap: float | None = None
    experts: int | None = None
    active_experts: int = 2
    renormalized: bool = True

    def __post_init__(self):
        super().__post_init__()
        if self.window is not None and self.window < 1:
            raise ValueError(f"window must be at least 1, got {self.window}")
        for name in ("score_cap", "logit_cap"):
            if (cap := getattr(self, name)) is not None and not cap > 0:
                raise ValueError(f"{name} must be above 0, got {cap}")
        if outside := [block for block in self.global_blocks if not 0 <= block < self.layers]:
            raise ValueError(f"block {outside[0]} cannot be global: there are {self.layers}")
        if self.window is None and (self.global_blocks or self.local_base is not None):
            raise ValueError("global_blocks and local_base need a window: without one, all see all")
        if self.parallel and self.norm == "post":
            raise ValueError('parallel blocks norm what they read: norm="pre" or "sandwich"')
        if self.experts is not None:
            check_active(self.active_experts, self.experts)
            if not self.gated:
                raise ValueError(f"experts={self.experts} are gated networks, and need gated=True")

    @property
    def windows(self) -> tuple[int | None, ...]:
        """The window of each block; None where it sees all."""
        return tuple(
            None if layer in self.global_blocks else self.window for layer in range(self.layers)
        )

    @property
    def cache_window(self) -> int | None:
        """The window if all blocks have it; else None, as a cache must hold all tokens."""
        return None if self.global_blocks else self.window

    def make_rotaries(self) -> list[nn.Module | None]:
        """What turns queries and keys, for each block; those that turn alike share it."""
        usual = local = self.make_rotary()
        if self.local_base is not None:
            local = replace(self, base=self.local_base, scaling=None).make_rotary()
        return [usual if window is None else local for window in self.windows]

    def make_blocks(self) -> Iterator[Block]:
        """Causal blocks, as many as there are layers, each with its window."""
        kind = ParallelBlock if self.parallel else Block
        for rotary, window in zip(self.make_rotaries(), self.windows, strict=True):
            attention = self.make_attention(rotary, window=window, score_cap=self.score_cap)
            yield kind(attention, self.make_network(), self.make_residual)

    def make_network(self) -> nn.Module:
        """What works on each token by itself: the feed-forward, or a mixture of experts."""
        if self.experts is None:
            return self.make_feed_forward()
        return MixtureOfExperts(
            self.width,
            self.feed_forward_width,
            self.experts,
            self.active_experts,
            ACTIVATIONS[self.activation],
            self.bias,
            self.renormalized,
        )


GPT2 = LanguageModelConfig(
    vocabulary=50_257,
    context=1024,
    width=768,
    heads=12,
    layers=12,
    dropout=0.1,
    activation="gelu-tanh",
)
LLAMA = LanguageModelConfig(  # Llama 2 7B
    vocabulary=32_000,
    context=4096,
    width=4096,
    heads=32,
    layers=32,
    hidden=11_008,
    normalization="rms",
    activation="silu",
    gated=True,
    bias=False,
    position="rotary",
    tied=False,
)
MIXTRAL = replace(  # 8x7B
    LLAMA,
    context=32_768,
    hidden=14_336,
    key_value_heads=8,
    base=1_000_000.0,
    experts=8,
    active_experts=2,
)
CONFIGS = {
    "gpt-1": replace(GPT2, vocabulary=40_478, context=512, norm="post"),
    "gpt-2": GPT2,
    "gpt-2-medium": replace(GPT2, width=1024, heads=16, layers=24),
    "gpt-2-large": replace(GPT2, width=1280, heads=20, layers=36),
    "gpt-2-xl": replace(GPT2, width=1600, heads=25, layers=48),
    "llama-2-7b": LLAMA,
    "llama-3-8b": replace(
        LLAMA, vocabulary=128_256, context=8192, hidden=14_336, key_value_heads=8, base=500_000.0
    ),
    "mixtral-8x7b": MIXTRAL,
    "qwen-3-30b-a3b": replace(
        LLAMA,
        vocabulary=151_936,
        context=40_960,
        width=2048,
        layers=48,
        hidden=768,
        key_value_heads=4,
        head_width=128,
        head_norm=True,
        epsilon=1e-6,
        base=1_000_000.0,
        experts=128,
        active_experts=8,
    ),
}


class LanguageModel(nn.Module):
    """Token ids in, logits for the next token out, at every position at once.

        config = LanguageModelConfig(vocabulary=512, context=128, width=128, heads=4, layers=4)
        model = LanguageModel(config, torch.Generator())
        loss = cross_entropy(model(ids[:, :-1]), ids[:, 1:])

    Args:
        config: the sizes.
        generator: draws the weights, on the CPU; same seed, same weights.
    """

    def __init__(self, config: LanguageModelConfig, generator: torch.Generator):
        super().__init__()
        self.config = config
        C = config.width
        std = C**-0.5 if config.scaled else 0.02
        self.embedding = Embedding(config.vocabulary, C, generator, std)
        self.scale = RootWidthScale(C) if config.scaled else nn.Identity()
        self.input = InputLayer(config.make_position(generator), dropout=config.dropout)
        self.relative_bias = config.make_bias()
        self.stack = config.make_stack(config.make_blocks(), generator)
        if not config.tied:
            self.output = nn.Linear(C, config.vocabulary, bias=False)
            config.draw(self.output, generator)

    def forward(
        self,
        ids: Tensor,
        starts: Tensor | None = None,
        mask: Tensor | None = None,
        causal: bool = True,
    ) -> Tensor:
        """Logits (B, T, V); those at position t score the token at t + 1.

        Args:
            ids: (B, T) int.
            starts: (B,) int, where each text begins, for texts padded on the left; what stands
                before it is padding. Padding on the right needs nothing: no token sees it.
            mask: bool, broadcastable to (B, 1, T, T), hides more.
            causal: whether later tokens are hidden. Without it a model reads its own answers; a
                mask that lets it do so in the prompt is the use for it.

        Raises:
            TypeError: if ids are no tensor of integers.
            ShapeError: if ids are not (B, T), T is beyond the context of positions that are tabled,
                or starts are not (B,).
            IndexError: if an id is not below V.
        """
        check_batch(ids)
        T = ids.shape[1]
        x = self.embed(ids)
        if starts is None:
            x = self.input(x)
        else:
            tokens = token_places(starts, ids)  # (B, T)
            mask = combine(mask, tokens[:, None, None, :])
            x = self.input(x * tokens[..., None], -starts)
        bias = None if self.relative_bias is None else self.relative_bias(T, T)
        return self.predict(self.stack(x, mask=mask, score_bias=bias, causal=causal))

    def embed(self, ids: Tensor) -> Tensor:
        """Embeddings (..., C) of ids (...), still without positions."""
        return self.scale(self.embedding(ids))

    def predict(self, hidden: Tensor) -> Tensor:
        """Logits (..., V) from what the stack returns, (..., C)."""
        logits = self.embedding.unembed(hidden) if self.config.tied else self.output(hidden)
        cap = self.config.logit_cap
        return logits if cap is None else soft_cap(logits, cap)


def token_places(starts: Tensor, ids: Tensor) -> Tensor:
    """(B, T) bool, False at the padding before each text of ids (B, T) begins.

    Raises:
        ShapeError: if there is not one start for each text.
    """
    if starts.shape != ids.shape[:1]:
        raise ShapeError(
            f"starts {tuple(starts.shape)} and ids {tuple(ids.shape)} do not fit: one start, the "
            "length of the padding on the left, for each text"
        )
    return torch.arange(ids.shape[1], device=ids.device) >= starts[:, None]
