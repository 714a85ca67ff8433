"""A result over many seeds: whether it came out with each of them, and the number each gave.

    over_seeds(accuracies, accuracies > 0.5, form=".0%", chance=0.25, against={"one head": 0.52})

One seed shows that something can happen; the share of the seeds shows how often it does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

LEAST_SEEDS = 10


@dataclass(frozen=True)
class Seeds:
    """What came out with each seed; the result of one row of a claim. Made by `over_seeds`.

    Attributes:
        values: the number that each seed gave.
        held: whether what the claim says came out with it.
        form: how a value is written, a format of Python.
        marks: what to compare with, by name: chance, and opponents.
        of: what each value is of, "seeds".
        name: what the values are, for the picture; "" if what was tried says it.
    """

    values: tuple[float, ...]
    held: tuple[bool, ...]
    form: str
    marks: tuple[tuple[str, float], ...] = ()
    of: str = "seeds"
    name: str = ""

    @property
    def share(self) -> float:
        """The part of the seeds with which it came out."""
        return sum(self.held) / len(self.held)

    @property
    def median(self) -> float:
        """Half of the seeds gave less."""
        return float(np.median(self.values))

    def each(self) -> list[tuple[float, bool]]:
        """The seeds in order of size: the number, and whether it came out."""
        return sorted(zip(self.values, self.held, strict=True))

    def told(self) -> str:
        """The median, the range and the share, as a sentence without its dot."""
        low, high = self.shown(min(self.values)), self.shown(max(self.values))
        share = f"true with {sum(self.held)} of {len(self.held)} {self.of}"
        return f"median {self.shown(self.median)}, from {low} to {high}; {share}"

    def shown(self, value: float) -> str:
        """A number in the form of this result, with a real minus sign."""
        return format(float(value), self.form).replace("-", "−")


def over_seeds(
    values: Sequence[float],
    held: Sequence[bool],
    form: str = ".3g",
    chance: float | None = None,
    against: Mapping[str, float] | None = None,
    of: str = "seeds",
    name: str = "",
) -> Seeds:
    """Collect what a result was with each seed.

    Args:
        values: (S,) the number that each seed gave.
        held: (S,) bool, whether what the claim says came out with that seed.
        form: how a value is written, ".0%" or ".2f".
        chance: what guessing gives, if that is known.
        against: what to compare with, by name; the strongest opponent.
        of: what each value is of, if not of a seed: "texts", "packages".
        name: what the values are, for the picture: "loss on new sentences".

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
        raise ValueError(f"a result needs {LEAST_SEEDS} {of} at least, got {len(values)}")
    if held.dtype != bool:
        raise TypeError(f"held must be bools, got {held.dtype}; compare the values with something")
    marks = {} if chance is None else {"chance": float(chance)}
    marks |= {name: float(value) for name, value in (against or {}).items()}
    if not np.isfinite([*values, *marks.values()]).all():
        raise ValueError("values must be finite; leave none out, but say what failed with it")
    return Seeds(tuple(values.tolist()), tuple(held.tolist()), form, tuple(marks.items()), of, name)
