"""Figure: what stands at each position, and what two positions add to a score, by scheme."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

MOST_POSITIONS, MOST_COLUMNS = 32, 32


@dataclass(frozen=True, eq=False)
class Scheme:
    """One way to say where a word stands.

    Attributes:
        name: as chosen, "rotary".
        columns: what the columns of `values` are, "columns of the table".
        values: (N, K), what stands at each position.
        scores: (N, N), the score of the same contents at position p (row) and s (column).
    """

    name: str
    columns: str
    values: np.ndarray
    scores: np.ndarray


def position_schemes(
    schemes: Sequence[Scheme],
    title: str,
    caption: str,
    scheme: int = 0,
    position: int = 0,
) -> Interactive:
    """A heat map of the encoding beside the scores by distance; scheme and position are chosen.

    Args:
        schemes: all with the same N.
        title, caption: as printed.
        scheme, position: chosen at first.

    Raises:
        ValueError: if the shapes do not fit each other or the page, or a start does not exist.
    """
    schemes = list(schemes)
    N = len(schemes[0].values) if schemes else 0
    for one in schemes:
        values, scores = np.shape(one.values), np.shape(one.scores)
        if len(values) != 2 or values[0] != N or scores != (N, N):
            raise ValueError(
                f"{one.name!r} needs values (N, K) and scores (N, N), N = {N}; got {values} and "
                f"{scores}"
            )
        if not (2 <= N <= MOST_POSITIONS and 1 <= values[1] <= MOST_COLUMNS):
            raise ValueError(
                f"2 to {MOST_POSITIONS} positions and {MOST_COLUMNS} columns can be shown, "
                f"got {values}"
            )
    if not (0 <= scheme < len(schemes) and 0 <= position < N):
        raise ValueError(f"scheme {scheme} or position {position} does not exist")
    chosen = schemes[scheme]
    few = [d for d in (-8, -4, -2, -1, 0, 1, 2, 4, 8) if 0 <= position + d < N]
    return Interactive(
        script="position_schemes",
        data={
            "schemes": [
                {
                    "name": one.name,
                    "columns": one.columns,
                    "values": np.round(np.asarray(one.values, dtype=float), 3).tolist(),
                    "scores": np.round(np.asarray(one.scores, dtype=float), 3).tolist(),
                }
                for one in schemes
            ],
            "scheme": scheme,
            "position": position,
        },
        title=title,
        caption=caption,
        alt=(
            f"Scores of position {position} with the others, {chosen.name}: "
            + ", ".join(
                f"{number(chosen.scores[position][position + d], 2)} at distance {d}" for d in few
            )
            + f". Scores at one distance differ by at most {number(spread(chosen.scores), 2)}."
        ),
        header=["scheme", *(f"distance {d}".replace("-", "−") for d in few), "largest spread"],
        rows=[
            [
                one.name,
                *(number(one.scores[position][position + d], 2) for d in few),
                number(spread(one.scores), 2),
            ]
            for one in schemes
        ],
        draw=lambda ax: draw_scores(ax, schemes, position),
        width=6.4,
        height=3.2,
    )


def spread(scores: np.ndarray) -> float:
    """By how much scores of the same distance differ at most: 0 if only the distance counts."""
    scores = np.asarray(scores, dtype=float)
    N = len(scores)
    return max(float(np.ptp(scores.diagonal(d))) for d in range(1 - N, N))


def draw_scores(ax, schemes, position) -> None:
    """The static picture: for each scheme, the scores of one position by distance."""
    for i, one in enumerate(schemes):
        scores = np.asarray(one.scores, dtype=float)[position]
        size = max(np.abs(scores).max(), 1e-9)
        distances = np.arange(len(scores)) - position
        style = ("-", "--", ":")[i // 5]
        ax.plot(distances, scores / size, style, color=f"C{i % 5}", label=one.name)
    ax.set(xlabel="distance s − p", ylabel="score, largest = 1")
    ax.legend(fontsize=8)
