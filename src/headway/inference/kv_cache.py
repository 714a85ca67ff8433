"""The key–value cache: what a decoder has computed for the words so far, kept for the next one.

A key and a value depend on their own token and on what comes before it, never on what comes
after, so while a text grows to the right they stay as they are. A query is used once, by its own
token. So the next token needs one row of the model, not T:

    q, k, v = project(x)        for the new tokens only, at their true positions
    K, V    = store k, v behind what is there
    output  = attention(q, K, V)

`KeyValueCache` is the memory: two tensors (B, G, N, D) a block, made once. `CachedAttention` is the
three lines above; it stands in each block for the attention, and the rest of the block is that of
training. `CachedLanguageModel` is the model made of these blocks; it gives the logits of the full
forward pass, to rounding, at every position (`headway.inference.cost` counts what that saves). It
is a `headway.inference.predictor.Predictor`; `headway.inference.fused` has the same with less
between the kernels, to decode with.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from headway.inference.cached_input import CachedInput
from headway.inference.predictor import check_evaluation, check_not_empty
from headway.models.language_model import LanguageModel
from headway.models.parts import check_batch
from headway.nn.block import Block, with_parts
from headway.nn.multihead import MultiHeadAttention
from headway.shapes import ShapeError


class KeyValueCache:
    """The keys and values of every block for the tokens read so far.

    Without a window there is a slot for each of `length` tokens. With one, the tokens beyond the
    newest W − 1 are never looked at again: 2·W slots are enough for any length, and when they are
    full the newest W − 1 move to the front. (A ring of W slots would do with half the memory; here
    keys stay in the order of their positions, as masks and distances count on.)

    Args:
        layers: the number of blocks.
        batch: B.
        heads: G, key/value heads.
        width: D of one head.
        length: N, the most tokens it must hold.
        window: W, how many tokens each query sees; None for all.
        like: a tensor with the device and the type of the model.
    """

    def __init__(
        self,
        layers: int,
        batch: int,
        heads: int,
        width: int,
        length: int,
        like: Tensor,
        window: int | None = None,
    ):
        slots = length if window is None else min(length, 2 * window)
        self.length, self.window = length, window
        self.hold(like.new_zeros(layers, batch, 2 * heads, slots, width))
        self.read = 0  # tokens so far
        self.used = 0  # slots that hold one

    def hold(self, store: Tensor) -> None:
        """Take a tensor (layers, B, 2·G, N, D) as the memory: keys first, values behind them."""
        self.store = store
        self.layers = list(store)
        self.keys, self.values = (list(half) for half in store.chunk(2, dim=2))

    def reserve(self, T: int) -> None:
        """Make room for T more tokens; call it once before the blocks `extend` their layers.

        Raises:
            ShapeError: if they do not fit.
        """
        slots = self.store.shape[3]
        if self.window is not None and self.used + T > slots and self.read + T <= self.length:
            kept = min(self.used, self.window - 1)
            moved = self.store[..., self.used - kept : self.used, :].clone()
            self.store[..., :kept, :] = moved
            self.used = kept
        if self.read + T > self.length or self.used + T > slots:
            raise ShapeError(
                f"{T} more tokens after {self.read} do not fit into a cache (B, G, N, D) = "
                f"{tuple(self.keys[0].shape)} for {self.length} tokens. Make it as long as the "
                "prompt and what is to follow, or feed the prompt in smaller pieces. Where it has "
                "the length of the model's context already, Uncached(model, context) can go on: it "
                "leaves out the oldest tokens."
            )

    def extend(self, layer: int, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Store the keys and values of T new tokens in one layer.

        Args:
            key, value: (B, G, T, D).

        Returns:
            keys, values (B, G, S, D) of the new tokens and all before them that are still held.
        """
        end = self.used + key.shape[2]
        keys, values = self.keys[layer], self.values[layer]
        keys[:, :, self.used : end] = key
        values[:, :, self.used : end] = value
        return keys[:, :, :end], values[:, :, :end]

    def advance(self, T: int) -> None:
        """Count T tokens as read, after every block has extended its layer by them."""
        self.read += T
        self.used += T

    def forget(self, T: int) -> None:
        """Take the newest T tokens back, as many as were read at once or fewer."""
        self.read -= T
        self.used -= T

    def select(self, rows: Tensor) -> None:
        """Go on with these sentences of the batch, (R,) int64, reordered, repeated or dropped."""
        before, (layers, B, *rest) = self.layers, self.store.shape
        if len(rows) != B:
            self.hold(self.store.new_zeros(layers, len(rows), *rest))
        # Layer by layer: what is copied in between stays small enough for the processor's cache.
        for now, old in zip(self.layers, before, strict=True):
            now[:, :, : self.used] = old[:, :, : self.used].index_select(0, rows)

    @property
    def bytes(self) -> int:
        """The memory that the cache takes, whether full or empty."""
        return self.store.numel() * self.store.element_size()


