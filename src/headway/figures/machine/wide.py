"""The machine on a wide page: encoder above decoder, and the way out leads back below."""

from itertools import pairwise

from headway.figures.machine.layout import (
    BACK,
    DECODER_LAYERS,
    ENCODER_LAYERS,
    IN,
    OUT,
    Box,
    Layout,
    Wire,
    height_of,
    on_side,
    stack,
)

ABOVE, BELOW, WAY_OUT = 122, 356, 434  # how far down the two streams run, and the way out
UNDER = 22  # from a sub-layer down to the stream
COLUMNS = ((362, 100), (466, 128), (598, 112))  # x and width of the sub-layers
ENTRY = ((4, 90), (104, 62), (176, 68), (254, 90))
EXIT = ((604, 92), (478, 92), (330, 116), (212, 86))


def wide() -> Layout:
    """The whole machine, 744 units wide."""
    boxes = [
        Box("encoder", "Encoder", 358, 14, 244, 146, frame=True, side="encoder"),
        Box("decoder", "Decoder", 358, 190, 356, 204, frame=True, side="decoder"),
    ]
    wires = []
    for side, y, text, sub_layers, end in (
        ("encoder", ABOVE, "source text", ENCODER_LAYERS, 630),
        ("decoder", BELOW, "text so far", DECODER_LAYERS, 734),
    ):
        own = []
        _entry(own, wires, y, text)
        wires.append(Wire(((344, y), (end, y)), "residual"))
        own.append(Box("residual", "residual stream", 366, y + 9, 122, 24))
        for (x, width), (reads, *parts) in zip(COLUMNS, sub_layers, strict=False):
            own += stack(x, y - UNDER, width, *parts)
            for tone, share in reads:
                at = x + share * width
                wires.append(Wire(((at, y), (at, y - UNDER)), tone))
            back = x + BACK * width
            wires.append(Wire(((back, y - UNDER), (back, y - 2)), "residual"))
        boxes += on_side(side, own)
    top = BELOW - UNDER - height_of(*DECODER_LAYERS[1][1:])
    for tone, x, y, to in (("key", 620, 170, 518), ("value", 628, 178, 534)):
        wires.append(Wire(((x, ABOVE), (x, y), (to, y), (to, top)), tone))
    _exit(boxes, wires)
    return Layout("wide", 744, 456, tuple(boxes), tuple(wires), (638, 146), (612, 16))


def _entry(boxes: list[Box], wires: list[Wire], y: float, text: str) -> None:
    """From a text to the stream at height `y`."""
    for part, (x, width) in zip(IN, ENTRY, strict=True):
        boxes.append(Box(part, text if part == "text" else part, x, y - 15, width, 30))
    for (x, width), (to, _) in pairwise(ENTRY):
        wires.append(Wire(((x + width, y), (to, y))))
    boxes += stack(266, y - 33, 70, "position")
    wires.append(Wire(((336, y - 46), (351, y - 46), (351, y - 3))))


def _exit(boxes: list[Box], wires: list[Wire]) -> None:
    """From the decoder's stream to the choice, and back to the text."""
    for part, (x, width) in zip(OUT, EXIT, strict=True):
        boxes.append(Box(part, part, x, WAY_OUT - 15, width, 30))
    begins = sum(EXIT[0])
    wires.append(Wire(((734, BELOW), (734, WAY_OUT), (begins, WAY_OUT)), "residual"))
    for (x, _), (to, width) in pairwise(EXIT):
        wires.append(Wire(((x, WAY_OUT), (to + width, WAY_OUT))))
    text = ENTRY[0][0] + ENTRY[0][1] / 2
    wires.append(Wire(((EXIT[-1][0], WAY_OUT), (text, WAY_OUT), (text, BELOW + 15))))
