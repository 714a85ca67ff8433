"""Metrics of an answer, for a task's leaderboard.

For some tasks it matters not only whether an answer passes but how good it is. The judge computes
metrics from the answer's results, and records them with the points:

    {"bits per byte": 1.61, "parameters": 38_000, "best chain": 1.83, "the truth": 1.42}
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

# (the task's own cases, the answer's value for each) -> metrics by name.
Measure = Callable[[Sequence[Any], Sequence[Any]], Mapping[str, float]]


@dataclass(frozen=True)
class Leaderboard:
    """How the answers to a task are ranked.

    Attributes:
        measure: computes the metrics; returns none if the answer should not be listed.
        ranked: name of the metric that decides, "bits per byte"; the lowest comes first.
        floor: name of the metric that is a lower bound of `ranked`. Answers may have different
            cases, so they are ranked by their distance to their own floor.
        baselines: names of values to compare an answer with, in the unit of `ranked`.
        also: names of further metrics of an answer, each in its own column.
        noise: how much the ranked metric of the same answer may vary between draws; answers this
            close to the best of a rank share the rank.
    """

    measure: Measure
    ranked: str
    floor: str
    baselines: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    noise: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all metrics, in the order of their columns."""
        return (self.ranked, *self.also, *self.baselines, self.floor)

    def figures(self, cases: Sequence[Any], values: Sequence[Any]) -> dict[str, float]:
        """The metrics of an answer; empty if one of them is missing or not finite."""
        return self.valid(self.measure(cases, values))

    def valid(self, figures: Mapping[str, Any]) -> dict[str, float]:
        """The metrics in the order of `names`; empty if one is missing or not finite."""
        found = {name: figures.get(name) for name in self.names}
        numbers = [x for x in found.values() if type(x) in (int, float) and isfinite(x)]
        return found if len(numbers) == len(found) else {}


def format_metric(x: float, places: int = 3) -> str:
    """A metric as text: an integer with thousands separators, a float with `places` decimals."""
    return f"{x:,}" if isinstance(x, int) else f"{x:,.{places}f}"
