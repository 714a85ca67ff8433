"""Tables: what a cell has computed, as a table on a page and as plain text in a terminal.

    table(
        ["", "multiplications", "seconds"],
        [["product", T * V * C, by_product], ["lookup", 0, by_lookup]],
        caption="What the two cost",
        form={"multiplications": ",", "seconds": ".6f"},
    )

A column of numbers stands to the right, its digits below each other. A sentence in a cell goes on
in the next line where there is no room. A table that is wider than the page scrolls by itself, with
the mouse, a finger or the keyboard.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from headway.figures.core.page import require_sentence, text, with_style
from headway.figures.core.styles import part_style

SENTENCE = 30  # letters; a column that holds as many holds sentences


@dataclass(frozen=True)
class Table:
    """Cells, written as a reader sees them; shows itself as a table. Made by `table`.

    Attributes:
        headings: one for each column.
        rows: the cells of each row as text; the first names the row.
        to_the_right: for each column, whether it holds numbers.
        caption: what the table shows.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    to_the_right: tuple[bool, ...]
    caption: str

    def html(self) -> str:
        """The table as HTML, in a region that scrolls."""
        head = "".join(
            f'<th scope="col"{side}>{text(heading)}</th>' if heading else f"<td{side}></td>"
            for heading, side in zip(self.headings, self._sides(), strict=True)
        )
        rows = "\n".join(f"<tr>{self._row(row)}</tr>" for row in self.rows)
        return (
            f'<div class="hw-figure hw-tabular"><div class="hw-scroll" tabindex="0" role="region" '
            f'aria-label="{text(self.caption)}"><table><caption>{text(self.caption)}</caption>\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table></div></div>"
        )

    def _sides(self) -> list[str]:
        columns = zip(self.to_the_right, zip(*self.rows, strict=True), strict=True)
        return [side_of(right, max(map(len, cells))) for right, cells in columns]

    def _row(self, row: tuple[str, ...]) -> str:
        (first, *rest), (side, *sides) = row, self._sides()
        cells = (f"<td{side}>{text(cell)}</td>" for cell, side in zip(rest, sides, strict=True))
        return f'<th scope="row"{side}>{text(first)}</th>' + "".join(cells)

    def __str__(self) -> str:
        """The table as plain text, its columns aligned with spaces."""
        lines = [self.headings, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        aligned = (
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, self.to_the_right, strict=True)
            )
            for line in lines
        )
        return "\n".join([self.caption, "", *(line.rstrip() for line in aligned)])

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {
            "text/html": with_style(self.html(), part_style("table")),
            "text/plain": str(self),
        }


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[object]],
    caption: str,
    form: str | Mapping[str, str] = "",
) -> Table:
    """Show rows of cells.

    Args:
        headings: of the columns; that of the first may be empty.
        rows: a cell for each heading. The first cell names the row. None is an empty cell.
        caption: what the table shows, in a few words.
        form: how numbers are written, as after the colon of an f-string: for all columns alike,
            ".2f", or for each heading, {"seconds": ".6f"}. Without one, as `str` writes them.

    Raises:
        ValueError: if there is no row, a row has more or fewer cells than there are headings, or
            `form` names a column that is not there.
    """
    headings = tuple(map(str, headings))
    if not rows:
        raise ValueError("a table has one row at least, got none")
    if ragged := [row for row in rows if len(row) != len(headings)]:
        raise ValueError(
            f"a row has a cell for each of {len(headings)} headings, got {len(ragged[0])} in "
            f"{list(ragged[0])!r}"
        )
    forms = form if isinstance(form, Mapping) else dict.fromkeys(headings, form)
    if unknown := sorted(set(forms) - set(headings)):
        raise ValueError(f"form names {unknown[0]!r}, which is none of {', '.join(headings)}")
    written = tuple(
        tuple(
            as_written(cell, forms.get(heading, ""))
            for heading, cell in zip(headings, row, strict=True)
        )
        for row in rows
    )
    numbers = tuple(
        all(cell is None or is_number(cell) for cell in column)
        for column in zip(*rows, strict=True)
    )
    return Table(headings, written, numbers, require_sentence("caption", caption))


def side_of(right: bool, longest: int) -> str:
    """The class of a column's cells, as an attribute; the longest of them has so many letters."""
    if right:
        return ' class="hw-number"'
    return ' class="hw-wraps"' if longest >= SENTENCE else ""


def is_number(cell: object) -> bool:
    """Whether a cell is a number, and no bool."""
    return isinstance(cell, Real | np.number) and not isinstance(cell, bool | np.bool_)


def as_written(cell: object, form: str) -> str:
    """A cell as text, a number in its form and with a real minus sign."""
    if cell is None:
        return ""
    if not is_number(cell):
        return str(cell)
    return format(cell, form).replace("-", "−")
