"""Figure: a product of matrices, cell by cell: which row meets which column."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.matrix import ROLES, Matrix

WIDE, HIGH = 0.4, 0.27  # of a cell in the static picture, in inches


@dataclass(frozen=True)
class Product:
    """One product in the figure's menu.

    Attributes:
        name: in the menu, "scores = Q Kᵀ / √D".
        left, right, out: (R, K), (K, C), (R, C).
        divisor: each sum of products is divided by it.
        divided: the divisor in the reader's words, "√2"; only if it is not 1.
    """

    name: str
    left: Matrix
    right: Matrix
    out: Matrix
    divisor: float = 1.0
    divided: str = ""


def matrix_product(
    products: Sequence[Product], title: str, caption: str, start: tuple[int, int] = (0, 0)
) -> Interactive:
    """Step through the cells of a product and see the row and the column that meet there.

    Args:
        products: one or more; the first is shown at first.
        title, caption: as printed.
        start: row and column of the cell that is lit at first.

    Raises:
        ValueError: if there is no product, `start` is not in the first one, or an `out` is not
            what comes out.
    """
    if not products:
        raise ValueError("the figure needs at least one product")
    for one in products:
        check_product(one)
    first, (row, column) = products[0], start
    if not (0 <= row < first.out.shape[0] and 0 <= column < first.out.shape[1]):
        raise ValueError(f"{first.out.name} has no cell {start}; its shape is {first.out.shape}")
    return Interactive(
        script="matrix_product",
        data={
            "products": [
                {
                    "name": one.name,
                    **{part: getattr(one, part).data() for part in ("left", "right", "out")},
                    "divisor": one.divisor,
                    "divided": one.divided,
                }
                for one in products
            ],
            "start": list(start),
        },
        title=title,
        caption=caption,
        alt=f"{first.name}: {described(first.left)} times {described(first.right)} gives "
        f"{described(first.out)}. Lit: row {named(first.left.rows, row)} of {first.left.name}, "
        f"column {named(first.right.columns, column)} of {first.right.name}, and where they meet "
        f"{first.out.cells[row][column]}.",
        header=["product, row", *(f"column {c + 1}" for c in range(widest(products)))],
        rows=[
            [f"{one.out.name}: {named(one.out.rows, r)}", *cells, *filler(one, products)]
            for one in products
            for r, cells in enumerate(one.out.cells)
        ],
        draw=lambda ax: draw_product(ax, first, row, column),
        width=picture_width(first),
        height=HIGH * tallest(first) + 0.65,
    )


def check_product(one: Product) -> None:
    """Raise ValueError unless `out` is left @ right / divisor."""
    if one.left.shape[1] != one.right.shape[0]:
        raise ValueError(
            f"{one.left.name} {one.left.shape} has rows of {one.left.shape[1]} numbers, but "
            f"{one.right.name} {one.right.shape} columns of {one.right.shape[0]}"
        )
    found = one.left.values @ one.right.values / one.divisor
    if found.shape != one.out.shape or not np.allclose(found, one.out.values, atol=1e-4):
        raise ValueError(f"{one.out.name} is not {one.left.name} @ {one.right.name}")
    if (one.divisor != 1) != bool(one.divided):
        raise ValueError(f"{one.name}: say what {one.divisor} is, and only if it is not 1")


def described(matrix: Matrix) -> str:
    return f"{matrix.name} {matrix.shape}"


def named(names: Sequence[str], place: int) -> str:
    """A row or column by its name, or by its number from 1."""
    return f"“{names[place]}”" if names else str(place + 1)


def widest(products: Sequence[Product]) -> int:
    return max(one.out.shape[1] for one in products)


def filler(one: Product, products: Sequence[Product]) -> list[str]:
    """Empty cells behind the rows of narrower products."""
    return [""] * (widest(products) - one.out.shape[1])


def tallest(one: Product) -> int:
    return max(one.left.shape[0], one.right.shape[0], one.out.shape[0])


def picture_width(one: Product) -> float:
    """How wide the static picture of a product is, in inches."""
    return sum(sign + matrix.shape[1] * WIDE for sign, matrix in spaced(one)) + 0.1


def spaced(one: Product) -> list[tuple[float, Matrix]]:
    """The three matrices, each with the inches that its sign and the names of its rows take."""
    signs = (0.1, 0.3, 0.7 if one.divided else 0.3)
    matrices = (one.left, one.right, one.out)
    return [(sign + 0.55 * bool(m.rows), m) for sign, m in zip(signs, matrices, strict=True)]


def draw_product(ax, one: Product, row: int, column: int) -> None:
    """The static picture: three grids, the row and the column that meet framed."""
    ax.axis("off")
    signs = ("", "@", f"/ {one.divided} =" if one.divided else "=")
    framed = ((row, None), (None, column), (row, column))
    end = 0.0
    for (space, matrix), sign, frame in zip(spaced(one), signs, framed, strict=True):
        ax.text(end + 0.08, HIGH * tallest(one) / 2, sign, va="center")
        draw_matrix(ax, matrix, end + space, frame)
        end += space + matrix.shape[1] * WIDE
    ax.set(xlim=(0, picture_width(one)), ylim=(HIGH * (tallest(one) + 0.2), -0.55))


def draw_matrix(ax, matrix: Matrix, left: float, framed: tuple[int | None, int | None]) -> None:
    """One grid, its first column at `left`; numbers stand in the framed row and column only."""
    R, C = matrix.shape
    hue = ROLES[matrix.role]
    ax.text(left, -0.32, described(matrix), color=hue, size=9, weight="bold")
    for c, name in enumerate(matrix.columns):
        ax.text(left + (c + 0.5) * WIDE, -0.07, name, ha="center", size=6.5)
    for r, name in enumerate(matrix.rows):
        ax.text(left - 0.05, (r + 0.5) * HIGH, name, ha="right", va="center", size=8)
    ax.imshow(
        shaded(matrix),
        extent=(left, left + C * WIDE, R * HIGH, 0),
        aspect="auto",
        interpolation="none",
    )
    row, column = framed
    for r in range(R) if row is None else [row]:
        for c in range(C) if column is None else [column]:
            middle = (left + (c + 0.5) * WIDE, (r + 0.5) * HIGH)
            ax.text(*middle, matrix.cells[r][c], ha="center", va="center", size=7)
    first, wide = (0, C) if column is None else (column, 1)
    top, high = (0, R) if row is None else (row, 1)
    x, y = left + first * WIDE, top * HIGH
    right, low = x + wide * WIDE, y + high * HIGH
    ax.plot([x, right, right, x, x], [y, y, low, low, y], color="k", lw=1.4)


def shaded(matrix: Matrix) -> np.ndarray:
    """(R, C, 4): the color of each cell; one image takes fewer bytes than a path for each."""
    from matplotlib.colors import to_rgba

    hue, gray = to_rgba(ROLES[matrix.role]), to_rgba("0.5")
    colors = np.where((matrix.values >= 0)[:, :, None], hue, gray)
    colors[:, :, 3] = 0.08 + 0.4 * matrix.shares
    return colors
