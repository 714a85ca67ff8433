"""What a drawing of the machine consists of: parts in their places, and wires between them.

Lengths are in units of the drawing, which are about a pixel each.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

ROW, GAP = 26, 3  # height of a box in a stack, and what is left between two
# What a sub-layer reads from the stream, and where along its side; it adds to the stream at BACK.
_SELF = (("query", 0.14), ("key", 0.28), ("value", 0.42))
_CROSS, _FORWARD = _SELF[:1], (("", 0.28),)
BACK = 0.78
# Sub-layers: what each reads, and its boxes; keys and values of cross-attention come from memory.
ENCODER_LAYERS = ((_SELF, "attention", "heads"), (_FORWARD, "feed-forward"))
DECODER_LAYERS = (
    (_SELF, "cache", "mask", "attention", "heads"),
    (_CROSS, "cross-attention", "heads"),
    (_FORWARD, "feed-forward"),
)
BESIDE = ("cache", "mask")  # what stands in a sub-layer, but is not fed by the stream
IN = ("text", "tokens", "one-hot", "embedding")
OUT = ("logits", "softmax", "next-word", "choice")


@dataclass(frozen=True)
class Box:
    """A part in its place, (x, y) its upper left corner.

    Attributes:
        part: its id; a part can stand in several places.
        label: what is printed in it.
        frame: whether it goes around others, with its label above them.
        side: "encoder" or "decoder"; "" for what stands behind both.
        within: the sub-layer that it belongs to, "attention" for its heads, its mask and its cache.
    """

    part: str
    label: str
    x: float
    y: float
    width: float
    height: float
    frame: bool = False
    side: str = ""
    within: str = ""

    @property
    def place(self) -> str:
        """Where it stands, "decoder cross-attention heads"; no other box of a drawing has it."""
        return " ".join(dict.fromkeys(filter(None, (self.side, self.within, self.part))))


@dataclass(frozen=True)
class Wire:
    """A line through some points, with an arrow at its end.

    Attributes:
        points: (x, y) of each.
        tone: "query", "key", "value" or "residual"; "" for what is none of them.
    """

    points: tuple[tuple[float, float], ...]
    tone: str = ""


@dataclass(frozen=True)
class Layout:
    """A drawing of the whole machine.

    Attributes:
        name: "wide", "narrow" or "compact".
        width, height: of the drawing.
        boxes: frames first, then what stands in them.
        wires: what leads where.
        memory: (x, y) of the word at what the encoder hands over.
        legend: (x, y) of the list of colors.
    """

    name: str
    width: float
    height: float
    boxes: tuple[Box, ...]
    wires: tuple[Wire, ...]
    memory: tuple[float, float]
    legend: tuple[float, float]


def stack(x: float, bottom: float, width: float, *parts: str) -> list[Box]:
    """A sub-layer: boxes above each other, the last one standing on `bottom`."""
    top = bottom - height_of(*parts)
    whole = [part for part in parts if part != "heads"][-1]
    return [
        Box(part, part, x, top + i * (ROW + GAP), width, ROW, within=whole)
        for i, part in enumerate(parts)
    ]


def on_side(side: str, boxes: Iterable[Box]) -> list[Box]:
    """The boxes as those of the encoder or the decoder."""
    return [replace(box, side=side) for box in boxes]


def height_of(*parts: str) -> float:
    """Height of a stack of these."""
    return len(parts) * (ROW + GAP) - GAP
