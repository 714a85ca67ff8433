"""Matrices in a line, with signs between them: a product one can look at.

    grid(
        Matrix("X", X, rows=words, role="residual", lit_rows=[5]),
        "@", Matrix("W_Q", W_Q, role="query"),
        "=", Matrix("Q", Q, rows=words, role="query", lit_rows=[5]),
        title="Each row of X becomes a query",
    )

The matrices are tables, so they need no other text alternative; on a narrow page they stand below
each other. `headway.figures.gallery.attention.matrix_product` steps through a product cell by cell.
"""

from dataclasses import dataclass

from headway.figures.core.matrix import Matrix
from headway.figures.core.page import new_id, real_minus, require_sentence, text, with_style
from headway.figures.core.styles import part_style


@dataclass(frozen=True)
class Grid:
    """Matrices and signs in order; shows itself. Made by `grid`."""

    parts: tuple[Matrix | str, ...]
    title: str
    caption: str = ""

    def html(self) -> str:
        """The line as HTML. A sign stays with the matrix behind it."""
        name = new_id("grid")
        items, sign = [], ""
        for part in self.parts:
            if isinstance(part, str):
                sign = f'<span class="hw-sign">{text(part)}</span>'
                continue
            items.append(
                f'<div class="hw-term">{sign}<div class="hw-scroll" tabindex="0" role="region" '
                f'aria-label="{text(part.name)} as a table">{part.html()}</div></div>'
            )
            sign = ""
        caption = f"\n<figcaption>{text(self.caption)}</figcaption>" if self.caption else ""
        return (
            f'<figure class="hw-figure" role="group" aria-labelledby="{name}">\n'
            f'<p class="hw-title" id="{name}">{text(self.title)}</p>\n'
            f'<div class="hw-terms">{"".join(items)}</div>{caption}\n</figure>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        lines = [part if isinstance(part, str) else part.plain() for part in self.parts]
        return {
            "text/html": with_style(self.html(), part_style("grid")),
            "text/plain": "\n".join([self.title, *lines, *filter(None, [self.caption])]),
        }


def grid(*parts: Matrix | str, title: str, caption: str = "") -> Grid:
    """Show matrices beside each other.

    Args:
        *parts: matrices, and signs ("@", "=", "→") in front of them.
        title: the finding in a sentence.
        caption: what else to know.

    Raises:
        ValueError: if there is no matrix, or a sign has none behind it.
        TypeError: if a part is neither a matrix nor a sign.
    """
    if not parts:
        raise ValueError("a grid shows at least one matrix")
    for part, following in zip(parts, [*parts[1:], None], strict=True):
        if not isinstance(part, Matrix | str):
            raise TypeError(f"a grid holds matrices and signs, got {part!r}")
        if isinstance(part, str) and not isinstance(following, Matrix):
            raise ValueError(f"the sign {part!r} has no matrix behind it")
    return Grid(parts, require_sentence("title", title), real_minus(caption))
