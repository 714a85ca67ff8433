"""Figure: a block assembled from switches, and what a deep stack of such blocks does."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import require_sentence

SKIPS = ("with", "without")
NORMS = ("before", "after", "none")


@dataclass(frozen=True)
class Measure:
    """One number at every depth, for every way to assemble the block.

    Attributes:
        name: in the menu and at the axis.
        values: (2, 3, A, L + 1): with and without skip connections, norm before, after and none,
            the activations; then before the first block and after each of L blocks.
        log: whether the axis is logarithmic.
    """

    name: str
    values: np.ndarray
    log: bool = False


def block_switches(
    measures: Sequence[Measure],
    activations: Sequence[str],
    title: str,
    caption: str,
    start: tuple[int, int, int] = (0, 0, 0),
) -> Interactive:
    """A drawing of the block that changes with three switches, above a curve by depth.

    Args:
        measures: one or more, all of one shape.
        activations: what the feed-forward may have between its layers, A names.
        title, caption: as printed.
        start: the places of the skip connection, the norm and the activation at first.

    Raises:
        ValueError: if there is no measure, a shape does not fit, a value is not finite, or one
            that is drawn on a logarithmic axis is not positive; if a place does not exist.
    """
    if not measures:
        raise ValueError("there must be a measure to draw")
    shape = (len(SKIPS), len(NORMS), len(activations))
    depth = np.shape(measures[0].values)[-1:]
    for measure in measures:
        require_sentence("name", measure.name)
        values = np.asarray(measure.values, dtype=float)
        if values.shape != shape + depth or values.shape[-1] < 2:
            raise ValueError(
                f"values of {measure.name!r} must be {(*shape, 'L + 1')}, got {values.shape}"
            )
        if not np.isfinite(values).all() or (measure.log and (values <= 0).any()):
            raise ValueError(
                f"values of {measure.name!r} must be finite, and positive on a logarithmic axis"
            )
    if not all(0 <= place < size for place, size in zip(start, shape, strict=True)):
        raise ValueError(f"start {start} does not exist; the switches have {shape} places")
    last = depth[0] - 1
    few = sorted({0, last // 2, last})
    return Interactive(
        script="block_switches",
        data={
            "activations": list(activations),
            "start": list(start),
            "measures": [
                {
                    "name": measure.name,
                    "log": measure.log,
                    "values": rounded(measure.values),
                }
                for measure in measures
            ],
        },
        title=title,
        caption=caption,
        alt=" ".join(
            f"{measure.name}, {name_of(start, activations)}: {at(measure, start, 0)} before the "
            f"first block, {at(measure, start, last)} after block {last}."
            for measure in measures
        ),
        header=["block", *(f"{measure.name}, depth {d}" for measure in measures for d in few)],
        rows=[
            [
                name_of(switches, activations),
                *(at(measure, switches, d) for measure in measures for d in few),
            ]
            for switches in np.ndindex(*shape)
        ],
        draw=lambda fig: draw_measures(fig, measures, start),
        width=6.6,
        height=2.8,
    )


def rounded(values: np.ndarray) -> list:
    """The numbers with four digits that count."""
    return np.vectorize(lambda x: float(f"{x:.4g}"))(values).tolist()


def at(measure: Measure, switches: tuple[int, ...], depth: int) -> str:
    """A measure of one block at one depth, as printed."""
    return f"{measure.values[(*switches, depth)]:.2g}"


def name_of(switches: Sequence[int], activations: Sequence[str]) -> str:
    """A way to assemble the block, in words."""
    skip, norm, activation = switches
    place = "no norm" if NORMS[norm] == "none" else f"norm {NORMS[norm]}"
    return f"{SKIPS[skip]} skip connections, {place}, activation {activations[activation]}"


def draw_measures(fig, measures: Sequence[Measure], start: tuple[int, ...]) -> None:
    """The static picture: each measure of the block at the start, and of that without skips."""
    for ax, measure in zip(fig.subplots(1, len(measures), squeeze=False)[0], measures, strict=True):
        for skip, color in ((0, "C0"), (1, "C1")):
            curve = measure.values[(skip, *start[1:])]
            ax.plot(curve, color=color, label=f"{SKIPS[skip]} skips")
        ax.set(xlabel="depth")
        ax.set_title(measure.name, fontsize=9)
        if measure.log:
            ax.set_yscale("log")
    fig.axes[0].legend(fontsize=8)
