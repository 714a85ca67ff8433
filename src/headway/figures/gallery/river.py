"""Drawing: the residual stream as a river, with one row on its way down through the blocks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.drawn import Canvas, shown
from headway.figures.gallery.stepped import Stepped, stepped

WIDTH, MIDDLE = 800, 400  # of the drawing, and where the river runs
TOP, BLOCK, BOTTOM = 74, 216, 66  # above the first row, from one row to the next, below the last
WIDEST, CELL, SHOWN = 190, 31, 4  # of the river and of a number, and how many numbers are printed
BOX, TALL = 184, 48  # of a sub-layer
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
        """The row's numbers across the river, and what would be read off here."""
        y = TOP + level * BLOCK
        canvas.cells(MIDDLE, y, whole[2 * level, :SHOWN], "residual", largest, width=CELL)
        place = "before block 1" if level == 0 else f"after block {level}"
        canvas.write(8, y - 9, place, "big", "start", tone="residual")
        canvas.write(8, y + 10, f"length {size[2 * level]:.1f}", "note", "start")
        name, steps = flow.knows[level]
        canvas.write(WIDTH - 8, y - 9, f"knows “{name}”", "big", "end")
        canvas.write(WIDTH - 8, y + 10, said((name, steps)).split(", ")[-1], "note", "end")

    def sub_layer(number: int, name: str, note: str, side: int, tone: str) -> None:
        """One box on a bank: what it reads, what it adds, and the river below it."""
        block, part = divmod(number, 2)
        y = TOP + block * BLOCK + 28 + part * (BLOCK / 2 - 8)  # where it reads
        joins = y + 64
        wide = size[number] * scale
        edge = MIDDLE + side * (WIDEST / 2 + 16)
        inner, center = edge + side * 66, edge + side * (66 + BOX / 2)
        canvas.band(MIDDLE, y - 28, wide, joins, wide, "residual")
        canvas.band(MIDDLE, joins, wide, y + BLOCK / 2 - 36, size[number + 1] * scale, "residual")
        canvas.line([(MIDDLE, y), (inner, y)], "residual", 1.6, arrow=True)
        canvas.box(edge + side * 16 - 22, y - 11, 44, 22)
        canvas.write(edge + side * 16, y, "norm", "note")
        canvas.box(min(inner, inner + side * BOX), y - 20, BOX, TALL)
        canvas.write(center, y - 6, name, "big")
        canvas.write(center, y + 14, note, "note")
        update = flow.updates[number]
        thick = max(1.5, np.linalg.norm(update) * scale)
        start = center - side * 64
        canvas.line(
            [(start, joins), (edge, joins), (edge, joins), (MIDDLE + side * wide / 4, joins + 14)],
            tone, thick, flows=True,
        )  # fmt: skip
        canvas.cells(center, joins, update[:SHOWN], tone, largest, width=CELL)

    with canvas.step(1):
        canvas.write(MIDDLE, 20, flow.name, "word")
        canvas.band(MIDDLE, 38, size[0] * scale, TOP, size[0] * scale, "residual")
        gauge(0)
    for block, (whom, weight) in enumerate(flow.looks):
        with canvas.step(2 + 2 * block):
            sub_layer(2 * block, "attention", f"{weight:.0%} on “{whom}”", -1, "value")
        with canvas.step(3 + 2 * block):
            sub_layer(2 * block + 1, "feed-forward", "the row alone", 1, "ink")
            gauge(block + 1)
    with canvas.step(2 + 2 * blocks):
        y = TOP + blocks * BLOCK
        canvas.line([(MIDDLE, y + 14), (MIDDLE, y + 34)], "residual", 4, arrow=True)
        canvas.write(MIDDLE, y + 50, flow.knows[-1][0], "word")
    return canvas.svg()
