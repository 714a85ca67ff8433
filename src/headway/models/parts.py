"""What the models share: their sizes, the blocks made from them, and the way in.

    ids (B, T) → embedding (B, T, C) → InputLayer: + position, norm, dropout → blocks → ...

`ModelConfig` holds numbers and names only, so that it can be printed, compared and saved; each
model has its own, with what it needs besides.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.nn.block import Block, PostNorm, PreNorm, SandwichNorm, Stack
from headway.nn.feed_forward import FeedForward, GatedFeedForward
from headway.nn.initialization import normal, scale_residual, xavier
from headway.nn.multihead import MultiHeadAttention
from headway.nn.position import (
    PAIRS,
    ConvolutionalPosition,
    EmbeddingPosition,
    HybridPosition,
    LearnedPosition,
    PartialRotaryPosition,
    RelativeBias,
    RotaryPosition,
    SinusoidalPosition,
    frequencies,
)
from headway.nn.rotary_scaling import Scaling
from headway.shapes import ShapeError

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "gelu-tanh": partial(functional.gelu, approximate="tanh"),
    "silu": functional.silu,
}
NORMS = {"pre": PreNorm, "post": PostNorm, "sandwich": SandwichNorm}
NORMALIZATIONS: dict[str, Callable[..., nn.Module]] = {"layer": nn.LayerNorm, "rms": nn.RMSNorm}
POSITIONS = ("none", "sinusoidal", "learned", "hybrid", "convolutional", "relative", "rotary")
INITIALIZATIONS = {"normal": normal, "xavier": xavier}


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """The sizes of a transformer, and its conventions.

    Args:
        vocabulary: V, the number of symbols.
        context: N, the longest text that can be read.
        width: C.
        heads: H; D = C/H.
        layers: the number of blocks; 0 leaves the embedding and what reads it.
        hidden, key_value_heads: M and G; 4·C and H if not given.
        dropout: on the embeddings and on what each sub-layer returns, in training.
        norm: "pre" (GPT-2), "post" (Vaswani et al. 2017, GPT-1, BERT) or "sandwich" (Gemma 2).
        normalization: "layer", or "rms" as in Llama (`headway.nn.norm`).
        epsilon: keeps the root in each norm away from zero.
        activation: of the feed-forward; one of `ACTIVATIONS`. "gelu-tanh" is GPT's approximation.
        gated: whether the feed-forward has a gate, which the activation is then for.
        bias: whether linear layers add biases; Llama's do not.
        qkv_bias: whether those of queries, keys and values do; as `bias` if not given. Qwen 2 has
            biases nowhere else.
        head_width: D, where it is not C/H.
        head_norm: whether queries and keys go through a norm of width D each, as in Qwen 3.
        position: one of `POSITIONS`.
        reach: of "relative", the largest distance with a number of its own, and of
            "convolutional" the number of words in a window.
        base: of "rotary", the base of the frequencies.
        pairs: of "rotary", which columns of a head make a pair (`headway.nn.position.PAIRS`).
        rotary_share: of "rotary", how much of each head is turned, its first columns.
        scaling: of "rotary", what reaches longer texts; one of `headway.nn.rotary_scaling`.
        initialization: how the weights are drawn: "normal", N(0, 0.02²), or "xavier".

    Raises:
        ValueError: if a number is too small, a share too large, a name is none of those above, or
            pairs are interleaved where nothing turns.
        ShapeError: once a model is made, if H does not divide C or G does not divide H.
    """

    vocabulary: int
    context: int
    width: int
    heads: int
    layers: int
    hidden: int | None = None
    key_value_heads: int | None = None
    dropout: float = 0.0
    norm: str = "pre"
    normalization: str = "layer"
    epsilon: float = 1e-5
    activation: str = "gelu"
    gated: bool = False
    bias: bool = True
    qkv_bias: bool | None = None
    head_width: int | None = None
    head_norm: bool = False
    position: str = "learned"
    reach: int = 16
    base: float = 10_000.0
    pairs: str = "halves"
    rotary_share: float = 1.0
    scaling: Scaling | None = None
    initialization: str = "normal"

    def __post_init__(self):
        for name in ("vocabulary", "context", "width", "heads", "reach", "hidden", "head_width"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} must be at least 1, got {number}")
        if self.layers < 0:
            raise ValueError(f"layers must be at least 0, got {self.layers}")
        if not 0 < self.rotary_share <= 1:
            raise ValueError(f"rotary_share must be above 0, at most 1; got {self.rotary_share}")
        choices: dict[str, Collection[str]] = {
            "norm": NORMS,
            "normalization": NORMALIZATIONS,
            "activation": ACTIVATIONS,
            "position": POSITIONS,
            "pairs": PAIRS,
            "initialization": INITIALIZATIONS,
        }
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{name} must be one of {', '.join(known)}; got {getattr(self, name)!r}"
                )
        if self.pairs != "halves" and self.position != "rotary":
            raise ValueError(
                f"pairs={self.pairs!r} says which columns rotary positions turn together, and "
                f'position={self.position!r} turns none. Was position="rotary" meant?'
            )

    @property
    def longest(self) -> int:
        """The longest text that N can be made for: N itself, or more with a scaling."""
        return self.context if self.scaling is None else self.scaling.longest(self.context)

    @property
    def shared_heads(self) -> int:
        """G, the number of key/value heads."""
        return self.heads if self.key_value_heads is None else self.key_value_heads

    @property
    def per_head(self) -> int:
        """D, the width of a head."""
        return self.width // self.heads if self.head_width is None else self.head_width

    @property
    def feed_forward_width(self) -> int:
        """M, the hidden width of the feed-forward."""
        return 4 * self.width if self.hidden is None else self.hidden

    def make_norm(self, width: int | None = None) -> nn.Module:
        """A norm of this width; of C if not given."""
        return NORMALIZATIONS[self.normalization](width or self.width, eps=self.epsilon)

    def make_residual(self) -> PreNorm:
        """The way around one sub-layer, with its norms and dropout."""
        return NORMS[self.norm](self.width, self.dropout, self.make_norm)

    def make_attention(self, rotary: nn.Module | None = None, **more) -> MultiHeadAttention:
        """Attention of H heads, with G for keys and values; `more` are further arguments of it."""
        return MultiHeadAttention(
            self.width,
            self.heads,
            self.key_value_heads,
            bias=self.bias if self.qkv_bias is None else self.qkv_bias,
            rotary=rotary,
            head_width=self.head_width,
            output_bias=self.bias,
            head_norm=self.make_norm if self.head_norm else None,
            **more,
        )

    def make_feed_forward(self) -> FeedForward | GatedFeedForward:
        """C → M → C."""
        kind = GatedFeedForward if self.gated else FeedForward
        activation = ACTIVATIONS[self.activation]
        return kind(self.width, self.feed_forward_width, activation, self.bias)

    def make_position(self, generator: torch.Generator) -> EmbeddingPosition | None:
        """What adds positions to the embeddings; None if they enter elsewhere, or not at all."""
        if self.position == "sinusoidal":
            return SinusoidalPosition(self.context, self.width)
        if self.position == "learned":
            return LearnedPosition(self.context, self.width, generator)
        if self.position == "hybrid":
            return HybridPosition(self.context, self.width)
        if self.position == "convolutional":
            return ConvolutionalPosition(self.width, self.reach, generator)
        return None

    def make_rotary(self) -> RotaryPosition | PartialRotaryPosition | None:
        """What turns queries and keys; one for all blocks, because it has no weights."""
        if self.position != "rotary":
            return None
        speeds, amplitude = frequencies(int(self.rotary_share * self.per_head), self.base), 1.0
        if self.scaling is not None:
            speeds, amplitude = self.scaling(speeds, self.context), self.scaling.amplitude
        turn = RotaryPosition(self.context, speeds, self.pairs, amplitude)
        return turn if self.rotary_share == 1 else PartialRotaryPosition(turn)

    def make_bias(self) -> RelativeBias | None:
        """What adds to the scores by distance; one for all blocks, as in T5."""
        return RelativeBias(self.heads, self.reach) if self.position == "relative" else None

    def make_blocks(self) -> Iterator[Block]:
        """Blocks without cross-attention, as many as there are layers."""
        rotary = self.make_rotary()
        for _ in range(self.layers):
            attention, feed_forward = self.make_attention(rotary), self.make_feed_forward()
            yield Block(attention, feed_forward, self.make_residual)

    def make_stack(self, blocks: Iterable[nn.Module], generator: torch.Generator) -> Stack:
        """Blocks with their weights drawn, and the final norm if they do not end in one."""
        stack = Stack(blocks, None if self.norm == "post" else self.make_norm())
        self.draw(stack, generator)
        if self.norm == "pre" and len(stack.blocks):
            scale_residual(stack)
        return stack

    def draw(self, model: nn.Module, generator: torch.Generator) -> None:
        """Draw the weights of linear layers anew, in place; see `headway.nn.initialization`."""
        INITIALIZATIONS[self.initialization](model, generator)


class InputLayer(nn.Module):
    """From embeddings to what the first block reads: positions, then perhaps a norm, then dropout.

    Args:
        position: one of the schemes of `headway.nn.position` that work on embeddings; None for
            models whose positions enter in the attention, or which have none.
        norm: after the sum, as in BERT and BART; None in the other models.
        dropout: the share of numbers that training sets to zero.
    """

    def __init__(
        self,
        position: EmbeddingPosition | None,
        norm: nn.Module | None = None,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.position = position
        self.norm = nn.Identity() if norm is None else norm
        self.dropout = nn.Dropout(dropout)

    @property
    def lookback(self) -> int:
        """How many embeddings before the new ones are read, for cached steps."""
        return 0 if self.position is None else self.position.lookback

    def forward(self, x: Tensor, offset: int | Tensor = 0, past: Tensor | None = None) -> Tensor:
        """(B, T, C) → (B, T, C).

        Args:
            x: embeddings.
            offset, past: where x stands and what stands before it, as in `EmbeddingPosition`.
        """
        if self.position is not None:
            x = self.position(x, offset, past)
        return self.dropout(self.norm(x))


def check_batch(ids: Tensor, name: str = "ids", rows: int | None = None) -> None:
    """Raise TypeError unless ids are a tensor, and ShapeError unless they are a batch of texts.

    Args:
        ids: (B, T).
        name: what the messages call them.
        rows: the B that they must have; any will do if not given.
    """
    if not isinstance(ids, Tensor):
        raise TypeError(
            f"{name} must be a tensor (B, T), got {type(ids).__name__}. Of the list of ids of one "
            "text, torch.tensor([ids]) makes a batch; of several, headway.models.padding.pad"
        )
    if ids.dim() != 2:
        cause = f"Is the batch dimension missing? {name}[None] adds it."
        if ids.dim() > 2:
            cause = "Are they vectors instead of ids?"
        raise ShapeError(
            f"{name} must have shape (B, T), got {tuple(ids.shape)}: a batch of texts. {cause}"
        )
    if rows is not None and len(ids) != rows:
        raise ShapeError(
            f"{name} {tuple(ids.shape)} go on with a batch of {rows} rows, expected ({rows}, T). "
            "Was the predictor made or used for other prompts? Make a new one."
        )


def parameter_count(model: nn.Module) -> int:
    """How many numbers a model learns; what is tied counts once."""
    return sum(math.prod(weight.shape) for weight in model.parameters())
