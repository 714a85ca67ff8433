"""Batches as a function of the step: step n gets the same rows whenever and wherever it is asked.

    batches = Shuffled((sources, targets), size=64, seed=0)
    batches(0), batches(1), …

Nothing is remembered between two calls, so a run that is resumed at step n needs no position in the
data: it asks for batch n. A batch is a tensor, or a tuple, list or dict of tensors with the same
first dimension B; other values in it (the number of the step, say) pass through unchanged.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
import torch
from torch import Tensor

from headway.shapes import ShapeError

Batch = Any  # a tensor, or a tuple, list or dict that holds tensors


def generator_at(seed: int, step: int) -> torch.Generator:
    """The generator of one step of one run: seeded with a hash of both numbers, on the CPU."""
    mixed = np.random.SeedSequence((seed, step)).generate_state(1)[0]
    return torch.Generator().manual_seed(int(mixed))


class Shuffled:
    """Rows in a new random order each epoch; every row once an epoch, every batch full.

    The epochs follow each other without a gap: the batch that meets the end of one takes its last
    rows from the beginning of the next. So there is no short batch whose rows weigh more.

    Args:
        tensors: one or more tensors (N, ...) with the same N; row i of each belongs together.
        size: B, rows in a batch; may exceed N.
        seed: the same seed gives the same batches.

    Raises:
        TypeError: if `tensors` is one tensor, whose rows would be taken for tensors.
        ShapeError: if the tensors differ in N.
        ValueError: if there are no rows, or `size` or `seed` makes no sense.
    """

    def __init__(self, tensors: Sequence[Tensor], size: int, seed: int = 0):
        self.tensors = several(tensors)
        self.rows = count_rows(self.tensors)
        check_size(size, seed)
        self.size, self.seed = size, seed
        self.order = lru_cache(maxsize=2)(self.draw_order)  # two epochs may meet in a batch

    def draw_order(self, epoch: int) -> Tensor:
        """The rows of an epoch in its order, int64 (N,)."""
        return torch.randperm(self.rows, generator=generator_at(self.seed, epoch))

    def __call__(self, step: int) -> tuple[Tensor, ...]:
        """Batch number `step`, counted from 0: tensors (B, ...)."""
        position, end = step * self.size, (step + 1) * self.size
        parts = []
        while position < end:
            epoch, first = divmod(position, self.rows)
            parts.append(self.order(epoch)[first : first + end - position])
            position += len(parts[-1])
        rows = torch.cat(parts)
        return tuple(tensor[rows.to(tensor.device)] for tensor in self.tensors)


class Windows:
    """Pieces of a long text, each cut out at a random place, with what follows each token.

    Args:
        tokens: int64 (N,), the text.
        length: T, tokens in a piece; N must exceed it, since the targets stand one further on.
        size: B.
        seed: the same seed gives the same batches.

    Raises:
        TypeError: if `tokens` is no tensor.
        ShapeError: if `tokens` has another shape, or is too short for one piece.
        ValueError: if `length`, `size` or `seed` makes no sense.
    """

    def __init__(self, tokens: Tensor, length: int, size: int, seed: int = 0):
        check_size(size, seed)
        if length < 1:
            raise ValueError(f"a piece needs a token at least, got length={length}")
        if not isinstance(tokens, Tensor):
            raise TypeError(
                f"tokens must be a tensor (N,), got {type(tokens).__name__}; torch.tensor makes "
                "one of a list of ids"
            )
        if tokens.dim() != 1 or len(tokens) <= length:
            raise ShapeError(
                f"tokens {tuple(tokens.shape)} give no piece of {length} tokens with their "
                f"targets; expected one dimension of at least {length + 1}"
            )
        self.tokens, self.length, self.size, self.seed = tokens, length, size, seed

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """Inputs (B, T), and targets (B, T): the same piece, one token further on."""
        generator = generator_at(self.seed, step)
        starts = torch.randint(len(self.tokens) - self.length, (self.size, 1), generator=generator)
        places = (starts + torch.arange(self.length + 1)).to(self.tokens.device)
        pieces = self.tokens[places]  # (B, T + 1)
        return pieces[:, :-1], pieces[:, 1:]


def in_order(tensors: Sequence[Tensor], size: int) -> list[tuple[Tensor, ...]]:
    """All rows once, from the first to the last, for validation; the last batch may be short.

    Arguments and errors as for `Shuffled`.

    Returns:
        ⌈N/B⌉ tuples of tensors (B, ...), views of the tensors.
    """
    tensors = several(tensors)
    count_rows(tensors)
    check_size(size)
    return list(zip(*(tensor.split(size) for tensor in tensors), strict=True))


def move(batch: Batch, device: torch.device) -> Batch:
    """The batch with its tensors on a device."""
    return change(batch, lambda tensor: tensor.to(device, non_blocking=True))


def split(batch: Batch, parts: int) -> list[Batch]:
    """The batch cut along B into this many nearly equal parts, fewer where B is smaller.

    Raises:
        ShapeError: if its tensors differ in their first dimension.
    """
    if parts == 1:
        return [batch]
    rows = count_rows(tensors_of(batch))
    parts = min(parts, rows)
    cuts = [slice(rows * part // parts, rows * (part + 1) // parts) for part in range(parts)]
    return [change(batch, itemgetter(cut)) for cut in cuts]


def change(batch: Batch, each: Callable[[Tensor], Tensor]) -> Batch:
    """The batch with a function applied to every tensor in it."""
    if isinstance(batch, Tensor):
        return each(batch)
    if isinstance(batch, dict):
        return {name: change(part, each) for name, part in batch.items()}
    if isinstance(batch, (tuple, list)):
        parts = [change(part, each) for part in batch]
        return type(batch)(*parts) if hasattr(batch, "_fields") else type(batch)(parts)
    return batch


def tensors_of(batch: Batch) -> list[Tensor]:
    """Every tensor of a batch."""
    if isinstance(batch, dict):
        return tensors_of(list(batch.values()))
    if isinstance(batch, tuple | list):
        return [tensor for part in batch for tensor in tensors_of(part)]
    return [batch] if isinstance(batch, Tensor) else []


def several(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The tensors as a tuple.

    Raises:
        TypeError: if they are one tensor.
    """
    if isinstance(tensors, Tensor):
        raise TypeError(
            f"expected a tuple of tensors, got one tensor {tuple(tensors.shape)}. "
            "Is it a missing comma: (tensor,)?"
        )
    return tuple(tensors)


def count_rows(tensors: Sequence[Tensor]) -> int:
    """N, the first dimension that the tensors share.

    Raises:
        ShapeError: if they differ in it, or have none.
        ValueError: if there are no tensors, or no rows.
    """
    shapes = [tuple(tensor.shape) for tensor in tensors]
    if len({shape[:1] for shape in shapes}) > 1 or () in shapes:
        raise ShapeError(
            f"tensors of one batch need the same first dimension, got {shapes}. Row i of each must "
            "belong to the same example."
        )
    if not shapes or shapes[0][0] == 0:
        raise ValueError(f"expected tensors with a row at least, got {shapes}")
    return shapes[0][0]


def check_size(size: int, seed: int = 0) -> None:
    """Raise ValueError unless a batch has a row at least and the seed is not negative."""
    if size < 1 or seed < 0:
        raise ValueError(f"size must be at least 1 and seed at least 0, got {size=}, {seed=}")
