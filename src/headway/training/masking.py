"""Masking: the blanks that a masked model learns to fill in.

Of the tokens that may be chosen, a share of 0.15 is, each by its own draw. A chosen token

    with probability 0.8    is replaced by [MASK]
    with probability 0.1    is replaced by a random word
    with probability 0.1    stays as it is

and in all three cases the model is asked for the word that stood there. A model that met nothing
but [MASK] at the places it is asked about would learn nothing about words that it can see, and
later texts have no [MASK]. All other places are no targets: they would ask only for copying.

    inputs, targets = mask_tokens(ids, mask_id, range(specials, V), generator)
    loss = cross_entropy(model(inputs), targets)

Source: Devlin et al. 2019, section 3.1 and appendix A.1; Vincent et al. 2008, for learning by
mending what was damaged.
"""

import torch
from torch import Tensor

from headway.shapes import ShapeError
from headway.training.loss import IGNORE


def mask_tokens(
    ids: Tensor,
    mask_id: int,
    words: range,
    generator: torch.Generator,
    maskable: Tensor | None = None,
    share: float = 0.15,
    masked: float = 0.8,
    replaced: float = 0.1,
) -> tuple[Tensor, Tensor]:
    """Inputs with blanks, and the words that belong there.

    Args:
        ids: int (..., T).
        mask_id: the id of [MASK].
        words: the ids that are words; what else is in the text (special tokens, padding) is never
            chosen, and random words are drawn from them.
        generator: decides; the draws are made on its device. Draw anew in each epoch.
        maskable: bool (..., T), True where a token may be chosen; wherever it is a word if not
            given.
        share: of these tokens that are chosen.
        masked, replaced: of the chosen ones, the shares that become [MASK] and a random word.

    Returns:
        inputs (..., T), of the type of ids; targets (..., T), int64: the original id where a token
        was chosen, `IGNORE` elsewhere.

    Raises:
        ValueError: if a share is not in 0 … 1, masked and replaced are more than 1 together, or
            words is empty, has steps, or holds the id of [MASK].
        ShapeError: if maskable has not the shape of ids.
        TypeError: if maskable is not boolean.
    """
    if not 0 <= share <= 1 or min(masked, replaced) < 0 or masked + replaced > 1 + 1e-9:
        raise ValueError(
            "expected shares in 0 … 1, masked and replaced together 1 at most, got "
            f"{share=}, {masked=}, {replaced=}"
        )
    if words.step != 1 or not words or mask_id in words:
        raise ValueError(
            f"words must be a range of ids one after the other, without that of [MASK], {mask_id}; "
            f"got {words}. Special symbols come before the words or after them."
        )
    may = (ids >= words.start) & (ids < words.stop)
    if maskable is not None:
        check_maskable(maskable, ids)
        may = may & maskable
    draw = torch.rand(ids.shape, generator=generator, device=generator.device).to(ids.device)
    others = torch.randint(
        words.start, words.stop, ids.shape, generator=generator, device=generator.device
    ).to(ids)
    # One draw decides both: below `share` a token is chosen, and how far below says what for.
    chosen = may & (draw < share)
    inputs = torch.where(chosen & (draw < share * (masked + replaced)), others, ids)
    inputs = inputs.masked_fill(chosen & (draw < share * masked), mask_id)
    return inputs, ids.long().masked_fill(~chosen, IGNORE)


def check_maskable(maskable: Tensor, ids: Tensor) -> None:
    """Raise unless `maskable` is boolean and has the shape of ids."""
    if maskable.dtype != torch.bool:
        raise TypeError(
            f"maskable has type {maskable.dtype}, expected torch.bool: True where a token may be "
            "chosen"
        )
    if maskable.shape != ids.shape:
        raise ShapeError(
            f"maskable {tuple(maskable.shape)} and ids {tuple(ids.shape)} differ; each token is "
            "chosen by itself. Is it a mask for attention, (B, 1, 1, T)?"
        )
