"""Figure: a one-hot vector times a matrix gives the row of the word."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number, place

MOST_WORDS, MOST_COLUMNS = 12, 6


def row_lookup(
    words: Sequence[str],
    table: np.ndarray,
    columns: Sequence[str] | None = None,
    start: str | None = None,
    second: str | None = None,
    title: str = "A one-hot vector picks its word’s row of the matrix",
    caption: str = (
        "Choose another word, or click on one, and watch which row comes out. Then let two words "
        "share the weight: what comes out lies between their rows."
    ),
) -> Interactive:
    """One-hot vector times matrix, product by product.

    Args:
        words: V different words, the names of the rows.
        table: (V, C) numbers; at most 12 rows and 6 columns are legible.
        columns: C names of the columns; "column 0", … if None.
        start: the word that is chosen at first; the first one if None.
        second: the other word of the mixture; the one after `start` if None.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other or the page, or a word is unknown.
    """
    words, table = [str(word) for word in words], np.asarray(table, dtype=float)
    if columns is None:
        columns = [f"column {c}" for c in range(table.shape[-1])]
    columns = [str(name) for name in columns]
    if table.ndim != 2 or table.shape != (len(words), len(columns)):
        raise ValueError(
            f"table must have one row a word and one column a name, "
            f"({len(words)}, {len(columns)}), got shape {table.shape}"
        )
    if not (2 <= len(words) <= MOST_WORDS and 1 <= len(columns) <= MOST_COLUMNS):
        raise ValueError(
            f"the figure is legible for 2 to {MOST_WORDS} words and up to {MOST_COLUMNS} columns, "
            f"got {table.shape}; show a part of the table"
        )
    if len(set(words)) != len(words):
        raise ValueError(f"words must differ from each other, got {words}")
    if not np.isfinite(table).all():
        raise ValueError("table must hold finite numbers only")
    first = place(words, start, default=0)
    other = place(words, second, default=(first + 1) % len(words))
    row = ", ".join(number(x, 2) for x in table[first])
    return Interactive(
        script="row_lookup",
        data={
            "words": words,
            "columns": columns,
            "table": table.tolist(),
            "first": first,
            "second": other,
        },
        title=title,
        caption=caption,
        alt=(
            f"The one-hot vector of “{words[first]}”, a one at place {first} of {len(words)}, "
            f"times the matrix gives the matrix’s row {first}: {row}."
        ),
        header=["word", *columns],
        rows=[[word, *(number(x, 2) for x in table[v])] for v, word in enumerate(words)],
        draw=lambda ax: draw_lookup(ax, words, columns, table, first),
        width=1.6 + 0.95 * (len(columns) + 1),
        height=0.34 * (len(words) + 2.6),
    )


def draw_lookup(ax, words, columns, table, first) -> None:
    """The static picture: weights, matrix with the chosen row lit, and what comes out."""
    ax.set_axis_off()
    bottom = len(words) + 0.6
    ax.set(xlim=(-1.6, len(columns) + 1.1), ylim=(bottom + 0.6, -1.2))
    for c, name in enumerate(["weight", *columns]):
        ax.text(c + 0.5, -0.6, name, ha="center", va="center", weight="bold")
    for v, word in enumerate(words):
        lit = v == first
        if lit:
            ax.axhspan(v - 0.5, v + 0.5, color="C0", alpha=0.15, lw=0)
        weight = "bold" if lit else "normal"
        ax.text(-0.1, v, word, ha="right", va="center", weight=weight)
        ax.text(0.5, v, "1" if lit else "0", ha="center", va="center", weight=weight)
        for c, x in enumerate(table[v]):
            ax.text(c + 1.5, v, number(x, 2), ha="center", va="center", weight=weight)
    ax.axhline(len(words) - 0.4, color="C0", lw=1)
    ax.text(0.9, bottom - 0.4, "comes out", ha="right", va="center", color="C0")
    for c, x in enumerate(table[first]):
        ax.text(c + 1.5, bottom - 0.4, number(x, 2), ha="center", va="center", color="C0")
