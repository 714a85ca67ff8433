"""The machine beside numbers that it opens: two columns as on a narrow page, but half as tall.

The way in is folded once, and the way out is one row. Drawn for telephones, where it is about as
wide in pixels as in units, so that each box can be hit with a finger.
"""

from itertools import pairwise

from headway.figures.machine.layout import (
    BACK,
    BESIDE,
    DECODER_LAYERS,
    ENCODER_LAYERS,
    IN,
    OUT,
    ROW,
    Box,
    Layout,
    Wire,
    height_of,
    on_side,
    stack,
)

TALL, HALF = 28, 78  # a box of the way in or out, and the width of one of the way in
LEFT, RIGHT, FRAME = 1, 175, 162  # where encoder and decoder begin, and how wide each is
STREAM = 7  # from the outer side of each to its stream
WIDE = 122  # of a sub-layer
POSITION, TOP, SPACE = 78, 114, 12  # how far down position and frames begin; between sub-layers
EXIT = ((1, 58), (75, 68), (159, 94), (269, 68))


def compact() -> Layout:
    """The whole machine, 346 units wide."""
    boxes, wires = [], []
    end = _side(boxes, wires, "encoder", "source text", ENCODER_LAYERS)
    stream = LEFT + STREAM
    wires.append(Wire(((stream, POSITION - 8), (stream, end + 32)), "residual"))
    bottom = _side(boxes, wires, "decoder", "text so far", DECODER_LAYERS)
    (cross,) = (box for box in boxes if box.part == "cross-attention")
    for tone, below, turn, into in (("key", 12, 167, 8), ("value", 20, 171, 18)):
        points = ((stream, end + below), (turn, end + below), (turn, cross.y + into))
        wires.append(Wire((*points, (cross.x, cross.y + into)), tone))
    out, stream = bottom + 18, RIGHT + FRAME - STREAM
    for part, (x, width) in zip(OUT, EXIT, strict=True):
        boxes.append(Box(part, part, x, out, width, TALL))
    first = EXIT[0][0] + EXIT[0][1] / 2
    turns = ((stream, POSITION - 8), (stream, bottom + 8), (first, bottom + 8), (first, out))
    wires.append(Wire(turns, "residual"))
    middle = out + TALL / 2
    for (x, width), (to, _) in pairwise(EXIT):
        wires.append(Wire(((x + width, middle), (to, middle))))
    last = sum(EXIT[-1])
    wires.append(Wire(((last, middle), (342, middle), (342, 18), (RIGHT + FRAME, 18))))
    boxes.sort(key=lambda box: not box.frame)
    memory, legend = (LEFT + 16, end + 36), (LEFT + 14, end + 60)
    return Layout("compact", 346, out + TALL + 4, tuple(boxes), tuple(wires), memory, legend)


def _side(boxes: list[Box], wires: list[Wire], side: str, text: str, sub_layers) -> float:
    """Encoder or decoder with its way in, each the other's mirror; returns where its frame ends.

    Args:
        sub_layers: what each reads, and its boxes.
    """
    mirrored = side == "decoder"
    outer, inner = (RIGHT + FRAME, RIGHT) if mirrored else (LEFT, LEFT + FRAME)
    inward = -1 if mirrored else 1
    stream, x = outer + STREAM * inward, (inner + 4 if mirrored else inner - 4 - WIDE)
    beside = x + WIDE if mirrored else x  # the side of the boxes that faces the stream
    near, far = (outer - HALF, inner) if mirrored else (outer, inner - HALF)
    own = [
        Box(part, text if part == "text" else part, at, y, HALF, TALL)
        for part, at, y in zip(IN, (near, far, far, near), (4, 4, 42, 42), strict=True)
    ]
    edges = (outer + HALF * inward, inner - HALF * inward)
    wires.append(Wire(tuple((edge, 18) for edge in edges)))
    wires.append(Wire(tuple((far + HALF / 2, y) for y in (32, 42))))
    wires.append(Wire(tuple((edge, 56) for edge in edges[::-1])))
    own += stack(x, POSITION + ROW, WIDE, "position")
    wires.append(Wire(((beside, POSITION + ROW / 2), (stream + 2 * inward, POSITION + ROW / 2))))
    y = TOP + 28
    for reads, *parts in sub_layers:
        bottom = y + height_of(*parts)
        own += stack(x, bottom, WIDE, *parts)
        core = [part for part in parts if part not in BESIDE]
        top, tall = bottom - height_of(*core), height_of(*core)
        for tone, share in reads:
            wires.append(Wire(((stream, top + share * tall), (beside, top + share * tall)), tone))
        back = top + BACK * tall
        wires.append(Wire(((beside, back), (stream + 2 * inward, back)), "residual"))
        y = bottom + SPACE
    own.append(Box("residual", "residual stream", x, y - 4, WIDE, 24))
    end = y + 26
    frame = (min(outer, inner), TOP, FRAME, end - TOP)
    own.append(Box(side, side.capitalize(), *frame, frame=True))
    boxes += on_side(side, own)
    return end
