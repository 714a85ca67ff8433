"""The strip at the head of a chapter: the machine in small, with the chapter's parts lit."""

from collections.abc import Collection, Iterable

from headway.figures.core.page import text
from headway.figures.machine.parts import PARTS, find_part
from headway.figures.machine.svg import rectangle, wiring
from headway.figures.machine.wide import wide


def thumbnail(lit: Collection[str]) -> str:
    """The wide drawing without words, some parts filled; decoration beside a text that says so."""
    layout = wide()
    boxes = "".join(rectangle(box, _classes(box.frame, box.part in lit)) for box in layout.boxes)
    return (
        f'<svg class="hw-machine-small" viewBox="0 0 {layout.width} {layout.height}" '
        f'aria-hidden="true">{boxes}{wiring(layout.wires, tips=False)}</svg>'
    )


def _classes(frame: bool, lit: bool) -> str:
    kinds = " ".join(kind for kind, holds in (("hw-frame", frame), ("hw-lit", lit)) if holds)
    return f' class="{kinds}"' if kinds else ""


def strip(parts: Iterable[str], href: str) -> str:
    """The strip as HTML.

    Args:
        parts: ids of what the chapter explains, the chief one first; none if it is about the whole,
            which is lit then.
        href: where the map stands.

    Raises:
        LookupError: if the machine has no such part.
    """
    found = [find_part(name) for name in parts]
    names = ", ".join(part.name for part in found) or "the whole machine"
    does = found[0].does if found else ""
    return (
        '<div class="hw-figure hw-machine-strip" role="note">\n'
        f"{thumbnail([part.id for part in found] or PARTS)}\n"
        f"<p><strong>This chapter in the machine: {text(names)}.</strong> {text(does)} "
        f'<a href="{text(href)}">See the whole machine</a></p>\n</div>'
    )
