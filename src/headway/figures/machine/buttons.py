"""The machine as the control of a live figure: each part a button that opens its numbers.

`gallery/translator/live_translator/machine.js` makes buttons out of it: one of them is pressed, and
the arrow keys lead from one to the next.
"""

from headway.figures.core.page import text
from headway.figures.machine.compact import compact
from headway.figures.machine.drawing import drawing, label_of, printed
from headway.figures.machine.layout import Box
from headway.figures.machine.svg import rectangle
from headway.figures.machine.wide import wide


def machine_buttons(label: str) -> str:
    """The drawing for a wide and for a narrow figure as HTML, of which one is seen.

    Args:
        label: what the buttons do, for readers who do not see the drawing.
    """
    role = f'role="toolbar" aria-label="{text(label)}"'
    drawings = "".join(drawing(layout, role, _button) for layout in (wide(), compact()))
    return f'<div class="hw-machine hw-machine-drawings">{drawings}</div>'


def _button(box: Box) -> str:
    kind = "hw-part" + (" hw-frame" if box.frame else "")
    return (
        f'<g class="{kind}" role="button" tabindex="-1" aria-pressed="false" '
        f'data-place="{box.place}" aria-label="{text(_name(box))}">'
        f"{rectangle(box)}{printed(box)}</g>"
    )


def _name(box: Box) -> str:
    """A box's label, and where it stands: "heads, decoder’s cross-attention"."""
    label = label_of(box)
    if box.frame or not box.side:
        return label
    within = f"’s {box.within}" if box.within not in ("", box.part) else ""
    return f"{label}, {box.side}{within}"
