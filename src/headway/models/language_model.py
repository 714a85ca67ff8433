"""The language model: a stack of causal blocks that predicts each next token (GPT).

    x = embedding(ids) + positions           (B, T) → (B, T, C)
    x = block(x), again and again            (B, T, C), each token sees itself and what came before
    logits = norm(x) Wᵀ                      (B, T, V), position t scores the token at t + 1

With the embedding W *tied*, the same matrix reads and writes. `CONFIGS` holds published sizes;
`headway.models.hugging_face` loads their weights.

Source: Radford et al. 2018 (GPT-1) and 2019 (GPT-2); Touvron et al. 2023 (Llama 2).
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from headway.models.parts import InputLayer, ModelConfig, check_batch
from headway.nn.embedding import Embedding
from headway.nn.masks import combine, window_mask
from headway.shapes import ShapeError


@dataclass(frozen=True, kw_only=True)
class LanguageModelConfig(ModelConfig):
    """The sizes of a `LanguageModel`; the other arguments are those of `ModelConfig`.

    Args:
        tied: whether the embedding also scores the output; otherwise a second V × C matrix does.
        window: how many tokens each query sees, its own included and none after it; all if not
            given.

    Raises:
        ValueError: also if `window` is below 1.
    """

    tied: bool = True
    window: int | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.window is not None and self.window < 1:
            raise ValueError(f"window must be at least 1, got {self.window}")


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
        self.embedding = Embedding(config.vocabulary, config.width, generator)
        self.input = InputLayer(config.make_position(generator), dropout=config.dropout)
        self.relative_bias = config.make_bias()
        self.stack = config.make_stack(config.make_blocks(), generator)
        if not config.tied:
            self.output = nn.Linear(config.width, config.vocabulary, bias=False)
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
                `prefix_mask` that lets it do so in the prompt is the use for it.

        Raises:
            TypeError: if ids are no tensor of integers.
            ShapeError: if ids are not (B, T), T is beyond the context of positions that are tabled,
                or starts are not (B,).
            IndexError: if an id is not below V.
        """
        check_batch(ids)
        T = ids.shape[1]
        x = self.embedding(ids)
        if starts is None:
            x = self.input(x)
        else:
            tokens = token_places(starts, ids)  # (B, T)
            mask = combine(mask, tokens[:, None, None, :])
            x = self.input(x * tokens[..., None], -starts)
        if self.config.window is not None:
            mask = combine(mask, window_mask(self.config.window, T, device=ids.device))
        bias = None if self.relative_bias is None else self.relative_bias(T, T)
        return self.predict(self.stack(x, mask=mask, score_bias=bias, causal=causal))

    def predict(self, hidden: Tensor) -> Tensor:
        """Logits (..., V) from what the stack returns, (..., C)."""
        return self.embedding.unembed(hidden) if self.config.tied else self.output(hidden)


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
