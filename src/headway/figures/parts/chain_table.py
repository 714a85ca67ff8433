"""The chain of equivalences as a table: what equals what, and by how much the two differ here."""

from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import require_sentence, table, with_style
from headway.figures.core.styles import part_style

MIME = "application/vnd.headway.chain+json"


@dataclass(frozen=True)
class Link:
    """One row: two objects that were computed in two ways.

    Attributes:
        chapter: which one forges it.
        this: the new object.
        equals: the earlier one.
        where: in which case, or limit, the two are equal.
        difference: the largest difference between their numbers.
    """

    chapter: int
    this: str
    equals: str
    where: str
    difference: float


def link(chapter: int, this: str, equals: str, where: str, new, old) -> Link:
    """Compare two objects.

    Args:
        new, old: arrays of one shape, or what NumPy makes arrays of.

    Raises:
        ValueError: if the shapes differ, they hold nothing, or a number is not finite.
    """
    new, old = np.asarray(new, dtype=float), np.asarray(old, dtype=float)
    if new.shape != old.shape or not new.size:
        raise ValueError(
            f"{this!r} and {equals!r} must have one shape and hold numbers, got {new.shape} and "
            f"{old.shape}"
        )
    if not (np.isfinite(new).all() and np.isfinite(old).all()):
        raise ValueError(f"{this!r} or {equals!r} holds numbers that are not finite")
    for name, words in (("this", this), ("equals", equals), ("where", where)):
        require_sentence(name, words)
    return Link(chapter, this, equals, where, float(np.abs(new - old).max()))


@dataclass(frozen=True)
class ChainTable:
    """Links in order; shows itself as a table. Made by `chain_table`."""

    links: tuple[Link, ...]
    title: str

    def html(self) -> str:
        """The table as HTML."""
        header = ["chapter", "this", "equals", "where", "difference"]
        rows = [
            [one.chapter, one.this, one.equals, one.where, shown(one.difference)]
            for one in self.links
        ]
        return (
            '<figure class="hw-figure"><div class="hw-scroll hw-chain" tabindex="0" role="region" '
            f'aria-label="The chain as a table">{table(header, rows, self.title)}</div></figure>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        lines = [
            f"{one.chapter}. {one.this} = {one.equals} ({one.where}): {shown(one.difference)}"
            for one in self.links
        ]
        data = [{"chapter": one.chapter, "difference": one.difference} for one in self.links]
        return {
            "text/html": with_style(self.html(), part_style("chain_table")),
            "text/plain": "\n".join([self.title, *lines]),
            MIME: data,
        }


def shown(difference: float) -> str:
    """A difference as a reader writes it: 0 is exact, anything else has two digits."""
    if difference == 0:
        return "0, exactly"
    digits, exponent = f"{difference:.1e}".split("e")
    power = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits} · 10{power}"


def chain_table(*links: Link, title: str) -> ChainTable:
    """Show links of the chain.

    Raises:
        ValueError: if there is none, or the chapters are out of order.
    """
    chapters = [one.chapter for one in links]
    if not links or chapters != sorted(chapters):
        raise ValueError(f"links come in the order of their chapters, got {chapters}")
    return ChainTable(links, require_sentence("title", title))
