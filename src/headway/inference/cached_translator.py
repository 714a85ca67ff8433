"""Decoding with a translator: one cache grows with the target, the other is made only once.

    self-attention     keys and values of the target    grow by one row a token
    cross-attention    keys and values of the memory    made once, before the first token

The memory does not change while the target is written, so each block projects it a single time:
S rows for the whole translation instead of S rows for each token. Only the queries of
cross-attention are new. `CachedTranslator` gives the logits of the full forward pass, to rounding,
at every position. It is a `headway.inference.predictor.Predictor`, whose prompt is the start symbol
(`headway.inference.fused_translator` has the same with less between the kernels):

    predictor = CachedTranslator(model, source, token_mask(source, padding))
    generate(predictor, torch.full((B, 1), start), steps, end=end)
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from headway.inference.cached_input import CachedInput
from headway.inference.kv_cache import CachedAttention, KeyValueCache
from headway.inference.predictor import check_evaluation, check_not_empty
from headway.models.parts import check_batch
from headway.models.translator import Translator
from headway.nn.block import DecoderBlock, with_parts
from headway.nn.multihead import MultiHeadAttention


class CachedTranslator:
    """A translator that reads its source once and each target token once, without gradients.

    Args:
        model: in evaluation mode.
        source: (B, S) int, encoded at once.
        mask: bool, broadcastable to (B, 1, 1, S), hides the padding of the source.
        length: N, the most target tokens, the start symbol included; the model's context if not
            given.
        chunk: the most tokens that go through the model at once; longer prompts come in pieces.

    Attributes:
        memories: (key, value) of each block's cross-attention, both (R, G, S, D) for R rows.
        sentences: int64 (R,), which source each row translates.

    Raises:
        ValueError: if the model is in training mode.
        ShapeError, IndexError: as `Translator.encode`.
    """

    def __init__(
        self,
        model: Translator,
        source: Tensor,
        mask: Tensor | None = None,
        length: int | None = None,
        chunk: int | None = None,
    ):
        check_evaluation(model)
        with torch.no_grad():
            memory = model.encode(source, mask)
            self.memories = []
            for block in model.decoder.stack.blocks:
                key, value = block.cross_attention.keys_values(memory)
                # Every step reads all of each head: its rows shall lie one after the other.
                self.memories.append((key.contiguous(), value.contiguous()))
        config, B = model.config, len(source)
        length = config.context if length is None else length
        if length < 1 or (chunk is not None and chunk < 1):
            raise ValueError(f"length and chunk must be at least 1, got {length=}, {chunk=}")
        size = (config.decoder_depth, B, config.shared_heads, config.per_head, length)
        self.cache = KeyValueCache(*size, like=memory)
        self.model, self.chunk = model, chunk
        self.mask = None if mask is None else mask.expand(B, 1, 1, source.shape[1])
        self.sentences = torch.arange(B, device=source.device)
        self.input = CachedInput(model.decoder.input, B, like=memory)
        blocks = enumerate(model.decoder.stack.blocks)
        self.blocks = [self.cached_block(block, layer) for layer, block in blocks]

    @property
    def tokens_read(self) -> int:
        """Target tokens read so far."""
        return self.cache.read

    @torch.inference_mode()
    def feed(self, ids: Tensor) -> Tensor:
        """Read new target tokens and score what follows the last of them.

        Args:
            ids: (B, T) int, T at least 1; they follow all that was fed before.

        Returns:
            logits (B, V).

        Raises:
            ShapeError: if the cache cannot hold them, ids are not (B, T) with T ≥ 1, or the batch
                is another.
        """
        return self.model.predict(self.read(ids)[:, -1])

    @torch.inference_mode()
    def read(self, ids: Tensor) -> Tensor:
        """Read new target tokens; what the decoder makes of each, (B, T, C)."""
        check_batch(ids, rows=len(self.sentences))
        check_not_empty(ids)
        if self.chunk is None or ids.shape[1] <= self.chunk:
            return self.read_piece(ids)
        return torch.cat([self.read_piece(piece) for piece in ids.split(self.chunk, dim=1)], dim=1)

    def read_piece(self, ids: Tensor) -> Tensor:
        """`read` for a piece that goes through the model at once."""
        decoder, cache, T = self.model.decoder, self.cache, ids.shape[1]
        cache.reserve(T)
        S = cache.used + T
        bias = None if decoder.relative_bias is None else decoder.relative_bias(T, S)
        x = self.run_blocks(self.embed(ids), bias)
        cache.advance(T)
        return decoder.stack.norm(x)

    def run_blocks(self, x: Tensor, score_bias: Tensor | None) -> Tensor:
        """New tokens (B, T, C) through all blocks, (B, T, C); their room is reserved."""
        for block, memory in zip(self.blocks, self.memories, strict=True):
            x = block(x, memory, memory_mask=self.mask, score_bias=score_bias)
        return x

    def cached_block(self, block: DecoderBlock, layer: int) -> Callable[..., Tensor]:
        """A block of the decoder, weights and all, that looks back into the cache.

        Where the block takes the memory, it takes the memory's key and value of its layer.
        """
        return with_parts(
            block,
            attention=CachedAttention(block.attention, self.cache, layer),
            cross_attention=CachedCrossAttention(block.cross_attention),
        )

    def embed(self, ids: Tensor) -> Tensor:
        """(B, T) → (B, T, C): embeddings with positions that go on where the last ones ended."""
        return self.input(self.model.embed(ids), self.cache.read)

    @torch.inference_mode()
    def select(self, rows: Tensor) -> None:
        """Go on with these rows of the batch, (R,) int64, reordered, repeated or dropped.

        Beams change places within their sentence at nearly every step. They share its memory, so
        that what belongs to the source then stays where it is.
        """
        self.cache.select(rows)
        self.input.select(rows)
        sentences = self.sentences[rows]
        # A GPU waits for this answer, as beam search does once a step anyway.
        if torch.equal(sentences, self.sentences):
            return
        self.sentences = sentences
        self.memories = [(key[rows], value[rows]) for key, value in self.memories]
        if self.mask is not None:
            self.mask = self.mask[rows]


class CachedCrossAttention(nn.Module):
    """Attention of new tokens to a memory whose keys and values were made before.

    Called as the attention in whose place it stands in a block, with these for the memory.

    Args:
        attention: of the model.
    """

    def __init__(self, attention: MultiHeadAttention):
        super().__init__()
        self.attention = attention

    def forward(
        self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor | None = None
    ) -> Tensor:
        """(B, T, C) → (B, T, C).

        Args:
            x: (B, T, C).
            memory: key and value (B, G, S, D), from `MultiHeadAttention.keys_values`.
            mask: bool, broadcastable to (B, 1, T, S).
        """
        return self.attention.attend_heads(self.attention.queries(x), *memory, mask=mask)
