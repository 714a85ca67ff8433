"""Drawing: the residual stream as a river, with one row on its way down through the blocks."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

SHOWN = 4  # numbers of a row in the table
TOP, BOTTOM = 66, 72  # above the first gauge, and below the last
GAUGE, HALF = 32, 82  # its height, and half of its width
READS, BEFORE, AFTER = 20, 46, 18  # below a sub-layer's upper edge: where it reads, where what it
#                                    adds begins to join the river, and what is left below that
MOST_BLOCKS = 4


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


def river(flow: River, title: str, caption: str) -> Stepped:
    """The drawing: the row, a step for each sub-layer, and what is read off at the end.

    Args:
        flow: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there are too many blocks to read.
    """
    check(flow)
    size = sizes(flow)
    steps = [
        f"“{flow.name}” becomes a row of {len(flow.row)} numbers, and the row enters the river. "
        f"Four of its numbers are shown; its length is {size[0]:.1f}. It knows "
        f"{said(flow.knows[0])}.",
    ]
    for block, (whom, weight) in enumerate(flow.looks, 1):
        before, after, last = size[2 * block - 2 : 2 * block + 1]
        steps += [
            f"Block {block}: attention reads the row, looks at “{whom}” with {weight:.0%} of a "
            f"head’s weight, and adds what it finds. The row’s length goes from {before:.1f} to "
            f"{after:.1f}.",
            f"Block {block}: the feed-forward network reads the row alone, and adds to it. Now the "
            f"length is {last:.1f}, and the row knows {said(flow.knows[block])}.",
        ]
    steps.append(
        f"After the last block the answer is read off: {flow.knows[-1][0]}. Nothing was taken out "
        f"of the river; {len(flow.updates)} times something was added."
    )
    alt = f"“{flow.name}” runs down through {len(flow.looks)} blocks. " + " ".join(steps[1:-1])
    return stepped(
        draw(flow, WIDE, alt).svg(),
        steps=steps,
        title=title,
        caption=caption,
        alt=alt,
        header=["row", "first four numbers", "length", "knows"],
        rows=table_rows(flow),
        upright=draw(flow, NARROW, alt).svg(upright=True),
    )


def check(flow: River) -> None:
    """Raise ValueError as `river` says."""
    blocks, C = len(flow.looks), np.shape(flow.row)[-1]
    wanted = ((C,), (2 * blocks, C), blocks + 1)
    given = (np.shape(flow.row), np.shape(flow.updates), len(flow.knows))
    if given != wanted:
        raise ValueError(
            f"{blocks} blocks need a row, updates and what is known {wanted}, got {given}"
        )
    if not 1 <= blocks <= MOST_BLOCKS or C < SHOWN:
        raise ValueError(
            f"one can read up to {MOST_BLOCKS} blocks, and rows of {SHOWN} numbers at least; got "
            f"{blocks} and {C}"
        )


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


def table_rows(flow: River) -> list[list[object]]:
    """The numbers of the drawing."""
    names = [
        f"{part} of block {block}"
        for block in range(1, len(flow.looks) + 1)
        for part in ("attention", "feed-forward")
    ]
    known = [said(flow.knows[0])]
    for each in flow.knows[1:]:
        known += ["–", said(each)]
    places = ["before block 1", *(f"after the {name}" for name in names)]
    listed = list(zip(places, rows(flow), known, strict=True))
    listed += [
        (f"added by the {name}", update, "–")
        for name, update in zip(names, flow.updates, strict=True)
    ]
    return [
        [name, ", ".join(shown(x, 1) for x in row[:SHOWN]), f"{np.linalg.norm(row):.1f}", each]
        for name, row, each in listed
    ]


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
        with self.canvas.moving("draws"):
            self.canvas.line([(self.middle, y + 16), (self.middle, y + 42)], "residual", 4, True)
        self.canvas.write(self.middle, y + 58, self.flow.knows[-1][0], "word")
