"""The rows of a table of positions that a piece of text needs."""

from torch import Tensor

from headway.shapes import ShapeError


def rows(table: Tensor, x: Tensor, offset: int) -> Tensor:
    """The rows (T, C) of `table` (N, C) for the T positions of x (..., T, C) from `offset` on."""
    (N, width), (T, C) = table.shape, x.shape[-2:]
    if width != C:
        raise ShapeError(
            f"x {tuple(x.shape)} has vectors of {C}, the positions {tuple(table.shape)} have "
            f"{width}. Are time and width swapped, or heads not split yet?"
        )
    if not 0 <= offset <= N - T:
        raise ShapeError(
            f"x {tuple(x.shape)} at offset {offset} needs positions {offset} … {offset + T - 1}, "
            f"the table {tuple(table.shape)} has 0 … {N - 1}. Is the text longer than the context?"
        )
    return table[offset : offset + T]
