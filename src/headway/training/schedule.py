"""How large the steps are, step by step: warm up, then cool down.

A schedule is called with the number of optimizer steps already taken, n = 0, 1, 2, …, and returns
the factor by which the optimizer's learning rate is multiplied for the next one, which is how
`torch.optim.lr_scheduler.LambdaLR` calls it:

    LambdaLR(torch.optim.Adam(model.parameters(), lr=1.0), Noam(width=512, warmup=4_000))

The papers number steps from 1. At step zero Noam's formula would divide by zero, and a linear
warm-up would waste an update at rate zero; here the first update is the papers' step 1.

Schedules are small objects, not closures, so that LambdaLR writes their settings into its
state dict, and a resumed run goes on with the rates it stopped with.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Noam:
    """Linear warm-up, then decay by the inverse square root, scaled by the model's width.

    rate(s) = factor · C^(−1/2) · min(s^(−1/2), s · warmup^(−3/2)),  s = n + 1

    The two branches meet at s = warmup, where the rate is highest: factor / √(C · warmup). It is
    a rate, not a fraction of one: give the optimizer lr=1.

    Args:
        width: C.
        warmup: the number of steps that the rate rises, at least 1.
        factor: an overall scale.

    Raises:
        ValueError: if width or warmup is below 1.

    Source: Vaswani et al. 2017, eq. 3.
    """

    width: int
    warmup: int
    factor: float = 1.0

    def __post_init__(self):
        if self.width < 1 or self.warmup < 1:
            raise ValueError(
                f"width and warmup must be at least 1, got width={self.width}, warmup={self.warmup}"
            )

    def __call__(self, taken: int) -> float:
        """The learning rate after `taken` steps; 0 taken is the paper's step 1."""
        step = taken + 1
        return self.factor * self.width**-0.5 * min(step**-0.5, step * self.warmup**-1.5)


@dataclass(frozen=True)
class Cosine:
    """Linear warm-up to 1, then half a cosine down to the floor at step `total`, and flat after.

    s ≤ warmup:  s / warmup,                                 s = n + 1
    s > warmup:  floor + (1 − floor) · (1 + cos(π · r)) / 2,   r = (s − warmup) / (total − warmup)

    Args:
        warmup: the number of steps that the rate rises; 0 for none.
        total: the step at which the floor is reached.
        floor: the last rate, as a fraction of the highest.

    Raises:
        ValueError: if not 0 ≤ warmup < total, or floor is outside 0 … 1.

    Source: Loshchilov and Hutter 2017, eq. 5, without restarts.
    """

    warmup: int
    total: int
    floor: float = 0.1

    def __post_init__(self):
        if not 0 <= self.warmup < self.total:
            raise ValueError(
                f"the warm-up must end before the schedule does, got warmup={self.warmup}, "
                f"total={self.total}; both count optimizer steps"
            )
        if not 0 <= self.floor <= 1:
            raise ValueError(f"floor is a fraction of the highest rate, got {self.floor}")

    def __call__(self, taken: int) -> float:
        """The fraction of the optimizer's learning rate after `taken` steps."""
        step = taken + 1
        if step <= self.warmup:
            return step / self.warmup
        progress = min(1.0, (step - self.warmup) / (self.total - self.warmup))
        return self.floor + (1 - self.floor) * (1 + math.cos(math.pi * progress)) / 2
