"""Word vectors learned by guessing neighbors: skip-gram (word2vec).

The model has two tables, E for words that are given and U for words that are guessed, and guesses
each context word from the center:

    h = E[center]        logits = h Uᵀ

It trains with either loss:

    full softmax        − ln softmax(h Uᵀ)[target]                       V dot products
    negative sampling   − ln σ(h·u_target) − Σ_j ln σ(−h·u_negative_j)   1 + K dot products

Given the center, skip-gram takes the context words as independent of each other, so a window is
just a set of pairs, and order within it is lost.

Shapes: B examples, K negatives, V words, C columns.

Source: Mikolov et al. 2013a (the model), Mikolov et al. 2013b (negative sampling).
"""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.nn.embedding import Embedding, embed
from headway.shapes import ShapeError
from headway.text.counts import window_pairs


class SkipGram(nn.Module):
    """Guesses the words around a word. The vectors to keep are `given.weight` (V, C).

    Args:
        size: V.
        width: C.
        generator: draws the start of both tables.
    """

    def __init__(self, size: int, width: int, generator: torch.Generator):
        super().__init__()
        self.given = Embedding(size, width, generator)
        self.guessed = Embedding(size, width, generator)

    def hidden(self, centers: Tensor) -> Tensor:
        """centers (B,) → h (B, C)."""
        return self.given(centers)

    def forward(self, centers: Tensor) -> Tensor:
        """centers (B,) → logits (B, V) over context words, for the full softmax."""
        return self.guessed.unembed(self.hidden(centers))


def negative_sampling_loss(
    hidden: Tensor, guessed: Tensor, targets: Tensor, negatives: Tensor
) -> Tensor:
    """How badly h tells the true word from words drawn at random.

    − ln σ(h·u_target) − Σ_j ln σ(−h·u_negative_j), the mean over the batch

    The logarithm is taken of each sigmoid, then summed. A negative that happens to *be* the
    target says the opposite of the first term; it is left out of the sum.

    Args:
        hidden: h (B, C), as a model's `hidden` gives it.
        guessed: U (V, C), the model's `guessed.weight`.
        targets: int64 (B,), the words that were there.
        negatives: int64 (B, K), words from `draw_negatives`.

    Returns:
        () in nats.

    Raises:
        ShapeError: if the batch shapes differ.
    """
    if not hidden.shape[:-1] == targets.shape == negatives.shape[:-1]:
        raise ShapeError(
            f"hidden {tuple(hidden.shape)}, targets {tuple(targets.shape)} and negatives "
            f"{tuple(negatives.shape)} must be (B, C), (B,) and (B, K) of one B"
        )
    words = torch.cat((targets[:, None], negatives), dim=1)  # (B, 1 + K)
    scores = (embed(words, guessed) @ hidden[:, :, None])[..., 0]  # (B, 1 + K)
    true, drawn = scores[:, 0], scores[:, 1:]
    noise = functional.logsigmoid(-drawn).masked_fill(negatives == targets[:, None], 0.0)
    return -(functional.logsigmoid(true) + noise.sum(dim=1)).mean()


def noise_distribution(counts: Tensor, power: float = 0.75) -> Tensor:
    """The distribution that negatives are drawn from: counts^power, scaled to sum to one.

    Args:
        counts: (V,), how often each word occurs.
        power: 1 draws words as often as the text has them, 0 all alike; 3/4 favors rare ones.

    Returns:
        (V,) float32.
    """
    weights = counts.float() ** power
    return weights / weights.sum()


def draw_negatives(
    noise: Tensor, targets: Tensor, number: int, generator: torch.Generator
) -> Tensor:
    """K independent words from the noise distribution (V,) for each target (B,): int64 (B, K).

    A draw may repeat, and may hit the target itself, which `negative_sampling_loss` leaves out.
    """
    drawn = torch.multinomial(noise, len(targets) * number, replacement=True, generator=generator)
    return drawn.view(len(targets), number)


def pairs(sentences: Iterable[Sequence[int]], left: int, right: int) -> tuple[Tensor, Tensor]:
    """Examples for `SkipGram`: every center with every word of its window.

    Args:
        sentences: lists of ids; no window reaches over the end of one.
        left: how many words before the center count.
        right: how many words after it count.

    Returns:
        centers (P,), contexts (P,), int64.

    Raises:
        ValueError: if a side is negative, or both are 0.
    """
    centers, contexts = window_pairs(sentences, left, right)
    return torch.from_numpy(centers), torch.from_numpy(contexts)
