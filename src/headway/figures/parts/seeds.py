"""A result over many seeds: whether it came out with each of them, and the number each gave.

    over_seeds(accuracies, accuracies > 0.5, form=".0%")

One seed shows that something can happen; the share of the seeds shows how often it does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import text

LEAST_SEEDS = 10


@dataclass(frozen=True)
class Seeds:
    """What came out with each seed; the result of one row of a claim. Made by `over_seeds`.

    Attributes:
        values: the number that each seed gave.
        held: whether what the claim says came out with it.
        form: how a value is written, a format of Python.
    """

    values: tuple[float, ...]
    held: tuple[bool, ...]
    form: str

    @property
    def share(self) -> float:
        """The part of the seeds with which it came out."""
        return sum(self.held) / len(self.held)

    def told(self) -> str:
        """The share, the range and the median, as a sentence without its dot."""
        low, middle, high = (
            self._shown(value)
            for value in (min(self.values), np.median(self.values), max(self.values))
        )
        return (
            f"{sum(self.held)} of {len(self.held)} seeds; {low} to {high}, "
            f"half of them below {middle}"
        )

    def html(self) -> str:
        """Every seed's value in order of size, each with a mark for whether it came out."""
        marks = "".join(
            f'<li class="hw-{"yes" if held else "no"}"><span class="hw-mark" aria-hidden="true">'
            f"{'✓' if held else '✗'}</span> {text(self._shown(value))}"
            f'<span class="hw-voice"> {"holds" if held else "fails"}</span></li>'
            for value, held in sorted(zip(self.values, self.held, strict=True))
        )
        return f'<ul class="hw-seeds" aria-label="Each seed, in order of size">{marks}</ul>'

    def _shown(self, value: float) -> str:
        return format(float(value), self.form).replace("-", "−")


def over_seeds(values: Sequence[float], held: Sequence[bool], form: str = ".3g") -> Seeds:
    """Collect what a result was with each seed.

    Args:
        values: (S,) the number that each seed gave.
        held: (S,) bool, whether what the claim says came out with that seed.
        form: how a value is written, ".0%" or ".2f".

    Raises:
        ValueError: if there are fewer than ten seeds, the two differ in length, or a value is not
            finite.
        TypeError: if `held` holds anything but bools.
    """
    values, held = np.asarray(values, dtype=float), np.asarray(held)
    if values.ndim != 1 or values.shape != held.shape:
        raise ValueError(
            f"values and held must be (S,), one of each for a seed, got {values.shape} and "
            f"{held.shape}"
        )
    if len(values) < LEAST_SEEDS:
        raise ValueError(f"a result needs {LEAST_SEEDS} seeds at least, got {len(values)}")
    if held.dtype != bool:
        raise TypeError(f"held must be bools, got {held.dtype}; compare the values with something")
    if not np.isfinite(values).all():
        raise ValueError("values must be finite; leave out no seed, but say what failed with it")
    return Seeds(tuple(values.tolist()), tuple(held.tolist()), form)
