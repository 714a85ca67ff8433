"""Figure: gradient descent on loss surfaces over a plane, conditioned well and badly."""

from collections.abc import Mapping, Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

CORNERS = 60  # of a level line
Walks = Mapping[str, Mapping[float, np.ndarray]]


def descent_on_surfaces(
    surfaces: Mapping[str, np.ndarray],
    walks: Mapping[str, Walks],
    start: tuple[str, str, float],
    title: str,
    caption: str,
) -> Interactive:
    """Level lines of quadratic losses, and the steps that some methods take on them.

    Args:
        surfaces: name → the symmetric, positive definite (2, 2) matrix A of the loss ½ p A p.
        walks: surface → method → learning rate → (steps + 1, 2), the points that were passed.
        start: the surface, method and learning rate that are shown at first.
        title, caption: as printed.

    Raises:
        ValueError: if a matrix is not as said, walks have different lengths, or those on one
            surface different starts.
        KeyError: if a walk is missing.
    """
    matrices = {name: checked_matrix(name, A) for name, A in surfaces.items()}
    methods = list(walks[start[0]])
    rates = list(walks[start[0]][start[1]])
    every = {
        (name, method, rate): np.asarray(walks[name][method][rate], dtype=float)
        for name in surfaces
        for method in methods
        for rate in rates
    }
    first = every[start]
    begin = {name: every[name, methods[0], rates[0]][0] for name in surfaces}
    if any(w.shape != first.shape or (w[0] != begin[key[0]]).any() for key, w in every.items()):
        raise ValueError(
            "walks must have the same number of steps, and on a surface the same start"
        )
    half = 1.2 * float(np.abs(list(begin.values())).max())
    losses = {key: loss_of(matrices[key[0]], walk) for key, walk in every.items()}
    last = len(first) - 1
    return Interactive(
        script="descent",
        data={
            "half": half,
            "surfaces": [
                {
                    "name": name,
                    "matrix": A.tolist(),
                    "ellipse": short(ellipse(A)),
                    "sizes": short(sizes(A, begin[name], half)),
                }
                for name, A in matrices.items()
            ],
            "methods": methods,
            "rates": rates,
            "walks": [[[short(every[s, m, r]) for r in rates] for m in methods] for s in surfaces],
            "start": {
                "surface": list(surfaces).index(start[0]),
                "method": methods.index(start[1]),
                "rate": rates.index(start[2]),
                "step": last,
            },
        },
        title=title,
        caption=caption,
        alt=(
            f"Level lines of two losses with the path of {start[1]} at learning rate {start[2]:g}. "
            + " ".join(
                f"{s}: the loss falls from {number(losses[s, start[1], start[2]][0], 2)} to "
                f"{number(losses[s, start[1], start[2]][-1], 4)} in {last} steps."
                for s in list(surfaces)[:2]
            )
        ),
        header=["surface, method", *(f"rate {rate:g}" for rate in rates)],
        rows=[
            [f"{s}, {m}: loss after {last} steps", *(in_short(losses[s, m, r][-1]) for r in rates)]
            for s in surfaces
            for m in methods
        ],
        draw=lambda fig: draw_surfaces(fig, matrices, every, start, half),
        width=6.4,
        height=3.5,
    )


def checked_matrix(name: str, given: np.ndarray) -> np.ndarray:
    """The matrix of a loss with one lowest point.

    Raises:
        ValueError: if it is not symmetric and positive definite, (2, 2).
    """
    A = np.asarray(given, dtype=float)
    if A.shape != (2, 2) or not np.allclose(A, A.T) or np.linalg.eigvalsh(A)[0] <= 0:
        raise ValueError(f"surface {name!r} needs a symmetric, positive (2, 2) matrix, got {given}")
    return A


def loss_of(A: np.ndarray, points: np.ndarray) -> np.ndarray:
    """½ p A p at each point: (..., 2) → (...)."""
    return 0.5 * np.einsum("...i,ij,...j->...", points, A, points)


def ellipse(A: np.ndarray) -> np.ndarray:
    """The points where the loss is ½, (CORNERS, 2); other level lines have the same shape."""
    turns = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    curvatures, directions = np.linalg.eigh(A)
    return np.stack([np.cos(turns), np.sin(turns)], axis=-1) / np.sqrt(curvatures) @ directions.T


def sizes(A: np.ndarray, start: np.ndarray, half: float, lines: int = 8) -> np.ndarray:
    """By how much that ellipse is enlarged for each level line, (lines,), in equal steps.

    The outermost line goes through the start, or reaches the picture's frame if that is farther.
    """
    outermost = max(np.sqrt(2 * loss_of(A, start)), half / np.abs(ellipse(A)).max())
    return outermost * np.arange(1, lines + 1) / lines


def short(values: np.ndarray, digits: int = 4) -> list:
    """Nested lists of numbers with a few digits that count."""
    values = np.asarray(values, dtype=float)
    with np.errstate(divide="ignore"):
        places = np.where(values == 0, 0, np.floor(np.log10(np.abs(values))))
    factor = 10.0 ** np.clip(digits - 1 - places, -300, 4)
    return (np.round(values * factor) / factor).tolist()


def in_short(value: float) -> str:
    """A loss in a table, however large."""
    return f"{value:.1e}" if value >= 1e4 else number(value, 4)


def draw_surfaces(fig, matrices: Mapping, every: Mapping, start: Sequence, half: float) -> None:
    """The static picture: the first two surfaces with the walk that is shown at first."""
    from matplotlib.patches import Ellipse

    shown = list(matrices.items())[:2]
    for ax, (name, A) in zip(fig.subplots(1, len(shown), squeeze=False)[0], shown, strict=True):
        start_point = every[name, start[1], start[2]][0]
        curvatures, directions = np.linalg.eigh(A)
        angle = np.degrees(np.arctan2(directions[1, 0], directions[0, 0]))
        for size in sizes(A, start_point, half, lines=5):
            line = Ellipse((0, 0), *(2 * size / np.sqrt(curvatures)), angle=angle)
            ax.add_patch(line)
            line.set(fill=False, edgecolor="C2", lw=0.9)
        walk = every[name, start[1], start[2]]
        ax.plot(*walk.T, color="C1", lw=1.2)
        ax.plot(*walk[[0, -1]].T, "o", color="C1", ms=5)
        ax.set(xlim=(-half, half), ylim=(-half, half), aspect="equal", xlabel="x", ylabel="y")
        ax.set_title(f"{name}\n{start[1]}, rate {start[2]:g}", fontsize=10)
