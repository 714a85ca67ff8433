"""Frequencies of rotary positions for texts longer than those that a model was trained on.

    LinearScaling     ω / factor                    all turn more slowly (Chen et al. 2023)
    LlamaScaling      ω / factor for slow pairs,    the fast ones stay as they are (Llama 3.1)
                      ω for fast ones

A pair of columns that turns once in λ = 2π/ω positions tells places apart that are less than λ
from each other. Fast pairs measure distances between near words, which are the same in a long text;
pairs that have not turned once within the trained context meet angles in a long text that they have
never seen, and are slowed down until these are the old ones.

A scaling is called with the frequencies ω (D/2,) and returns those to use.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

Scaling = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class LinearScaling:
    """Position interpolation: as if position p were p / factor.

    Args:
        factor: how many times longer the text may be, 1 or more.

    Raises:
        ValueError: if the factor is below 1.

    Source: Chen et al. 2023, "Extending Context Window of Large Language Models via Positional
    Interpolation".
    """

    factor: float

    def __post_init__(self):
        check_factor(self.factor)

    def __call__(self, speeds: Tensor) -> Tensor:
        """ω / factor, (D/2,)."""
        return speeds / self.factor


@dataclass(frozen=True, kw_only=True)
class LlamaScaling:
    """Slow pairs divided by `factor`, fast ones kept, and those in between mixed.

    With n = context · ω / 2π, the number of turns within the trained context, and the share
    s = (n − low) / (high − low) cut off at 0 and 1:

        ω ↦ (1 − s) ω / factor + s ω

    Args:
        factor: how many times slower the slowest pairs turn, 1 or more.
        low: pairs with at most this many turns are slowed down by the whole factor.
        high: pairs with at least this many turns stay as they are.
        context: tokens of the texts that the model was trained on before.

    Raises:
        ValueError: if the factor is below 1, low is not below high, or the context below 1.

    Source: Meta's Llama 3.1, `apply_scaling` in its published code.
    """

    factor: float
    low: float
    high: float
    context: int

    def __post_init__(self):
        check_factor(self.factor)
        if not 0 <= self.low < self.high or self.context < 1:
            raise ValueError(
                "low must be below high and the context at least 1, got "
                f"low={self.low}, high={self.high}, context={self.context}"
            )

    def __call__(self, speeds: Tensor) -> Tensor:
        """The scaled frequencies, (D/2,)."""
        turns = self.context * speeds / (2 * math.pi)
        share = ((turns - self.low) / (self.high - self.low)).clamp(0, 1)
        return (1 - share) * speeds / self.factor + share * speeds


def check_factor(factor: float) -> None:
    """Raise ValueError unless a factor stretches."""
    if factor < 1:
        raise ValueError(f"a scaling stretches: its factor must be 1 or more, got {factor}")
