"""What a chapter of the curriculum is; `headway.chapters` has the table of all of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    """One row of the table.

    Attributes:
        number: position in the curriculum, 1 to 20.
        slug: short name in the field's words, with hyphens.
        title: as printed above the page.
        parts: what it explains of the machine that `headway.figures.machine` draws; nothing if it
            is about the whole.
        modules: modules of `headway` that the page explains, as dotted names.
        also_hidden: further ones that answer a task of the assignment, or nearly.
    """

    number: int
    slug: str
    title: str
    parts: tuple[str, ...]
    modules: tuple[str, ...]
    also_hidden: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Number and slug, "01-one-hot": names the page, the assignment and its tasks."""
        return f"{self.number:02d}-{self.slug}"

    @property
    def notebook(self) -> str:
        """Path of the assignment's notebook below `solutions/` or `exercises/`."""
        return f"{self.name}/{self.name}.ipynb"
