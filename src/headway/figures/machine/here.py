"""Where a chapter is: the map with its parts lit, and one of them opened."""

from collections.abc import Mapping, Sequence

from headway.figures.core.page import new_id, text
from headway.figures.machine.map import Place, drawings
from headway.figures.machine.parts import find_part
from headway.figures.machine.zoom import inside


def machine_here(
    parts: Sequence[str], places: Mapping[str, Place], opened: tuple[str, str] | None = None
) -> str:
    """The map at a chapter's place, as HTML.

    Args:
        parts: ids of what the chapter explains, the chief one first; none if it is about the whole,
            which is lit then.
        places: for each part of the machine, where it is explained.
        opened: the part whose steps are drawn below the map, and what to look for in them.

    Raises:
        LookupError: if the machine has no such part, or nothing is drawn inside the opened one.
        ValueError: if a part has no place.
    """
    found = [find_part(name) for name in parts]
    names = ", ".join(part.name for part in found) or "the whole machine"
    does = f"<figcaption>{text(found[0].does)}</figcaption>\n" if found else ""
    name = new_id("machine")
    return (
        f'<figure class="hw-figure hw-machine hw-machine-here" aria-labelledby="{name}">\n'
        f'<p class="hw-title" id="{name}">This chapter in the machine: {text(names)}</p>\n'
        f"{drawings(places, name, lit=[part.id for part in found] or list(places))}\n{does}"
        f"{inside(*opened) if opened else ''}</figure>"
    )
