"""Figure: what one more token costs at each length, with a cache and without."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive

WAYS = ("with the cache", "without")


@dataclass(frozen=True)
class Cost:
    """One quantity at each length.

    Attributes:
        name: what it is and where it comes from, "FLOPs, counted".
        unit: "ms", "FLOPs" …
        cached, uncached: a positive number for each length.
    """

    name: str
    unit: str
    cached: Sequence[float]
    uncached: Sequence[float]


def step_cost(
    lengths: Sequence[int], costs: Sequence[Cost], title: str, caption: str, at: int = 0
) -> Interactive:
    """A line is moved along the length; a menu chooses the quantity; both ways are drawn.

    Args:
        lengths: in rising order, two at least.
        costs: the quantities; the first is shown at first.
        title, caption: as printed.
        at: the place among the lengths that is shown at first.

    Raises:
        ValueError: if numbers are missing or not positive, lengths do not rise, or `at` does not
            exist.
    """
    lengths = [int(n) for n in lengths]
    if len(lengths) < 2 or sorted(set(lengths)) != lengths or not 0 <= at < len(lengths):
        raise ValueError(f"lengths must rise, and hold the place {at}; got {lengths}")
    if not costs:
        raise ValueError("there is nothing to draw: give a cost at least")
    for cost in costs:
        for way in (cost.cached, cost.uncached):
            if len(way) != len(lengths) or not all(np.isfinite(x) and x > 0 for x in way):
                raise ValueError(
                    f"{cost.name!r} needs a positive number for each of {len(lengths)} lengths, "
                    f"got {list(way)}"
                )
    return Interactive(
        script="step_cost",
        data={
            "lengths": lengths,
            "costs": [
                {
                    "name": cost.name,
                    "unit": cost.unit,
                    "ways": [[digits(x) for x in way] for way in (cost.cached, cost.uncached)],
                }
                for cost in costs
            ],
            "at": at,
        },
        title=title,
        caption=caption,
        alt=" ".join(
            f"{cost.name}: from {digits(cost.cached[0]):,} to {digits(cost.cached[-1]):,} "
            f"{cost.unit} a token with the cache and from {digits(cost.uncached[0]):,} to "
            f"{digits(cost.uncached[-1]):,} without, for lengths from {lengths[0]} to "
            f"{lengths[-1]}."
            for cost in costs
        ),
        header=["length", *(f"{cost.name}, {way}" for cost in costs for way in WAYS)],
        rows=[
            [n, *(f"{digits(way[i]):,}" for c in costs for way in (c.cached, c.uncached))]
            for i, n in enumerate(lengths)
        ],
        draw=lambda ax: draw_costs(ax, lengths, costs[0]),
    )


def digits(value: float) -> float | int:
    """Four digits of a measured number; a counted one, which is whole, as it is."""
    return int(value) if float(value).is_integer() else float(f"{value:.4g}")


def draw_costs(ax, lengths, cost) -> None:
    """The static picture: the first quantity, both ways, on a logarithmic axis."""
    for hue, (way, name) in enumerate(zip((cost.cached, cost.uncached), WAYS, strict=True)):
        ax.plot(lengths, way, "o-", color=f"C{hue}", ms=4)
        ax.annotate(name, (lengths[-1], way[-1]), (5, 0), textcoords="offset points", va="center")
    ax.set(yscale="log", xlabel="length, tokens", ylabel=f"{cost.unit} a token")
    ax.set_xlim(0, 1.35 * lengths[-1])
