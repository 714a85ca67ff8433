"""Scheduled sampling: from the true words as inputs to the model's own, little by little.

Under teacher forcing a model never sees its own mistakes, which it will see when it generates
(exposure bias). So let an input be the true word with probability p, and with 1 − p the word that
the model would have said; p falls as training goes on (Bengio et al. 2015). A recurrent network
makes its words one after another; a transformer reads all inputs at once and needs two passes
(Mihaylova and Martins 2019, section 3)::

    with torch.no_grad():
        logits = model(inputs)                        # first pass, teacher forced
    inputs = mix_inputs(inputs, logits, p, generator)
    loss = cross_entropy(model(inputs), targets)      # second pass, which is trained
"""

import torch
from torch import Tensor

from headway.shapes import ShapeError


def mix_inputs(
    inputs: Tensor,
    logits: Tensor,
    probability: float,
    generator: torch.Generator,
    padding: int | None = None,
) -> Tensor:
    """Inputs of which some are what the model would have said there instead.

    The logits at position t − 1 predict the token at t, so the candidate for input t is the most
    likely token of position t − 1. Each input is kept or replaced by itself, at random. The first
    token, which nothing predicts, always stays; so does padding, and none is added.

    Args:
        inputs: int64 (B, T), the true inputs, a start symbol first.
        logits: (B, T, V), what the model gives for them; no gradient flows through the choice.
        probability: p, of keeping the true token.
        generator: decides which are kept; the draw is made on its device.
        padding: the id of the padding symbol, where there is one.

    Returns:
        int64 (B, T), a new tensor.

    Raises:
        ShapeError: if logits are not (B, T, V) for inputs (B, T).
        ValueError: if the probability is not in 0 … 1.

    Source: Mihaylova and Martins 2019, section 3.
    """
    if inputs.dim() != 2 or logits.dim() != 3 or logits.shape[:2] != inputs.shape:
        raise ShapeError(
            f"inputs {tuple(inputs.shape)} must be (B, T) and logits {tuple(logits.shape)} "
            "(B, T, V): one prediction for each input"
        )
    if not 0 <= probability <= 1:
        raise ValueError(f"a probability is in 0 … 1, got {probability}")
    draw = torch.rand(inputs.shape, generator=generator, device=generator.device)
    replace = draw.to(inputs.device) >= probability
    replace[:, :1] = False
    predicted = logits.argmax(dim=-1).roll(1, dims=1)  # (B, T); column 0 is never used
    if padding is not None:
        replace &= (inputs != padding) & (predicted != padding)  # a mask made of the ids stays
    return torch.where(replace, predicted, inputs)
