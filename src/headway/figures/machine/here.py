"""Where a chapter is: the way through the machine in one line, lit where the chapter is."""

from collections.abc import Collection, Mapping, Sequence

from headway.figures.core.page import text
from headway.figures.machine.map import Place
from headway.figures.machine.parts import PARTS, Part, find_part
from headway.figures.machine.zoom import inside


def machine_here(
    parts: Sequence[str], places: Mapping[str, Place], opened: tuple[str, str] | None = None
) -> str:
    """The strip at a chapter's place, as HTML.

    Args:
        parts: ids of what the chapter explains; none if it is about the whole, which is lit then.
        places: for each part of the machine, where it is explained.
        opened: the part whose steps can be unfolded, and what to look for in them.

    Raises:
        LookupError: if the machine has no such part, or nothing is drawn inside the opened one.
        KeyError: if a part has no place.
    """
    lit = [find_part(name).id for name in parts] or list(PARTS)
    stations = "".join(_station(part, places[part.id], lit) for part in PARTS.values())
    return (
        '<nav class="hw-machine hw-machine-here" aria-label="This chapter in the machine">\n'
        f'<ol class="hw-strip">{stations}</ol>\n{_inside(*opened) if opened else ""}</nav>'
    )


def _station(part: Part, place: Place, lit: Collection[str]) -> str:
    here = ' class="hw-lit"' if part.id in lit else ""
    title = text(f"{part.does} ({place.says})")
    return f'<li{here}><a href="{text(place.href)}" title="{title}">{text(part.name)}</a></li>'


def _inside(part: str, caption: str) -> str:
    name = text(find_part(part).name)
    return f"<details><summary>Inside {name}</summary>\n{inside(part, caption)}</details>\n"
