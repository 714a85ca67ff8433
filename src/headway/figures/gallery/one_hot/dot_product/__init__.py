"""Figure: the dot product of two arrows, by components, by angle and by shadow."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number


def dot_product_by_angle(
    a: Sequence[float],
    b: Sequence[float],
    title: str = "The dot product shrinks as the arrows turn apart, and turns negative beyond 90°",
    caption: str = (
        "Turn b until the dot product is zero. Then make it twice as long: what doubles, and what "
        "stays?"
    ),
) -> Interactive:
    """Two arrows in the plane; the reader turns and stretches the second.

    Args:
        a, b: two numbers each, not both zero.
        title, caption: as printed.

    Raises:
        ValueError: if a vector does not have two finite numbers, or is zero.
    """
    a, b = arrow("a", a), arrow("b", b)
    dot, lengths = float(a @ b), (float(np.linalg.norm(a)), float(np.linalg.norm(b)))
    cosine = float(np.clip(dot / lengths[0] / lengths[1], -1, 1))
    angle = float(np.degrees(np.arccos(cosine)))
    longest = 2 * lengths[1]
    turns = [0, 45, 90, 135, 180]
    return Interactive(
        script="dot_product",
        data={"a": a.tolist(), "b": b.tolist(), "longest": longest},
        title=title,
        caption=caption,
        alt=(
            f"Arrows a = ({pair(a)}) and b = ({pair(b)}) from one point, {angle:.0f}° apart. The "
            f"shadow of b on a has length {number(lengths[1] * cosine, 2)}; the dot product is "
            f"{number(dot, 2)}."
        ),
        header=["angle from a to b", "dot product", "cosine", "signed length of b’s shadow on a"],
        rows=[
            [
                f"{turn}°",
                number(lengths[0] * lengths[1] * np.cos(np.radians(turn)), 2),
                number(np.cos(np.radians(turn)), 2),
                number(lengths[1] * np.cos(np.radians(turn)), 2),
            ]
            for turn in turns
        ],
        draw=lambda ax: draw_arrows(ax, a, b),
        width=4.2,
        height=3.4,
    )


def arrow(name: str, given: Sequence[float]) -> np.ndarray:
    """Two numbers as an array.

    Raises:
        ValueError: if they are not two, not finite, or both zero.
    """
    vector = np.asarray(given, dtype=float)
    if vector.shape != (2,) or not np.isfinite(vector).all() or not vector.any():
        raise ValueError(f"{name} must be two finite numbers, not both zero, got {given!r}")
    return vector


def pair(vector: np.ndarray) -> str:
    return ", ".join(number(x, 2) for x in vector)


def draw_arrows(ax, a: np.ndarray, b: np.ndarray) -> None:
    """The static picture: both arrows, and the shadow of b on a."""
    foot = a * (a @ b) / (a @ a)
    ax.set_aspect("equal")
    corners = np.stack([np.zeros(2), a, b, foot])
    low, high = corners.min(axis=0) - 0.6, corners.max(axis=0) + 0.6
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    ax.plot([b[0], foot[0]], [b[1], foot[1]], "--", color="C2", lw=1)
    ax.plot([0, foot[0]], [0, foot[1]], color="C2", lw=6, alpha=0.5, solid_capstyle="butt")
    for vector, name, color in ((a, "a", "C0"), (b, "b", "C1")):
        ax.annotate("", vector, (0, 0), arrowprops={"arrowstyle": "-|>", "color": color, "lw": 2})
        ax.annotate(name, vector, xytext=(6, 6), textcoords="offset points", color=color, size=13)
