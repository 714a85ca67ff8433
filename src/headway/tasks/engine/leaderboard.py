"""What a leaderboard shows of a task: figures that the judge measured of each answer.

An answer passes or fails; of some tasks it is worth knowing as well how far it came. The judge
measures that from what the cases gave, and the figures go on the record beside the points:

    {"bits per byte": 1.61, "parameters": 38_000, "best chain": 1.83, "the truth": 1.42}
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

# The task's own cases, and what the answer gave for each: figures by name.
Measure = Callable[[Sequence[Any], Sequence[Any]], Mapping[str, float]]


@dataclass(frozen=True)
class Leaderboard:
    """How the answers to a task are put in an order.

    Attributes:
        measure: gives no figures where there is nothing to list.
        ranked: name of the figure that decides, "bits per byte"; the lowest comes first.
        floor: name of the figure below which `ranked` cannot come. The cases of two answers may
            differ, so the order goes by how far an answer stands above its own floor.
        baselines: names of what an answer is compared with, in the unit of `ranked`.
        also: names of further figures of an answer, each with a column of its own.
        noise: by how much the ranked figure of one and the same answer may differ from draw to
            draw; who is so close to the best of a rank has the same rank.
    """

    measure: Measure
    ranked: str
    floor: str
    baselines: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    noise: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all figures, in the order of their columns."""
        return (self.ranked, *self.also, *self.baselines, self.floor)

    def figures(self, cases: Sequence[Any], values: Sequence[Any]) -> dict[str, float]:
        """The figures of an answer; nothing unless all are there, each a finite number."""
        return self.valid(self.measure(cases, values))

    def valid(self, figures: Mapping[str, Any]) -> dict[str, float]:
        """The figures as numbers, in order; nothing unless all are there, each finite."""
        found = {name: figures.get(name) for name in self.names}
        numbers = [x for x in found.values() if type(x) in (int, float) and isfinite(x)]
        return found if len(numbers) == len(found) else {}


def format_metric(x: float, places: int = 3) -> str:
    """A figure as a reader sees it: a count in groups of three digits, another number with so many
    decimal places."""
    return f"{x:,}" if isinstance(x, int) else f"{x:,.{places}f}"
