"""Drawing: the residual stream as a river, with one row on its way down through the blocks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

WIDTH, MIDDLE = 800, 400  # of the drawing, and where the river runs
TOP, BLOCK, BOTTOM = 76, 214, 62  # above the first row, from one row to the next, below the last
WIDEST, CELL, SHOWN = 150, 31, 4  # of the river and of a number, and how many numbers are printed
BOX, TALL = 170, 84  # of a sub-layer
READS, JOINS, NEXT = 34, 82, 78  # below a row: where attention reads, where it joins, and how much
#                                 lower the feed-forward does both
CUT = 12  # how far below the middle of a row's numbers the next piece of the river begins
MOST_BLOCKS = 4


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
        draw(flow, alt),
        steps=steps,
        title=title,
        caption=caption,
        alt=alt,
        header=["row", "first four numbers", "length", "knows"],
        rows=table_rows(flow),
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


def draw(flow: River, alt: str) -> str:
    """The drawing as SVG."""
    blocks, whole, size = len(flow.looks), rows(flow), sizes(flow)
    canvas = Canvas(WIDTH, TOP + blocks * BLOCK + BOTTOM, alt)
    scale = WIDEST / max(size.max(), np.linalg.norm(flow.updates, axis=1).max())
    largest = float(np.abs(whole[:, :SHOWN]).max())

    def gauge(level: int) -> None:
        """The row's numbers across the river, and what the row knows here."""
        y = TOP + level * BLOCK
        canvas.cells(MIDDLE, y, whole[2 * level, :SHOWN], "residual", largest, width=CELL)
        place = "before block 1" if level == 0 else f"after block {level}"
        canvas.write(8, y - 9, place, "big", "start", tone="residual")
        canvas.write(8, y + 9, f"length {size[2 * level]:.1f}", "note", "start")
        name, _ = known = flow.knows[level]
        canvas.write(WIDTH - 8, y - 9, f"knows “{name}”", "big", "end")
        canvas.write(WIDTH - 8, y + 9, said(known).split(", ")[-1], "note", "end")

    def sub_layer(number: int, name: str, notes: Sequence[str], side: int, tone: str) -> None:
        """One box on a bank: what it reads, what it adds, and the river below it."""
        block, part = divmod(number, 2)
        above = TOP + block * BLOCK
        y, joins = above + READS + part * NEXT, above + JOINS + part * NEXT
        begins = above + CUT if part == 0 else y - 6
        ends = above + BLOCK + CUT if part else joins + NEXT - (JOINS - READS) - 6
        inner, center = MIDDLE + side * (MIDDLE - 8 - BOX), MIDDLE + side * (MIDDLE - 8 - BOX / 2)
        update, wide = flow.updates[number], size[number] * scale
        thick = max(1.5, float(np.linalg.norm(update)) * scale)
        canvas.stream([(inner, joins), (MIDDLE, joins)], tone, thick)
        canvas.band(MIDDLE, begins, wide, joins + 0.6, wide, "residual")
        canvas.band(MIDDLE, joins, wide, ends, size[number + 1] * scale, "residual")
        canvas.line([(MIDDLE, y), (inner, y)], "residual", 1.6, arrow=True)
        canvas.box(inner - side * 78 - 22, y - 10, 44, 20)
        canvas.write(inner - side * 78, y, "norm", "note")
        canvas.box(center - BOX / 2, y - 14, BOX, TALL)
        canvas.write(center, y + 6, name, "big")
        for line, note in enumerate(notes):
            canvas.write(center, y + 30 + 18 * line, note, "note")
        canvas.cells(inner - side * 74, joins, update[:SHOWN], tone, largest, width=CELL)
        edge = MIDDLE + side * wide / 2
        canvas.line([(edge + side * 10, joins), (edge - side * 14, joins)], tone, 2.5, True, True)

    with canvas.step(1):
        canvas.write(MIDDLE, 20, flow.name, "word")
        canvas.band(MIDDLE, 38, size[0] * scale, TOP + CUT, size[0] * scale, "residual")
        gauge(0)
    for block, (whom, weight) in enumerate(flow.looks):
        with canvas.step(2 + 2 * block):
            looks = (f"{weight:.0%} on", f"“{whom}”")
            sub_layer(2 * block, "attention", looks, -1, "value")
        with canvas.step(3 + 2 * block):
            sub_layer(2 * block + 1, "feed-forward", ("the row alone",), 1, "ink")
            gauge(block + 1)
    with canvas.step(2 + 2 * blocks):
        y = TOP + blocks * BLOCK
        canvas.line([(MIDDLE, y + CUT), (MIDDLE, y + CUT + 20)], "residual", 4, arrow=True)
        canvas.write(MIDDLE, y + CUT + 34, flow.knows[-1][0], "word")
    return canvas.svg()
