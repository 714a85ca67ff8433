"""A whole drawing as SVG: frames, wires, what stands in the frames, and what the colors mean."""

from collections.abc import Callable

from headway.figures.core.page import text
from headway.figures.core.palette import MEANINGS
from headway.figures.machine.layout import Box, Layout
from headway.figures.machine.parts import PARTS
from headway.figures.machine.svg import path, size, wiring, words

LEGEND = {"query": "queries", "key": "keys", "value": "values", "residual": "residual stream"}
NOTE = ' class="hw-machine-note"'


def drawing(layout: Layout, role: str, draw_box: Callable[[Box], str]) -> str:
    """The drawing of a layout.

    Args:
        layout: the places.
        role: attributes that say what the drawing is, and its name.
        draw_box: a box as SVG, whatever it is to the reader: a link, a button.
    """
    frames = "".join(draw_box(box) for box in layout.boxes if box.frame)
    inside = "".join(draw_box(box) for box in layout.boxes if not box.frame)
    return (
        f'<svg class="hw-machine-{layout.name}" '
        f'viewBox="0 0 {size(layout.width)} {size(layout.height)}" {role}>'
        f"{frames}{wiring(layout.wires)}{inside}"
        f"{words(*layout.memory, 'memory', NOTE)}{_legend(*layout.legend)}</svg>"
    )


def label_of(box: Box) -> str:
    """What is printed in a box: its own label, or the name of its part."""
    return PARTS[box.part].name if box.label == box.part else box.label


def printed(box: Box, more: str = "") -> str:
    """The text of a box, in its middle or at the top of a frame, with `more` markup behind it."""
    x, y = box.x + box.width / 2, box.y + box.height / 2
    if box.frame:
        x, y = box.x + 10, box.y + 15
    return f'<text x="{size(x)}" y="{size(y)}">{text(label_of(box))}{more}</text>'


def _legend(x: float, y: float) -> str:
    """What the colors mean, one below the other."""
    rows = enumerate(MEANINGS)
    return "".join(
        f'<path class="hw-wire hw-is-{name}" d="{path([(x, y + 18 * i), (x + 22, y + 18 * i)])}"/>'
        + words(x + 28, y + 18 * i, LEGEND[name], NOTE)
        for i, name in rows
    )
