"""Drawing: the residual stream as a river, with one row on its way down through the blocks."""

import numpy as np

from headway.figures.gallery.block.flowing import NARROW, WIDE, River, draw, rows, said, sizes
from headway.figures.gallery.shared.drawn import shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

SHOWN = 4  # numbers of a row in the table
MOST_BLOCKS = 4


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
