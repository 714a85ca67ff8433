"""One run of a language model over a text, kept so that it can be looked into afterwards.

    stream 0 = embedding(ids) + positions        (T, C)
    stream l = block l − 1 (stream l − 1)        (T, C), for l = 1 … L
    logits   = norm(stream L) Wᵀ                 (T, V)

The stream is kept after each block, (L + 1)·T·C numbers. Weights of attention, L·H·T² numbers, and
logits are computed from it when they are asked for. The logits of a stream before the last are what
the model would say if it ended there: the logit lens (nostalgebraist 2020).
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import torch
from torch import Tensor
from torch.nn import functional

from headway.explore.switches import switched_off
from headway.models.language_model import LanguageModel

MEASURES = ("previous", "itself", "first", "repeat")
AT_ONCE = 64  # positions whose logits are held at the same time


class Reading:
    """What a model made of one text.

    Args:
        model: in evaluation mode; runs once, in this call.
        ids: T ids, at least one.
        off: parts that are switched off (`headway.explore.switches`).

    Attributes:
        streams: L + 1 tensors (T, C).

    Raises:
        FloatingPointError: if the stream ends in numbers that are none.
    """

    @torch.inference_mode()
    def __init__(self, model: LanguageModel, ids: Sequence[int], off: Sequence[str] = ()):
        self.model, self.ids = model, list(ids)
        T, device = len(ids), model.embedding.weight.device
        self.around = {
            "score_bias": None if model.relative_bias is None else model.relative_bias(T, T),
            "causal": True,
        }
        with switched_off(model, off):
            x = model.input(model.embed(torch.tensor([self.ids], device=device)))
            self.streams = [x[0]]
            for block in model.stack.blocks:
                x = block(x, **self.around)
                self.streams.append(x[0])
        if not x.isfinite().all():
            raise FloatingPointError(f"{x.dtype} does not hold the numbers of this model")

    @torch.inference_mode()
    def logits(self, layer: int, places: Sequence[int]) -> Tensor:
        """Logits (n, V), float32, at n positions, if the stream ended at a layer in 0 … L."""
        return self.unembedded(self.streams[layer][list(places)])

    @torch.inference_mode()
    def lens(self, places: Sequence[int]) -> Iterator[Tensor]:
        """Logits (n, V) at n positions, as `logits`, for each layer from 0 to L.

        Several layers share one product with the embedding, which is the largest of the matrices.
        """
        rows, step = list(places), max(1, AT_ONCE // len(places))
        for start in range(0, len(self.streams), step):
            layers = [stream[rows] for stream in self.streams[start : start + step]]
            yield from self.unembedded(torch.stack(layers))

    def unembedded(self, hidden: Tensor) -> Tensor:
        """Logits (..., V), float32, of the stream (..., C) where it would end."""
        return self.model.predict(self.model.stack.norm(hidden)).float()

    @cached_property
    def losses(self) -> list[float]:
        """What each of the T − 1 tokens after the first cost, −ln p, in nats."""
        places, found = range(len(self.ids) - 1), []
        for start in range(0, len(places), AT_ONCE):
            piece = places[start : start + AT_ONCE]
            logits = self.logits(-1, piece)
            said = torch.tensor([self.ids[t + 1] for t in piece], device=logits.device)
            found += functional.cross_entropy(logits, said, reduction="none").tolist()
        return found

    @torch.inference_mode()
    def weights(self, layer: int) -> Tensor:
        """What each head of a block gives to each position: (H, T, T), float32, rows sum to one."""
        block = self.model.stack.blocks[layer]
        x = block.attention_residual.before(self.streams[layer][None])
        return block.attention.with_weights(x, **self.around)[1][0].float()

    def weights_at(self, at: int, to: int) -> list[list[float]]:
        """The weight that position `at` gives to `to`, by layer and head: L lists of H."""
        return [self.weights(layer)[:, at, to].tolist() for layer in range(self.layers)]

    @property
    def layers(self) -> int:
        """L."""
        return len(self.streams) - 1

    @cached_property
    def measures(self) -> dict[str, list[list[float]] | None]:
        """Mean weights of each head, by name: L lists of H numbers.

        "previous" is the weight on the token before, "itself" that on the token's own position,
        "first" that on the first token, and "repeat" that on the token which followed the latest
        earlier place of the same token. Each is a mean over the positions for which `looked_at`
        has a pair; None where it has none.
        """
        found = looked_at(self.ids).items()
        pairs = {name: tuple(zip(*each, strict=True)) for name, each in found if each}
        means = {name: [] for name in pairs}
        for layer in range(self.layers):
            weights = self.weights(layer)
            for name, (at, to) in pairs.items():
                means[name].append(weights[:, at, to].mean(dim=1).tolist())
        return dict.fromkeys(MEASURES) | means


def looked_at(ids: Sequence[int]) -> dict[str, list[tuple[int, int]]]:
    """The pairs (t, s) of positions that each measure of a head is the mean of."""
    T, latest, repeats = len(ids), {}, []
    for t, token in enumerate(ids):
        if token in latest:
            repeats.append((t, latest[token] + 1))
        latest[token] = t
    return {
        "previous": [(t, t - 1) for t in range(1, T)],
        "itself": [(t, t) for t in range(1, T)],  # the first token has no other to look at
        "first": [(t, 0) for t in range(2, T)],  # to the second it is the token before
        "repeat": repeats,
    }
