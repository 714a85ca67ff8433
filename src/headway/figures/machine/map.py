"""The map: the whole machine, where each part leads to the chapter that explains it."""

from collections.abc import Mapping
from dataclasses import dataclass

from headway.figures.core.page import new_id, text
from headway.figures.machine.drawing import drawing, label_of, printed
from headway.figures.machine.layout import Box
from headway.figures.machine.narrow import narrow
from headway.figures.machine.parts import PARTS
from headway.figures.machine.svg import rectangle
from headway.figures.machine.wide import wide


@dataclass(frozen=True)
class Place:
    """Where a part is explained.

    Attributes:
        chapter: number of the chapter that it belongs to.
        title: of this chapter.
        href: of its page.
    """

    chapter: int
    title: str
    href: str

    @property
    def says(self) -> str:
        """The place in words."""
        return f"chapter {self.chapter}, {self.title}"


def machine_map(places: Mapping[str, Place], title: str, caption: str) -> str:
    """The map as HTML.

    Args:
        places: for each part, where it is explained.
        title, caption: as printed.

    Raises:
        ValueError: if a part has no place, or there is a place for what is no part.
    """
    name = new_id("machine")
    return (
        f'<figure class="hw-figure hw-machine" aria-labelledby="{name}">\n'
        f'<p class="hw-title" id="{name}">{text(title)}</p>\n'
        f"{drawings(places, name)}\n"
        f"<figcaption>{text(caption)}</figcaption>\n"
        "<details><summary>The machine in words</summary>\n"
        f"<ol>{''.join(_in_words(part, places[part]) for part in PARTS)}</ol></details>\n</figure>"
    )


def drawings(places: Mapping[str, Place], name: str) -> str:
    """The machine for a wide and for a narrow page as HTML, of which one is seen.

    Args:
        places: for each part, where it is explained.
        name: id of the title above.

    Raises:
        ValueError: if a part has no place, or there is a place for what is no part.
    """
    if odd := sorted(places.keys() ^ PARTS.keys()):
        raise ValueError(f"each part of the machine needs one place; see {', '.join(odd)}")
    drawn = "\n".join(
        drawing(layout, f'role="group" aria-labelledby="{name}"',
                lambda box: _linked(box, places[box.part]))
        for layout in (wide(), narrow())
    )  # fmt: skip
    return f'<div class="hw-machine-drawings">{drawn}</div>'


def _linked(box: Box, place: Place) -> str:
    """A box, as a link to the page that explains its part."""
    kind = "hw-part hw-frame" if box.frame else "hw-part"
    number = f'<tspan class="hw-number" dx="3">{place.chapter}</tspan>'
    title = text(f"{label_of(box)}: {place.says}")
    inside = f"<title>{title}</title>{rectangle(box)}{printed(box, number)}"
    return f'<a class="{kind}" href="{text(place.href)}">{inside}</a>'


def _in_words(part: str, place: Place) -> str:
    said = PARTS[part]
    where = text(place.says[0].upper() + place.says[1:])
    where = f'<a href="{text(place.href)}">{where}</a>'
    return f"<li><strong>{text(said.name)}</strong>: {text(said.does)} {where}.</li>"
