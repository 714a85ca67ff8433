"""Figure: a matrix of probabilities as a heat map, read row by row with a cursor."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number, place

MOST_ROWS, MOST_COLUMNS = 16, 12


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    matrix: np.ndarray,
    start: tuple[str, str],
    title: str,
    caption: str = (
        "Press a cell, or move with the arrow keys. Which rows leave a choice, and how many "
        "equally likely words would leave as much doubt?"
    ),
) -> Interactive:
    """Probabilities by context and next word; the row under the cursor is read out.

    Args:
        rows: R names of contexts, one word or several.
        columns: W names of what may follow.
        matrix: (R, W); a row sums to one, or to zero if nothing ever followed.
        start: row and column of the cursor at first.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other or the page, a name is unknown, or a row
            does not hold probabilities.
    """
    rows, columns = [str(name) for name in rows], [str(name) for name in columns]
    matrix = np.asarray(matrix, dtype=float)
    if matrix.shape != (len(rows), len(columns)):
        raise ValueError(
            f"the matrix must have one row a context and one column a word, "
            f"({len(rows)}, {len(columns)}), got shape {matrix.shape}"
        )
    if not (1 <= len(rows) <= MOST_ROWS and 1 <= len(columns) <= MOST_COLUMNS):
        raise ValueError(
            f"the figure is legible for {MOST_ROWS} rows and {MOST_COLUMNS} columns, "
            f"got {matrix.shape}; show a part of the matrix"
        )
    sums = matrix.sum(axis=1)
    if not ((matrix >= 0).all() and (np.isclose(sums, 1) | (sums == 0)).all()):
        raise ValueError("each row must hold probabilities that sum to one, or be zero")
    row, column = place(rows, start[0], default=0), place(columns, start[1], default=0)
    after = ", ".join(
        f"{columns[j]} {number(matrix[row, j], 2)}" for j in np.flatnonzero(matrix[row])
    )
    return Interactive(
        script="heat_map",
        data={
            "rows": rows,
            "columns": columns,
            "matrix": matrix.tolist(),
            "row": row,
            "column": column,
        },
        title=title,
        caption=caption,
        alt=(
            f"A table of {len(rows)} rows and {len(columns)} columns, darker where more probable. "
            f"The row of “{rows[row]}” has {after or 'zeros only'}; "
            f"{int((matrix.max(axis=1) == 1).sum())} rows hold a single one."
        ),
        header=["after", *columns],
        rows=[[name, *(number(p, 3) for p in matrix[i])] for i, name in enumerate(rows)],
        draw=lambda ax: draw_cells(ax, rows, columns, matrix, row),
        width=1.5 + 0.55 * len(columns),
        height=0.9 + 0.3 * len(rows),
    )


def draw_cells(ax, rows, columns, matrix, row) -> None:
    """The static picture: cells shaded by probability, the numbers in those that are not zero."""
    R, W = matrix.shape
    ax.set(xlim=(0, W), ylim=(R, 0))
    ax.grid(False)
    ax.tick_params(length=0)
    ax.xaxis.tick_top()
    ax.set_xticks(np.arange(W) + 0.5, columns, rotation=45, ha="left", size=9)
    ax.set_yticks(np.arange(R) + 0.5, rows, size=9)
    for spine in ax.spines.values():
        spine.set_visible(False)
    for i, j in np.argwhere(matrix > 0):
        shade = {"color": "C0", "alpha": 0.7 * matrix[i, j], "lw": 0, "clip_on": False}
        ax.fill([j, j + 1, j + 1, j], [i, i, i + 1, i + 1], **shade)
        at = (j + 0.5, i + 0.5)
        ax.text(*at, number(matrix[i, j], 2), ha="center", va="center", size=9)
    ax.plot([0, W, W, 0, 0], [row, row, row + 1, row + 1, row], color="C1", lw=2, clip_on=False)