class CachedLanguageModel:
    """A language model that reads each token once, without gradients.

    Args:
        model: in evaluation mode.
        batch: B, the number of texts.
        length: N, the most tokens of prompt and continuation; the model's context if not given.
        starts: (B,) int, the lengths of the padding on the left of each prompt, as
            `headway.models.padding.pad_left` gives them; none if not given.
        chunk: the most tokens that go through the model at once; longer prompts come in pieces,
            which bounds the memory of the scores.

    Raises:
        ShapeError: if there is not one start for each text.
        ValueError: if the model is in training mode, or the length or the chunk below 1.
    """

    def __init__(
        self,
        model: LanguageModel,
        batch: int,
        length: int | None = None,
        starts: Tensor | None = None,
        chunk: int | None = None,
    ):
        check_evaluation(model)
        config = model.config
        width, weight = config.per_head, model.embedding.weight
        length = config.context if length is None else length
        if length < 1 or (chunk is not None and chunk < 1):
            raise ValueError(f"length and chunk must be at least 1, got {length=}, {chunk=}")
        if starts is not None and starts.shape != (batch,):
            raise ShapeError(
                f"starts {tuple(starts.shape)} do not fit a batch of {batch} texts: one start, the "
                "length of the padding on the left, for each"
            )
        size = (config.layers, batch, config.shared_heads, width, length)
        self.cache = KeyValueCache(*size, like=weight.detach(), window=config.cache_window)
        self.model, self.starts = model, starts
        window = config.cache_window
        pieces = (length, chunk, None if window is None else window + 1)
        self.chunk = min(piece for piece in pieces if piece is not None)
        self.input = CachedInput(model.input, batch, like=weight.detach())
        blocks = enumerate(model.stack.blocks)
        self.blocks = [self.cached_block(block, layer) for layer, block in blocks]

    @property
    def tokens_read(self) -> int:
        """Tokens read so far."""
        return self.cache.read

    @torch.inference_mode()
    def feed(self, ids: Tensor, causal: bool = True) -> Tensor:
        """Read new tokens and score what follows the last of them.

        Args:
            ids: (B, T) int, T at least 1; they follow all that was fed before.
            causal: whether each new token sees only what came before it; not so in a prompt that
                may see all of itself, fed in one piece.

        Returns:
            logits (B, V).

        Raises:
            ShapeError: if the cache cannot hold them, ids are not (B, T) with T ≥ 1, or the batch
                is another.
        """
        return self.model.predict(self.read(ids, causal)[:, -1])

    @torch.inference_mode()
    def read(self, ids: Tensor, causal: bool = True) -> Tensor:
        """Read new tokens; what the stack makes of each, (B, T, C)."""
        check_batch(ids, rows=self.cache.store.shape[1])
        check_not_empty(ids)
        if ids.shape[1] <= self.chunk:
            return self.read_piece(ids, causal)
        if not causal:
            raise ShapeError(
                f"ids {tuple(ids.shape)} come in pieces of {self.chunk}, and a piece cannot see "
                "the ones after it; a prompt that sees all of itself must fit into one"
            )
        return torch.cat([self.read_piece(piece) for piece in ids.split(self.chunk, dim=1)], dim=1)

    def read_piece(self, ids: Tensor, causal: bool = True) -> Tensor:
        """`read` for a piece that goes through the model at once."""
        model, cache, T = self.model, self.cache, ids.shape[1]
        cache.reserve(T)
        S = cache.used + T
        mask = self.mask(T, S)
        bias = None if model.relative_bias is None else model.relative_bias(T, S)
        x = self.run_blocks(self.embed(ids), mask, bias, causal)
        cache.advance(T)
        return model.stack.norm(x)

    def run_blocks(
        self, x: Tensor, mask: Tensor | None, score_bias: Tensor | None, causal: bool
    ) -> Tensor:
        """New tokens (B, T, C) through all blocks, (B, T, C); their room is reserved."""
        for block in self.blocks:
            x = block(x, mask=mask, score_bias=score_bias, causal=causal)
        return x

    def cached_block(self, block: Block, layer: int) -> Callable[..., Tensor]:
        """A block of the model, weights and all, whose attention looks back into the cache."""
        return with_parts(block, attention=CachedAttention(block.attention, self.cache, layer))

    def embed(self, ids: Tensor) -> Tensor:
        """(B, T) → (B, T, C): embeddings with positions that go on where the last ones ended."""
        x, offset = self.model.embed(ids), self.cache.read
        if self.starts is not None:
            offset = offset - self.starts  # (B,)
            places = offset[:, None] + torch.arange(ids.shape[1], device=ids.device)
            x = x * (places >= 0)[..., None]
        return self.input(x, offset)

    def mask(self, T: int, S: int) -> Tensor | None:
        """Which of the S tokens that are held are no padding, (B, 1, 1, S); T of them are new."""
        if self.starts is None:
            return None
        places = self.cache.read + T - S + torch.arange(S, device=self.starts.device)
        return (places >= self.starts[:, None])[:, None, None, :]

    @torch.inference_mode()
    def select(self, rows: Tensor) -> None:
        """Go on with these texts of the batch, (R,) int64, reordered, repeated or dropped."""
        self.cache.select(rows)
        if self.starts is not None:
            self.starts = self.starts[rows]
        self.input.select(rows)


class CachedAttention(nn.Module):
    """Self-attention of new tokens to themselves and to what the cache holds.

    Called as the attention in whose place it stands in a block.

    Args:
        attention: of the model.
        cache: room for the new tokens is reserved before a call.
        layer: which block's keys and values of the cache are its own.
    """

    def __init__(self, attention: MultiHeadAttention, cache: KeyValueCache, layer: int):
        super().__init__()
        self.attention, self.cache, self.layer = attention, cache, layer

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        score_bias: Tensor | None = None,
        causal: bool = True,
    ) -> Tensor:
        """(B, T, C) → (B, T, C), for T queries and S keys, of all tokens that are still held."""
        query, key, value = self.attention.project(x, offset=self.cache.read)
        key, value = self.cache.extend(self.layer, key, value)
        return self.attention.attend_heads(query, key, value, mask, score_bias, causal)
