"""One row on its way down through blocks, as a river that every part of them adds to."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas

TOP, BOTTOM = 66, 72  # above the first gauge, and below the last
GAUGE, HALF = 32, 82  # its height, and half of its width
READS, BEFORE, AFTER = 20, 46, 18  # below a sub-layer's upper edge: where it reads, where what it
#                                    adds begins to join the river, and what is left below that


@dataclass(frozen=True)
class River:
    """One row of a text, and what the sub-layers of a stack add to it.

    Attributes:
        name: what the row stands for.
        row: (C,), the row before the first block.
        updates: (2L, C), what attention and feed-forward add to it, block by block.
        looks: for each of L attentions, whom its strongest head looks at, and with which weight.
        knows: for the row before the first block and after each, the farthest thing that can be
            read off it, and how many steps on that is.
    """

    name: str
    row: np.ndarray
    updates: np.ndarray
    looks: Sequence[tuple[str, float]]
    knows: Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Form:
    """The measures of a drawing: its width, a box's, and the river's.

    Attributes:
        norm: from a box to the middle of what is on its way there.
        below: how far its texts are below its middle.
        letters: in a line of a box.
        least: the height that what is added takes at least.
    """

    width: float
    box: float
    widest: float
    norm: float
    below: float
    letters: int
    least: float


WIDE = Form(width=740, box=200, widest=92, norm=62, below=0, letters=26, least=34)
NARROW = Form(width=380, box=128, widest=62, norm=2, below=16, letters=16, least=50)


def rows(flow: River) -> np.ndarray:
    """(2L + 1, C), the row before the first sub-layer and after each."""
    return flow.row + np.concatenate([np.zeros((1, len(flow.row))), np.cumsum(flow.updates, 0)])


def sizes(flow: River) -> np.ndarray:
    """(2L + 1,), the length of the row before the first sub-layer and after each."""
    return np.linalg.norm(rows(flow), axis=1)


def said(known: tuple[str, int]) -> str:
    """What can be read off, and how far on it is."""
    name, steps = known
    return f"“{name}”, {steps} {'step' if steps == 1 else 'steps'} on"


def draw(flow: River, form: Form, alt: str) -> Canvas:
    """The drawing."""
    size, norms = sizes(flow), np.linalg.norm(flow.updates, axis=1)
    scale = form.widest / max(size.max(), norms.max())
    levels = [TOP]  # heights of the gauges
    for block in range(len(flow.looks)):
        thick = norms[2 * block : 2 * block + 2] * scale
        levels.append(
            levels[-1] + sum(BEFORE + max(each, form.least) + AFTER for each in thick) + GAUGE
        )
    canvas = Canvas(form.width, levels[-1] + BOTTOM, alt)
    drawn = Drawn(canvas, flow, form, scale)
    with canvas.step(1):
        drawn.begins()
        drawn.gauge(0, TOP)
    for block in range(len(flow.looks)):
        with canvas.step(2 + 2 * block):
            y = drawn.sub_layer(2 * block, levels[block] + GAUGE / 2)
        with canvas.step(3 + 2 * block):
            drawn.sub_layer(2 * block + 1, y)
            with canvas.moving("appears", after=2):
                drawn.gauge(block + 1, levels[block + 1])
    with canvas.step(2 + 2 * len(flow.looks)):
        drawn.ends(levels[-1])
    return canvas


class Drawn:
    """The parts of the drawing.

    Args:
        scale: how wide a row of length one is.
    """

    def __init__(self, canvas: Canvas, flow: River, form: Form, scale: float):
        self.canvas, self.flow, self.form, self.scale = canvas, flow, form, scale
        self.middle, self.widths = form.width / 2, sizes(flow) * scale

    def begins(self) -> None:
        """The name of the row, and the river above the first gauge."""
        self.canvas.write(self.middle, 16, self.flow.name, "word")
        with self.canvas.moving("falls"):
            self.canvas.band(self.middle, 36, self.widths[0], TOP, self.widths[0], "residual")

    def gauge(self, level: int, y: float) -> None:
        """What can be read off the row at this height."""
        name, _ = known = self.flow.knows[level]
        self.canvas.box(self.middle - HALF, y - GAUGE / 2, 2 * HALF, GAUGE, tone="residual")
        self.canvas.write(self.middle, y, f"knows “{name}”", "big")
        place = "before block 1" if level == 0 else f"after block {level}"
        self.canvas.write(self.middle - HALF - 8, y, place, "end")
        self.canvas.write(self.middle + HALF + 8, y, said(known).split(", ")[-1], "start")

    def sub_layer(self, number: int, y: float) -> float:
        """One box on a bank: what it reads, what it adds, and the river down to the next."""
        canvas, form, block = self.canvas, self.form, number // 2
        side, tone = (1, "ink") if number % 2 else (-1, "value")
        inner = self.middle + side * (self.middle - form.box)  # the box's edge at the river
        thick = max(1.5, float(np.linalg.norm(self.flow.updates[number])) * self.scale)
        tall = max(thick, form.least)
        reads, joins = y + READS, y + BEFORE + tall / 2
        begins, ends = joins - thick / 2, y + BEFORE + tall + AFTER
        before, after = self.widths[number : number + 2]
        left, right = sorted((inner + side * 20, self.middle))
        with canvas.moving("arrives", dx=side * 60, after=0.7):
            canvas.branch((left, joins), (right, joins), thick, tone)
        canvas.band(self.middle, y - 1, before, begins + 0.5, before, "residual")
        with canvas.moving("falls", after=1.3):
            below = joins + thick / 2 + 4
            canvas.band(self.middle, begins, before, below, after, "residual")
            canvas.band(self.middle, below - 0.5, after, ends + 1, after, "residual")
        with canvas.moving("draws"):
            canvas.line([(self.middle, reads), (inner, reads)], "residual", 2, arrow=True)
        canvas.dot(self.middle, reads, 4, "residual")
        outer = 4 if side < 0 else inner
        canvas.box(outer, y + 4, form.box - 4, ends - y - 10)
        canvas.box(inner - side * form.norm - 23, reads - 11, 46, 22)
        canvas.write(inner - side * form.norm, reads, "norm")
        whom, weight = self.flow.looks[block]
        name = "feed-forward" if number % 2 else "attention"
        notes = "reads the row alone" if number % 2 else f"looks at “{whom}” ({weight:.0%})"
        lines = wrap(notes, form.letters)
        center, top = outer + form.box / 2 - 2, (y + ends + form.below) / 2 - 9 * len(lines)
        canvas.write(center, top, name, "big")
        for line, note in enumerate(lines, 1):
            canvas.write(center, top + 2 + 17 * line, note)
        with canvas.moving("appears", after=1.1):
            canvas.circle(self.middle, joins, 9)
            canvas.write(self.middle, joins, "+", "big")
        return ends

    def ends(self, y: float) -> None:
        """What is read off below the last gauge."""
        with self.canvas.moving("draws"):
            self.canvas.line([(self.middle, y + 16), (self.middle, y + 42)], "residual", 4, True)
        self.canvas.write(self.middle, y + 58, self.flow.knows[-1][0], "word")
