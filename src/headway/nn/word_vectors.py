"""Word vectors learned by guessing neighbors: skip-gram and continuous bag of words (word2vec).

Both models have two tables, E for words that are given and U for words that are guessed, and differ
in what is given:

    skip-gram     h = E[center]                        guesses each context word
    CBOW          h = mean of E[context] in the window  guesses the center
    logits        h Uᵀ

and both train with either loss:

    full softmax        − ln softmax(h Uᵀ)[target]                       V dot products
    negative sampling   − ln σ(h·u_target) − Σ_j ln σ(−h·u_negative_j)   1 + K dot products

Given the center, skip-gram takes the context words as independent of each other, so a window is
just a set of pairs. Both models treat a window as a bag: order within it is lost.

Shapes: B examples, W places in a window, K negatives, V words, C columns.

Source: Mikolov et al. 2013a (models), Mikolov et al. 2013b (negative sampling).
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.nn.embedding import Embedding, embed
from headway.shapes import ShapeError
from headway.text.counts import stream, window_pairs


class TwoTables(nn.Module):
    """What both models are made of. The vectors to keep are `given.weight` (V, C).

    Args:
        size: V.
        width: C.
        generator: draws the start of both tables.
    """

    def __init__(self, size: int, width: int, generator: torch.Generator):
        super().__init__()
        self.given = Embedding(size, width, generator)
        self.guessed = Embedding(size, width, generator)


class SkipGram(TwoTables):
    """Guesses the words around a word; made of `TwoTables`."""

    def hidden(self, centers: Tensor) -> Tensor:
        """centers (B,) → h (B, C)."""
        return self.given(centers)

    def forward(self, centers: Tensor) -> Tensor:
        """centers (B,) → logits (B, V) over context words, for the full softmax."""
        return self.guessed.unembed(self.hidden(centers))


class ContinuousBagOfWords(TwoTables):
    """Continuous bag of words (CBOW): guesses a word from the mean of the words around it.

    Made of `TwoTables`.
    """

    def hidden(self, contexts: Tensor, present: Tensor) -> Tensor:
        """contexts (B, W), present bool (B, W) → h (B, C), the mean over the places present.

        A window without a single word gives zeros.

        Raises:
            ShapeError: if the two shapes differ.
        """
        if contexts.shape != present.shape:
            raise ShapeError(
                f"contexts {tuple(contexts.shape)} and present {tuple(present.shape)} differ; "
                f"`windows` makes them together"
            )
        vectors = self.given(contexts) * present[..., None]  # (B, W, C)
        return vectors.sum(dim=-2) / present.sum(dim=-1, keepdim=True).clamp(min=1)

    def forward(self, contexts: Tensor, present: Tensor) -> Tensor:
        """contexts (B, W), present bool (B, W) → logits (B, V) over centers."""
        return self.guessed.unembed(self.hidden(contexts, present))


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


def windows(
    sentences: Iterable[Sequence[int]], left: int, right: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Examples for `ContinuousBagOfWords`: every word with the window around it.

    A place beyond the end of the sentence holds id 0 and is not present. Words without any
    neighbor are left out.

    Args:
        sentences: lists of ids.
        left: how many words before the center count.
        right: how many words after it count; W = left + right.

    Returns:
        centers (n,) int64, contexts (n, W) int64 in the order of the text, present (n, W) bool.

    Raises:
        ValueError: if a side is negative, or both are 0.
    """
    if min(left, right) < 0 or left + right == 0:
        raise ValueError(f"the window needs a word on one side, got left={left}, right={right}")
    ids, sentence = stream(sentences)
    offsets = np.array([offset for offset in range(-left, right + 1) if offset])
    places = np.arange(len(ids))[:, None] + offsets  # (n, W)
    inside = np.clip(places, 0, max(0, len(ids) - 1))
    present = (places == inside) & (sentence[inside] == sentence[:, None])
    contexts = np.where(present, ids[inside], 0)
    kept = present.any(axis=1)
    ids, contexts, present = (torch.from_numpy(array[kept]) for array in (ids, contexts, present))
    return ids, contexts, present


def batches(
    examples: Sequence[Tensor], size: int, generator: torch.Generator
) -> Iterator[tuple[Tensor, ...]]:
    """One pass over examples in random order, `size` at a time; the last batch may be smaller.

    Args:
        examples: tensors of one length n, as `pairs` or `windows` gives them.
        size: B.
        generator: draws the order.

    Yields:
        Tuples of tensors (B, …), one for each of `examples`.

    Raises:
        ShapeError: if the lengths differ.
    """
    lengths = [len(part) for part in examples]
    if len(set(lengths)) != 1:
        raise ShapeError(f"examples have lengths {lengths}; each center needs its own context")
    for chosen in torch.randperm(lengths[0], generator=generator).split(size):
        yield tuple(part[chosen] for part in examples)
