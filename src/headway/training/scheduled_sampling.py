"""Scheduled sampling: from the true words as inputs to the model's own, little by little.

Under teacher forcing a model never sees its own mistakes, which it will see when it generates
(exposure bias). So let an input be the true word with probability p, and with 1 − p the word that
the model would have said; p falls as training goes on (Bengio et al. 2015):

    linear            p(n) = max(floor, start − slope · n)
    exponential       p(n) = base^n
    inverse sigmoid   p(n) = k / (k + exp(n / k))

n counts the steps taken, from 0. A recurrent network makes its words one after another; a
transformer reads all inputs at once and needs two passes (Mihaylova and Martins 2019, section 3)::

    with torch.no_grad():
        logits = model(inputs)                        # first pass, teacher forced
    inputs = mix_inputs(inputs, logits, schedule(n), generator)
    loss = cross_entropy(model(inputs), targets)      # second pass, which is trained
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from headway.shapes import ShapeError


@dataclass(frozen=True)
class LinearDecay:
    """p(n) = max(floor, start − slope · n).

    Args:
        slope: what p loses a step, at least 0.
        start: p before the first step.
        floor: the least p, so that some truth is always left.

    Raises:
        ValueError: if not 0 ≤ floor ≤ start ≤ 1, or the slope is negative.

    Source: Bengio et al. 2015, section 2.4.
    """

    slope: float
    start: float = 1.0
    floor: float = 0.0

    def __post_init__(self):
        if not 0 <= self.floor <= self.start <= 1 or self.slope < 0:
            raise ValueError(
                f"expected 0 ≤ floor ≤ start ≤ 1 and a slope of at least 0, got {self}"
            )

    def __call__(self, taken: int) -> float:
        """The probability of the true word after `taken` steps."""
        return max(self.floor, self.start - self.slope * taken)


@dataclass(frozen=True)
class ExponentialDecay:
    """p(n) = base^n.

    Args:
        base: between 0 and 1; p halves every ln 2 / −ln base steps.

    Raises:
        ValueError: if the base is not in 0 … 1, 1 excluded.

    Source: Bengio et al. 2015, section 2.4.
    """

    base: float

    def __post_init__(self):
        if not 0 <= self.base < 1:
            raise ValueError(f"base must be at least 0 and below 1, got {self.base}")

    def __call__(self, taken: int) -> float:
        """The probability of the true word after `taken` steps."""
        return self.base**taken


@dataclass(frozen=True)
class InverseSigmoidDecay:
    """p(n) = k / (k + exp(n / k)): near 1 for long, then down; ½ at n = k ln k.

    Args:
        k: at least 1; p starts at k / (k + 1).

    Raises:
        ValueError: if k is below 1.

    Source: Bengio et al. 2015, section 2.4.
    """

    k: float

    def __post_init__(self):
        if self.k < 1:
            raise ValueError(f"k must be at least 1, got {self.k}")

    def __call__(self, taken: int) -> float:
        """The probability of the true word after `taken` steps."""
        weight = self.k * math.exp(-taken / self.k)  # k / exp(n/k), which cannot overflow
        return weight / (weight + 1)


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
