"""A part of the machine from near: its steps."""

from collections.abc import Sequence

from headway.figures.core.page import new_id, require_sentence, text
from headway.figures.machine.layout import Box, Wire
from headway.figures.machine.parts import find_part
from headway.figures.machine.svg import rectangle, size, wiring, words
from headway.figures.machine.zooms import ZOOMS, Step

COLUMN, ROW, GAP, EDGE = 112, 42, 20, 4  # of the grid; rows stand GAP apart, columns 10
WIDTH = 3 * COLUMN + 20 + 2 * EDGE


def zoom(part: str, caption: str) -> str:
    """The steps inside a part, as HTML.

    Args:
        part: its id; one of `ZOOMS`.
        caption: what to look for, below the drawing.

    Raises:
        LookupError: if there is no such part, or nothing is drawn of its inside.
        ValueError: if there is no caption.
    """
    name, opened = new_id("zoom"), inside(part, caption)
    return (
        f'<figure class="hw-figure hw-machine" aria-labelledby="{name}">\n'
        f'<p class="hw-title" id="{name}">Inside the machine: {text(find_part(part).name)}</p>\n'
        f"{opened}</figure>"
    )


def inside(part: str, caption: str) -> str:
    """The steps inside a part and their caption, for a figure; arguments and errors as `zoom`."""
    found = find_part(part)
    if part not in ZOOMS:
        raise LookupError(f"Nothing is drawn inside {part!r}. There are: {', '.join(ZOOMS)}.")
    caption = require_sentence("caption", caption)
    return (
        f'<div class="hw-zoom">{draw(ZOOMS[part], found.name)}</div>\n'
        f'<p class="hw-zoom-caption">{text(caption)}</p>\n'
    )


def draw(steps: Sequence[Step], name: str) -> str:
    """Steps as boxes, with a wire from each to those that use it."""
    boxes = {step.id: _box(step) for step in steps}
    wires = [
        _wire(boxes[used], boxes[step.id], next(s.tone for s in steps if s.id == used))
        for step in steps
        for used in step.uses
    ]
    height = max(box.y + box.height for box in boxes.values()) + EDGE
    inside = "".join(_drawn(step, boxes[step.id]) for step in steps)
    return (
        f'<svg class="hw-zoom-steps" viewBox="0 0 {WIDTH} {size(height)}" role="img" '
        f'aria-label="{text(alternative(steps, name))}">{wiring(wires)}{inside}</svg>'
    )


def alternative(steps: Sequence[Step], name: str) -> str:
    """The drawing in words: each step, its shape, and what it is computed from."""
    labels = {step.id: step.label for step in steps}
    sentences = [
        f"{step.label}, {step.shape}"
        + (f", from {' and '.join(labels[used] for used in step.uses)}" if step.uses else "")
        for step in steps
    ]
    return f"Steps of {name}. {'; '.join(sentences)}."


def _box(step: Step) -> Box:
    x, y = EDGE + step.column * (COLUMN + 10), EDGE + step.row * (ROW + GAP)
    width = step.columns * COLUMN + (step.columns - 1) * 10
    return Box("", step.label, x, y, width, ROW)


def _wire(one: Box, other: Box, tone: str) -> Wire:
    """Down from one box to another, straight where the two stand above each other."""
    left, right = max(one.x, other.x), min(one.x + one.width, other.x + other.width)
    leaves, enters = one.y + one.height, other.y
    if left < right:
        middle = (left + right) / 2
        return Wire(((middle, leaves), (middle, enters)), tone)
    if other.x > one.x:  # out of the side, and down
        to = other.x + 40
        return Wire(((one.x + one.width, one.y + 30), (to, one.y + 30), (to, enters)), tone)
    at, side = one.x + 40, other.y + other.height / 2
    return Wire(((at, leaves), (at, side), (other.x + other.width, side)), tone)


def _drawn(step: Step, box: Box) -> str:
    middle = box.x + box.width / 2
    kind = f' class="hw-is-{step.tone}"' if step.tone else ""
    return (
        rectangle(box, kind)
        + words(middle, box.y + 15, step.label)
        + words(middle, box.y + 30, step.shape, ' class="hw-zoom-shape"')
    )
