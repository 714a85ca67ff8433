"""Unmasking: a masked model writes, by filling a text of blanks one place at a time.

    [CLS] [MASK] [MASK] … [SEP]
    p = softmax(model(ids))        (B, T, V): a guess for every blank, in one pass
    of each text, the blank whose best word is surest gets a word, drawn from its row of p
    once more, until no blank is left

A model that has met few blanks among many words does this badly, one that was trained with any
share of blanks well. Text diffusion is this, with more than one place a pass.

Source: Ghazvininejad et al. 2019, for the surest places first; Sahoo et al. 2024 and Nie et al.
2025, for models that are trained to do it.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from headway.shapes import ShapeError


class Pass(NamedTuple):
    """What one pass of the model has filled in.

    Attributes:
        ids: (B, T) after it.
        at: (B,) the place in each text; -1 where no blank was left.
        probability: (B,) that the model gave the word which was drawn.
    """

    ids: Tensor
    at: Tensor
    probability: Tensor


@torch.no_grad()
def unmask(
    model: Callable[[Tensor], Tensor],
    ids: Tensor,
    mask_id: int,
    words: range,
    generator: torch.Generator,
) -> list[Pass]:
    """Fill all blanks, one place of each text a pass, the surest first.

    Args:
        model: ids (B, T) → logits (B, T, V).
        ids: (B, T) int; what is no blank stays as it is.
        mask_id: the id of a blank.
        words: the ids that may be filled in.
        generator: draws the words.

    Returns:
        a `Pass` for each pass, as many as the text with the most blanks has; none without blanks.

    Raises:
        ShapeError: if ids are not (B, T).
        ValueError: if a blank may be filled in with a blank.
    """
    if ids.dim() != 2:
        raise ShapeError(f"ids {tuple(ids.shape)} must be (B, T), a row for each text")
    if mask_id in words:
        raise ValueError(f"the words that may be filled in, {words}, hold the id of a blank")
    rows, passes = torch.arange(len(ids)), []
    while (blank := ids == mask_id).any():
        p = model(ids)[..., words.start : words.stop].softmax(dim=-1)  # (B, T, words)
        at = p.amax(dim=-1).masked_fill(~blank, -1.0).argmax(dim=1)
        drawn = torch.multinomial(p[rows, at], 1, generator=generator)[:, 0]
        open_ = blank.any(dim=1)
        word = torch.where(open_, words.start + drawn, ids[rows, at])
        ids = ids.index_put((rows, at), word)
        passes.append(Pass(ids, at.where(open_, torch.tensor(-1)), p[rows, at, drawn]))
    return passes
