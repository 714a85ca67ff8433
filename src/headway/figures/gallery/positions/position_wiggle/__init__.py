"""Figure: the circular wiggle, pairs of columns as hands that turn with the position."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

MOST_PAIRS = 6


def position_wiggle(
    speeds: Sequence[float],
    last: int,
    title: str,
    caption: str,
    position: int = 0,
    distance: int = 0,
    farthest: int = 20,
) -> Interactive:
    """A hand for each pair (sine, cosine); the reader moves the position, and a second one.

    Hands start at the top and turn clockwise: the sine points to the right, the cosine upwards.

    Args:
        speeds: ω of each pair, in radians a position.
        last: the largest position.
        title, caption: as printed.
        position: p at first.
        distance: k at first; a second hand shows p + k.
        farthest: the largest k.

    Raises:
        ValueError: if there are no pairs or too many to show, a speed is not positive, or a start
            lies outside.
    """
    speeds = [float(speed) for speed in speeds]
    if not 1 <= len(speeds) <= MOST_PAIRS or min(speeds) <= 0:
        raise ValueError(f"1 to {MOST_PAIRS} pairs with positive speeds can be shown, got {speeds}")
    if not (0 <= position <= last and 0 <= distance <= farthest):
        raise ValueError(
            f"position {position} must lie in 0 … {last}, distance {distance} in 0 … {farthest}"
        )
    few = sorted({0, 1, 2, position, position + distance, last})
    return Interactive(
        script="position_wiggle",
        data={
            "speeds": speeds,
            "last": last,
            "farthest": farthest,
            "position": position,
            "distance": distance,
        },
        title=title,
        caption=caption,
        alt=(
            f"{len(speeds)} dials with a hand for position {position} and one for position "
            f"{position + distance}. From one to the other the hands turn by "
            f"{', '.join(number(distance * speed, 3) for speed in speeds)} radians."
        ),
        header=["position", *(f"{part} of pair {i}" for i in range(len(speeds))
                              for part in ("sine", "cosine"))],
        rows=[
            [p, *(number(f(p * speed), 2) for speed in speeds for f in (np.sin, np.cos))]
            for p in few
        ],
        draw=lambda ax: draw_dials(ax, speeds, position, position + distance),
        width=1.6 * len(speeds),
        height=2.0,
    )  # fmt: skip


def draw_dials(ax, speeds, position, other) -> None:
    """The static picture: dials side by side, a hand for each of two positions."""
    turn = np.linspace(0, 2 * np.pi, 60)
    ax.set(xlim=(-1.2, 2.5 * len(speeds) - 1.3), ylim=(-1.7, 1.2))
    ax.set_aspect("equal")
    ax.axis("off")
    for i, speed in enumerate(speeds):
        ax.plot(2.5 * i + np.sin(turn), np.cos(turn), color="C4", lw=1)
        for p, style, color in ((other, "--", "C0"), (position, "-", "C1")):
            x, y = np.sin(p * speed), np.cos(p * speed)
            ax.plot([2.5 * i, 2.5 * i + x], [0, y], style, color=color, lw=2)
        ax.text(2.5 * i, -1.4, f"pair {i}", ha="center", size=9)
