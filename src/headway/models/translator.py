"""The translator: an encoder reads a source, a decoder writes a target while it looks at that::

    memory = encode(source)             (B, S) → (B, S, C), each source token sees the whole source
    logits = decode(target, memory)     (B, T) → (B, T, V), each target token sees itself, what came
                                        before it, and all of the memory

The encoder is that of `headway.models.masked_model`. The decoder is the language model of
`headway.models.language_model` with one more sub-layer in each block, whose queries come from the
target and whose keys and values from the memory. All blocks read the same memory: what the last
block of the encoder returns, normalized.

In training the decoder is given the target itself, moved one place to the right, and learns to say
each token from those before it. With the end symbol after each target, and padding after that
(`headway.models.padding`)::

    target = pad([[*sentence, end] for sentence in sentences], padding)   w_1   w_2 end padding
    read = shift_right(target, start)                                     start w_1 w_2 end
    logits = model(source, read, token_mask(source, padding))
    loss = cross_entropy(logits, target, smoothing=0.1, ignore_index=padding)

Source: Vaswani et al. 2017, section 3.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from headway.models.masked_model import Encoder
from headway.models.parts import InputLayer, ModelConfig, check_batch
from headway.nn.block import DecoderBlock
from headway.nn.embedding import Embedding, RootWidthScale
from headway.shapes import ShapeError


@dataclass(frozen=True, kw_only=True)
class TranslatorConfig(ModelConfig):
    """The sizes of a `Translator`; the other arguments are those of `ModelConfig`.

    Args:
        vocabulary: V, the number of target symbols; of source symbols too, if those have no
            number of their own.
        source_vocabulary: the number of source symbols, which then have an embedding of their own.
            If not given, both sides share one.
        context: N, the longest source and the longest target.
        layers: the number of blocks in the encoder.
        decoder_layers: of those in the decoder; as many as `layers` if not given.
        tied: whether the embedding of the target also scores the output.
        scaled: whether embeddings are multiplied by √C, and start at 1/√C: see `RootWidthScale`.
        embedding_norm: whether a norm follows the sum of embeddings and positions, as in BART.
        output_bias: whether a trained number for each symbol is added to its logits.

    Raises:
        ValueError: also if `source_vocabulary` is below 1, or `decoder_layers` below 0.
    """

    source_vocabulary: int | None = None
    decoder_layers: int | None = None
    tied: bool = True
    scaled: bool = False
    embedding_norm: bool = False
    output_bias: bool = False

    def __post_init__(self):
        super().__post_init__()
        for name, least in (("source_vocabulary", 1), ("decoder_layers", 0)):
            number = getattr(self, name)
            if number is not None and number < least:
                raise ValueError(f"{name} must be at least {least}, got {number}")

    @property
    def decoder_depth(self) -> int:
        """The number of blocks in the decoder."""
        return self.layers if self.decoder_layers is None else self.decoder_layers


# One vocabulary of about 37,000 byte pairs for English and German, tied three ways. The paper
# states no longest sentence; the sinusoids take no parameters, however many are tabled.
BASE = TranslatorConfig(
    vocabulary=37_000,
    context=1024,
    width=512,
    heads=8,
    layers=6,
    dropout=0.1,
    norm="post",
    activation="relu",
    position="sinusoidal",
    initialization="xavier",
    scaled=True,
)
CONFIGS = {"base": BASE, "big": replace(BASE, width=1024, heads=16, dropout=0.3)}


class Decoder(nn.Module):
    """All that follows the embedding of the target: positions, and blocks that read the memory.

    Args:
        config: the sizes.
        generator: draws the weights, on the CPU; same seed, same weights.
        norm: after the sum of embeddings and positions; none if not given.
    """

    def __init__(
        self, config: TranslatorConfig, generator: torch.Generator, norm: nn.Module | None = None
    ):
        super().__init__()
        self.config = config
        self.input = InputLayer(config.make_position(generator), norm, config.dropout)
        self.relative_bias = config.make_bias()
        rotary = config.make_rotary()
        blocks = (
            DecoderBlock(
                config.make_attention(rotary),
                config.make_attention(),  # source and target have no common positions to turn by
                config.make_feed_forward(),
                config.make_residual,
            )
            for _ in range(config.decoder_depth)
        )
        self.stack = config.make_stack(blocks, generator)

    def forward(self, x: Tensor, memory: Tensor, memory_mask: Tensor | None = None) -> Tensor:
        """Hidden states (B, T, C) of embeddings x (B, T, C), memory and mask as in `Translator`."""
        T = x.shape[1]
        bias = None if self.relative_bias is None else self.relative_bias(T, T)
        return self.stack(self.input(x), memory, memory_mask=memory_mask, score_bias=bias)


class Translator(nn.Module):
    """Source and target in, logits for each next target token out::

        model = Translator(TranslatorConfig(vocabulary=512, context=64, width=64, heads=4,
                                            layers=1), torch.Generator())
        logits = model(source, shift_right(target, start), token_mask(source, padding))

    Padding stands on the right. That of the source is hidden by the mask. That of the target needs
    none: it comes after the sentence, and no token sees what comes after it.

    Args:
        config: the sizes.
        generator: draws the weights, on the CPU; same seed, same weights.
    """

    def __init__(self, config: TranslatorConfig, generator: torch.Generator):
        super().__init__()
        self.config = config
        V, C = config.vocabulary, config.width
        std = C**-0.5 if config.scaled else 0.02
        self.embedding = Embedding(V, C, generator, std)  # of the target, or of both
        self.source_embedding = None
        if config.source_vocabulary is not None:
            self.source_embedding = Embedding(config.source_vocabulary, C, generator, std)
        self.scale = RootWidthScale(C) if config.scaled else nn.Identity()
        norms = [config.make_norm() if config.embedding_norm else None for _ in range(2)]
        self.encoder = Encoder(config, generator, norms[0])
        self.decoder = Decoder(config, generator, norms[1])
        if not config.tied:
            self.output = nn.Linear(C, V, bias=False)
            config.draw(self.output, generator)
        self.output_bias = nn.Parameter(torch.zeros(V)) if config.output_bias else None

    def forward(self, source: Tensor, target: Tensor, mask: Tensor | None = None) -> Tensor:
        """Logits (B, T, V); those at position t score the token after target[:, t].

        Args:
            source: (B, S) int.
            target: (B, T) int, what the decoder reads: a start symbol first (`shift_right`).
            mask: bool, broadcastable to (B, 1, 1, S), hides the source's padding from the encoder
                and from the decoder, as `token_mask(source, padding)` does.

        Raises:
            ShapeError: if source or target are no batch of sentences, are of different batches or
                longer than the context, or the mask does not fit the source.
            IndexError: if an id is not below V.
        """
        return self.decode(target, self.encode(source, mask), mask)

    def encode(self, source: Tensor, mask: Tensor | None = None) -> Tensor:
        """The memory (B, S, C) of source (B, S); mask and errors as in `forward`."""
        check_batch(source, "source")
        table = self.embedding if self.source_embedding is None else self.source_embedding
        return self.encoder.encode(self.scale(table(source)), mask)

    def decode(self, target: Tensor, memory: Tensor, mask: Tensor | None = None) -> Tensor:
        """Logits (B, T, V) of target (B, T) for a memory (B, S, C); the rest as in `forward`."""
        x = self.embed(target)
        if len(target) != len(memory):
            raise ShapeError(
                f"target {tuple(target.shape)} and memory {tuple(memory.shape)} differ in batch: "
                "each target needs the memory of its own source"
            )
        return self.predict(self.decoder(x, memory, mask))

    def embed(self, target: Tensor) -> Tensor:
        """Embeddings (B, T, C) of target (B, T), still without positions."""
        check_batch(target, "target")
        return self.scale(self.embedding(target))

    def predict(self, hidden: Tensor) -> Tensor:
        """Logits (..., V) from what the decoder returns, (..., C)."""
        logits = self.embedding.unembed(hidden) if self.config.tied else self.output(hidden)
        return logits if self.output_bias is None else logits + self.output_bias


def shift_right(target: Tensor, start: int) -> Tensor:
    """What the decoder reads while it learns to say the target (teacher forcing).

    shifted[t] = target[t − 1], shifted[0] = start

    The last token of each row falls off. In a row that is shorter than the others this is padding,
    and the end symbol stays among the inputs; what follows it is padding, which no loss counts.

    Args:
        target: (B, T) int, each sentence with its end symbol.
        start: the id of the start symbol, from which the first token is predicted. Some models take
            the end symbol or the padding for it.

    Returns:
        (B, T), a new tensor.

    Raises:
        ShapeError: if target is not (B, T).
    """
    check_batch(target, "target")
    shifted = target.roll(1, dims=1)
    shifted[:, :1] = start
    return shifted
