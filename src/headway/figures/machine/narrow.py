"""The machine on a narrow page: encoder and decoder side by side, each from top to bottom."""

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

STEP, TALL = 40, 28  # from one box of the way in or out to the next, and its height
COLUMN, WIDE = 160, 126  # width of a box of the way in, and of a sub-layer
POSITION, FRAME = 166, 206  # where position and the frames begin


def narrow() -> Layout:
    """The whole machine, 372 units wide."""
    boxes, wires = [], []
    end = _side(boxes, wires, "encoder", "source text", (6, 20, 44), ENCODER_LAYERS)
    wires.append(Wire(((20, 154), (20, end + 26)), "residual"))
    out = _side(boxes, wires, "decoder", "text so far", (196, 342, 196), DECODER_LAYERS)
    (cross,) = (box for box in boxes if box.part == "cross-attention")
    for tone, below, turn, into in (("key", 11, 178, 8), ("value", 19, 185, 18)):
        points = ((20, end + below), (turn, end + below), (turn, cross.y + into))
        wires.append(Wire((*points, (cross.x, cross.y + into)), tone))
    first = out + 18
    wires.append(Wire(((342, 154), (342, first)), "residual"))
    for i, part in enumerate(OUT):
        boxes.append(Box(part, part, 196, first + i * STEP, COLUMN, TALL))
    wires += [_down(276, first + i * STEP) for i in range(3)]
    last = first + 3 * STEP + TALL / 2
    wires.append(Wire(((356, last), (366, last), (366, 20), (356, 20))))
    boxes.sort(key=lambda box: not box.frame)
    legend = (20, first + 14)
    return Layout("narrow", 372, last + 22, tuple(boxes), tuple(wires), (30, end + 40), legend)


def _side(boxes, wires, side: str, text: str, at: tuple[float, float, float], sub_layers) -> float:
    """Encoder or decoder, with its way in; returns where its frame ends.

    Args:
        at: x of the way in, of the stream, and of the sub-layers.
        sub_layers: what each reads, and its boxes.
    """
    left, stream, x = at
    beside = x if x > stream else x + WIDE  # the side of the boxes that faces the stream
    own = []
    for i, part in enumerate(IN):
        label = text if part == "text" else part
        own.append(Box(part, label, left, 6 + i * STEP, COLUMN, TALL))
    wires += [_down(left + COLUMN / 2, 6 + i * STEP) for i in range(3)]
    own += stack(x, POSITION + ROW, WIDE, "position")
    middle = POSITION + ROW / 2
    wires.append(Wire(((beside, middle), (stream, middle))))
    y = FRAME + 28
    for reads, *parts in sub_layers:
        bottom = y + height_of(*parts)
        own += stack(x, bottom, WIDE, *parts)
        core = [part for part in parts if part not in BESIDE]
        top, tall = bottom - height_of(*core), height_of(*core)
        for tone, share in reads:
            wires.append(Wire(((stream, top + share * tall), (beside, top + share * tall)), tone))
        back = top + BACK * tall
        wires.append(Wire(((beside, back), (stream, back)), "residual"))
        y = bottom + 18
    own.append(Box("residual", "residual stream", x, y - 6, WIDE, 24))
    end = y + ROW
    frame = (min(left, stream - 16) - 2, FRAME, COLUMN + 8, end - FRAME)
    own.append(Box(side, side.capitalize(), *frame, frame=True))
    boxes += on_side(side, own)
    return end


def _down(x: float, y: float) -> Wire:
    """From a box of the way in or out, its top at `y`, to the next."""
    return Wire(((x, y + TALL), (x, y + STEP)))
