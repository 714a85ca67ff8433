"""The drawing of a word's merges: a tree that grows upward or, on a narrow page, to the right."""

from collections.abc import Mapping, Sequence

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.tokens import shown
from headway.figures.gallery.tokens.joins import Join, Node

DEEP = 32  # how deep a box is, in the direction in which the tree grows
LEFT, TOP, WIDE = 172, 52, 746  # beside the bytes, above the tokens, all, if it grows upward
FIRST, IDS, LETTER = 44, 36, 8.2  # if to the right: above the bytes, beside the tokens, a letter
NARROW, CLOSE = 350, 34  # its width, and from one merge to the next, at least
Place = tuple[float, float]


class Tree:
    """Where everything is.

    Args:
        size, merges: number of the word's bytes and of its merges.
        upright: whether the word is written from top to bottom.
    """

    def __init__(self, size: int, merges: int, upright: bool):
        self.upright, self.last = upright, merges + 1
        self.byte = 30.0 if upright else min(60.0, (WIDE - LEFT) / max(1, size))
        room = min(56.0, max(CLOSE, (NARROW - IDS - DEEP - 14) / self.last))
        self.pitch = room if upright else 46
        self.ground = DEEP / 2 + 2 if upright else TOP + self.pitch * self.last
        long, tall = size * self.byte, self.pitch * self.last
        self.size = (
            (max(NARROW, tall + DEEP + 14 + IDS), FIRST + long + 6)
            if upright
            else (LEFT + long + 4, self.ground + 22)
        )

    def at(self, node: Node, level: int, ahead: float = 0) -> Place:
        """The middle of a box, or some way ahead of it in the direction in which the tree grows."""
        along = (node.start + node.end) / 2 * self.byte
        deep = level * self.pitch + ahead + (10 if self.upright and level == self.last else 0)
        if self.upright:
            return self.ground + deep, FIRST + along
        return LEFT + along, self.ground - deep

    def half(self, node: Node) -> Place:
        """Half the width and half the height of a box."""
        long = (node.end - node.start) * self.byte / 2 - 2
        return (DEEP / 2, long) if self.upright else (long, DEEP / 2)

    def letters(self, node: Node, level: int) -> list[tuple[Place, str]]:
        """What is written in a box: below each other, if there is no room in one line."""
        said, (x, y) = shown(node.token), self.at(node, level)
        fits = len(said) * LETTER <= DEEP + 2 or len(said) != node.end - node.start
        if fits or not self.upright:
            return [((x, y), said)]
        top = y - (len(said) - 1) / 2 * self.byte
        return [((x, top + i * self.byte), letter) for i, letter in enumerate(said)]


def draw(
    size: int,
    merged: Sequence[Join],
    tokens: Sequence[Node],
    times: Sequence[int],
    ids: Mapping[bytes | str, int],
    alt: str,
    upright: bool = False,
) -> str:
    """The drawing as SVG.

    Args:
        size: number of bytes.
        merged, tokens: the word's merges, and what is left at the end.
        times: how often each merge's pair was there in training, by rank.
        ids: of all tokens.
        alt: for those who don't see it.
        upright: whether it is the form for narrow pages.
    """
    tree = Tree(size, len(merged), upright)
    canvas = Canvas(*tree.size, alt)
    top = tree.last
    joined = [node for join in merged for pair in join.made for node in pair]
    leaves = [node for node in [*joined, *tokens] if node.level == 0]

    def box(node: Node, level: int, tone: str = "") -> None:
        (x, y), (wide, tall) = tree.at(node, level), tree.half(node)
        canvas.box(x - wide, y - tall, 2 * wide, 2 * tall, tone)
        letters(node, level)

    def letters(node: Node, level: int) -> None:
        for place, letter in tree.letters(node, level):
            canvas.write(*place, letter, *(() if upright else ("big",)))

    def rises(node: Node, level: int) -> None:
        """A line from a box to where it is joined or kept, along which its letters go."""
        way = [tree.at(node, node.level, DEEP / 2), tree.at(node, level, -DEEP / 2)]
        with canvas.moving("draws"):
            canvas.line(way, width=2)
        (x0, y0), (x1, y1) = tree.at(node, node.level), tree.at(node, level)
        with canvas.moving("travels", dx=x0 - x1, dy=y0 - y1):
            letters(node, level)

    def name(level: int, said: str, note: str = "") -> None:
        if not upright:
            y = tree.ground - level * tree.pitch
            canvas.write(6, y - (9 if note else 0), said, "big", "start")
            if note:
                canvas.write(6, y + 9, note, "note", "start")

    with canvas.step(1):
        name(0, "bytes")
        if upright:
            canvas.write(tree.ground - 16, 12, "bytes", "start")
        for node in leaves:
            box(node, 0)
    for level, join in enumerate(merged, 1):
        with canvas.step(level + 1):
            pair = f"{shown(join.left)} + {shown(join.right)}"
            name(level, pair, f"met {times[join.rank]:,} times")
            for a, b in join.made:
                for part in (a, b):
                    rises(part, level)
                with canvas.moving("appears", after=0.8):
                    box(Node(a.token + b.token, a.start, b.end, level), level)
            if upright:
                whole = Node(a.token + b.token, a.start, b.end)
                (x, y), (_, tall) = tree.at(whole, level), tree.half(whole)
                canvas.write(x, y - tall - 8, f"{times[join.rank]:,}", "note")
    with canvas.step(top + 1):
        name(top, "tokens")
        if upright:
            canvas.write(tree.at(tokens[0], top)[0], 12, "tokens")
        for node in tokens:
            rises(node, top)
            with canvas.moving("appears", after=0.8):
                box(node, top, "ink")
            (x, y), (_, tall) = tree.at(node, top), tree.half(node)
            said = str(ids[node.token])
            if upright:
                canvas.write(x + DEEP / 2 + 6, y, said, "start")
            else:
                canvas.write(x, y - tall - 13, said, "big")
    return canvas.svg(upright)
