"""The masked model: a stack of blocks in which every token sees all others (BERT).

    x = norm(embedding(ids) + positions + segments)    (B, T) → (B, T, C)
    x = block(x), again and again                      (B, T, C), each token sees the whole text
    hidden = x                                         (B, T, C), a vector for each token in context

It is the language model of `headway.models.language_model` with the causal mask removed. Who sees
the whole text cannot be asked for the next token, so the task is another one: some tokens are
hidden in the input and to be filled in (`headway.training.masking` hides them). What is made of the
hidden states, words or classes, is the business of `headway.models.heads`.

Source: Devlin et al. 2019, section 3.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from headway.models.parts import InputLayer, ModelConfig, check_batch
from headway.nn.embedding import Embedding
from headway.shapes import ShapeError


@dataclass(frozen=True, kw_only=True)
class MaskedModelConfig(ModelConfig):
    """The sizes of a `MaskedModel`; the other arguments are those of `ModelConfig`.

    Args:
        segments: how many kinds of segments there are, each with a vector that is added to its
            tokens; BERT tells a first sentence from a second. 0 for none.
        embedding_norm: whether a norm follows the sum of embeddings, as in BERT.

    Raises:
        ValueError: also if `segments` is below 0.
    """

    segments: int = 0
    embedding_norm: bool = False

    def __post_init__(self):
        super().__post_init__()
        if self.segments < 0:
            raise ValueError(f"segments must be at least 0, got {self.segments}")


BERT_BASE = MaskedModelConfig(
    vocabulary=30_522,
    context=512,
    width=768,
    heads=12,
    layers=12,
    dropout=0.1,
    norm="post",
    epsilon=1e-12,
    segments=2,
    embedding_norm=True,
)
CONFIGS = {
    "bert-base": BERT_BASE,
    "bert-large": replace(BERT_BASE, width=1024, heads=16, layers=24),
}


class Encoder(nn.Module):
    """What a model of words and a model of image patches share: all that follows the embedding.

    Args:
        config: the sizes.
        generator: draws the weights, on the CPU; same seed, same weights.
        norm: after the sum of embeddings and positions; none if not given.
    """

    def __init__(
        self, config: ModelConfig, generator: torch.Generator, norm: nn.Module | None = None
    ):
        super().__init__()
        self.config = config
        self.input = InputLayer(config.make_position(generator), norm, config.dropout)
        self.relative_bias = config.make_bias()
        self.stack = config.make_stack(config.make_blocks(), generator)

    def encode(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Hidden states (B, T, C) of embeddings x (B, T, C); the mask as in `MaskedModel`."""
        T = x.shape[1]
        bias = None if self.relative_bias is None else self.relative_bias(T, T)
        return self.stack(self.input(x), mask=mask, score_bias=bias)


class MaskedModel(Encoder):
    """Token ids in, a vector for each token out, which depends on the whole text.

        config = MaskedModelConfig(vocabulary=512, context=128, width=128, heads=4, layers=4)
        model = MaskedModel(config, torch.Generator())
        ids = pad([tokenizer.encode(text) for text in texts], padding)
        hidden = model(ids, token_mask(ids, padding))

    The names of its weights are those of a `LanguageModel`, whose state dict it can load where
    the sizes agree.

    Args:
        config: the sizes.
        generator: draws the weights, on the CPU; same seed, same weights.
    """

    def __init__(self, config: MaskedModelConfig, generator: torch.Generator):
        super().__init__(config, generator, config.make_norm() if config.embedding_norm else None)
        self.embedding = Embedding(config.vocabulary, config.width, generator)
        self.segment_embedding = (
            Embedding(config.segments, config.width, generator) if config.segments else None
        )

    def forward(
        self, ids: Tensor, mask: Tensor | None = None, segments: Tensor | None = None
    ) -> Tensor:
        """Hidden states (B, T, C).

        Args:
            ids: (B, T) int.
            mask: bool, broadcastable to (B, 1, T, T); hides padding, which stands on the right, as
                `token_mask(ids, padding)` does. Nothing is hidden if not given. The hidden states
                of the padding itself mean nothing.
            segments: (B, T) int, the kind of segment of each token; all 0 if not given.

        Raises:
            TypeError: if ids are no tensor of integers.
            ShapeError: if ids are not (B, T), T is beyond the context of positions that are tabled,
                or segments are not (B, T).
            ValueError: if segments are given to a model that has none.
            IndexError: if an id is not below V, or a segment not below their number.
        """
        check_batch(ids)
        x = self.embedding(ids)
        if self.segment_embedding is not None:
            x = x + self.segment_embedding(check_segments(segments, ids))
        elif segments is not None:
            raise ValueError(
                "segments were given to a model without them; its config needs segments=2, the "
                "number of their kinds"
            )
        return self.encode(x, mask)


def check_segments(segments: Tensor | None, ids: Tensor) -> Tensor:
    """Segments (B, T) for ids (B, T), zeros if None; raises ShapeError if the two do not fit."""
    if segments is None:
        return torch.zeros_like(ids)
    if segments.shape != ids.shape:
        raise ShapeError(
            f"segments {tuple(segments.shape)} and ids {tuple(ids.shape)} do not fit: each token "
            "belongs to one segment, (B, T)"
        )
    return segments
