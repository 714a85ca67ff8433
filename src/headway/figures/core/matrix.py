"""A matrix as a grid of colored cells with the numbers in them.

    Matrix("Q", Q, rows=words, role="query")

The deeper a cell's color, the larger its number, measured against the largest of its matrix. The
color says what the matrix is (`ROLES`); what is below zero has none of it and is gray.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import text
from headway.figures.core.palette import MEANINGS

ROLES = {"": "C4", **MEANINGS}
MOST_CELLS = 150


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix and what stands at its edges.

    Args:
        name: "Q"; what follows an underline stands lower, as in "W_Q".
        values: (R, C) numbers; −∞ is allowed, for what a mask hides.
        rows, columns: R and C names, or none.
        role: whose color the cells have: "query", "key", "value", "residual", or "" for others.
        digits: behind the point.
        lit_rows, lit_columns: the places of those that are under discussion.

    Raises:
        ValueError: if the shape, a name, the role or a place does not fit.
    """

    name: str
    values: np.ndarray
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    role: str = ""
    digits: int = 2
    lit_rows: Sequence[int] = ()
    lit_columns: Sequence[int] = ()

    def __post_init__(self):
        values = np.asarray(self.values, dtype=float)
        if values.ndim != 2 or not 1 <= values.size <= MOST_CELLS:
            raise ValueError(
                f"{self.name} must have two dimensions and 1 to {MOST_CELLS} numbers, so that one "
                f"can read them, got shape {values.shape}"
            )
        if np.isnan(values).any() or np.isposinf(values).any():
            raise ValueError(f"{self.name} holds NaN or +∞; numbers and −∞ can be shown")
        if self.role not in ROLES:
            raise ValueError(f"the role of {self.name} must be one of {list(ROLES)}")
        for edge, size in (("rows", values.shape[0]), ("columns", values.shape[1])):
            names, lit = getattr(self, edge), getattr(self, f"lit_{edge}")
            if len(names) not in (0, size):
                raise ValueError(f"{self.name} has {size} {edge}, but {len(names)} names for them")
            if not all(0 <= place < size for place in lit):
                raise ValueError(f"{self.name} has {size} {edge}; {list(lit)} cannot all be lit")
            object.__setattr__(self, edge, tuple(map(str, names)))
        object.__setattr__(self, "values", values)

    @property
    def shape(self) -> tuple[int, int]:
        """(R, C)."""
        return self.values.shape

    @property
    def shares(self) -> np.ndarray:
        """(R, C) in 0 … 1: how deep the color of each cell is."""
        sizes = np.where(np.isfinite(self.values), np.abs(self.values), 0.0)
        return sizes / max(sizes.max(), 1e-12)

    @property
    def cells(self) -> list[list[str]]:
        """The numbers as they are printed: all with the same digits, and a real minus sign."""
        return [[shown(x, self.digits) for x in row] for row in self.values]

    def html(self) -> str:
        """The matrix as a table; its caption has name and shape."""
        head = "".join(
            f'<th scope="col"{lit(c in self.lit_columns)}>{text(name)}</th>'
            for c, name in enumerate(self.columns)
        )
        corner = "<td></td>" if self.rows else ""
        body = "\n".join(self._row(r) for r in range(self.shape[0]))
        return (
            f'<table class="hw-matrix hw-role-{self.role or "other"}"><caption>'
            f"{with_subscript(self.name)} {self.shape}</caption>\n"
            + (f"<thead><tr>{corner}{head}</tr></thead>\n" if head else "")
            + f"<tbody>{body}</tbody></table>"
        )

    def _row(self, r: int) -> str:
        name = f'<th scope="row">{text(self.rows[r])}</th>' if self.rows else ""
        cells = "".join(
            f'<td style="--p:{share:.2f}"'
            f"{classes(minus=value < 0, lit=c in self.lit_columns)}>{cell}</td>"
            for c, (value, share, cell) in enumerate(
                zip(self.values[r], self.shares[r], self.cells[r], strict=True)
            )
        )
        return f"<tr{lit(r in self.lit_rows)}>{name}{cells}</tr>"

    def plain(self) -> str:
        """The matrix for a terminal."""
        cells = [list(row) for row in self.cells]
        if self.rows:
            cells = [[name, *row] for name, row in zip(self.rows, cells, strict=True)]
        if self.columns:
            cells.insert(0, [*([""] if self.rows else []), *self.columns])
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(x.rjust(w) for x, w in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([f"{self.name} {self.shape}", *lines])

    def data(self) -> dict:
        """The matrix for a script, its numbers rounded as far as they are ever printed."""
        return {
            "name": self.name,
            "role": self.role or "other",
            "values": self.values.round(4).tolist(),
            "rows": list(self.rows),
            "columns": list(self.columns),
            "digits": self.digits,
        }


def shown(value: float, digits: int) -> str:
    """A number with all its digits, "−0.50"."""
    if np.isneginf(value):
        return "−∞"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def with_subscript(name: str) -> str:
    """A name as HTML: "W_Q" with its Q as a subscript."""
    base, _, index = name.partition("_")
    return text(base) + (f"<sub>{text(index)}</sub>" if index else "")


def lit(yes: bool) -> str:
    """The class of what is under discussion, as an attribute."""
    return classes(lit=yes)


def classes(**held: bool) -> str:
    """Those classes that hold, as an attribute with a space before it; nothing if none does."""
    names = " ".join(f"hw-{name}" for name, holds in held.items() if holds)
    return f' class="{names}"' if names else ""
