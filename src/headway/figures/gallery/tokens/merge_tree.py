"""Drawing: the merges of one word as a tree, from its bytes at the bottom to its tokens on top."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped
from headway.figures.gallery.shared.tokens import shown
from headway.text.byte_pair import BytePairTokenizer
from headway.text.pair_counts import PairCounts
from headway.text.pieces import pieces

LEFT, COLUMN, RIGHT = 180, 54, 12  # what stands beside the columns, and how wide each is
LEVEL, BOX = 46, 32  # from one merge to the next, and a box's height
TOP, BOTTOM = 74, 58  # heights of the tokens' row and of the bytes' row
MOST_BYTES, MOST_MERGES = 16, 12


@dataclass(frozen=True)
class Node:
    """A token on the way up, over the bytes from `start` to `end`."""

    token: bytes
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True)
class Join:
    """One merge of the word: its rank, its two tokens, and what was joined at how many places."""

    rank: int
    left: bytes
    right: bytes
    made: tuple[tuple[Node, Node], ...]

    @property
    def token(self) -> bytes:
        """What the merge makes."""
        return self.left + self.right


def joins(word: str, merges: Sequence[tuple[bytes, bytes]]) -> tuple[list[Join], list[Node]]:
    """The merges of a word in the order in which an encoder makes them, and the tokens at the end.

    Args:
        word: one piece of a text.
        merges: all merges of a tokenizer, by rank.
    """
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    nodes = [Node(bytes([byte]), i, i + 1) for i, byte in enumerate(word.encode())]
    found = []
    while True:
        known = [
            pair for a, b in pairwise(nodes) if (pair := (a.token, b.token)) in ranks
        ]  # fmt: skip
        if not known:
            return found, nodes
        pair = min(known, key=ranks.get)
        made, kept, i = [], [], 0
        while i < len(nodes):
            if tuple(node.token for node in nodes[i : i + 2]) == pair:
                a, b = nodes[i : i + 2]
                made.append((a, b))
                kept.append(Node(a.token + b.token, a.start, b.end, len(found) + 1))
                i += 2
            else:
                kept.append(nodes[i])
                i += 1
        found.append(Join(ranks[pair], *pair, tuple(made)))
        nodes = kept


def times_merged(texts: Iterable[str], merges: Sequence[tuple[bytes, bytes]]) -> list[int]:
    """How often each pair stood in the texts at the moment when training merged it.

    Args:
        texts: what the merges were learned from.
        merges: by rank.
    """
    words = Counter(piece for text in texts for piece in pieces(text))
    pairs = PairCounts({tuple(word.encode()): times for word, times in words.items()})
    ids, counts = {bytes([byte]): byte for byte in range(256)}, []
    for left, right in merges:
        pair = ids[left], ids[right]
        counts.append(pairs.counts[pair])
        pairs.merge(pair, ids.setdefault(left + right, len(ids)))
    return counts


def merge_tree(
    word: str, tokenizer: BytePairTokenizer, times: Sequence[int], title: str, caption: str
) -> Stepped:
    """The drawing: a step for the bytes, one for each merge, and one for the tokens.

    Args:
        word: one piece, with the space before it if there is one.
        tokenizer: what cuts it; its ids are printed.
        times: how often each of its merges' pairs stood in the texts it was learned from.
        title, caption: as printed.

    Raises:
        ValueError: if the word is no single piece, is too long or takes too many merges to be
            read, or there is not one count for each merge.
    """
    if len(times) != len(tokenizer.merges):
        raise ValueError(f"{len(tokenizer.merges)} merges need a count each, got {len(times)}")
    if len(pieces(word)) != 1 or len(word.encode()) > MOST_BYTES:
        raise ValueError(f"word must be one piece of at most {MOST_BYTES} bytes, got {word!r}")
    merged, tokens = joins(word, tokenizer.merges)
    if len(merged) > MOST_MERGES:
        raise ValueError(f"one can read up to {MOST_MERGES} merges, got {len(merged)} in {word!r}")
    ids = {symbol: i for i, symbol in enumerate(tokenizer.symbols)}
    size = len(word.encode())
    cut = ", ".join(f"{shown(node.token)} ({ids[node.token]})" for node in tokens)
    alt = f"The {size} bytes of “{shown(word.encode())}” are joined by {len(merged)} merges. "
    alt += "; ".join(
        f"rank {join.rank}: {shown(join.left)} + {shown(join.right)}" for join in merged
    )
    alt += f". The tokens with their ids: {cut}."
    return stepped(
        draw(word, merged, tokens, times, ids, alt),
        steps=[
            f"At the bottom are {size} bytes, the letters of the word and the space before it. "
            "Each is a token already, and its id is its value.",
            *(
                f"Rank {join.rank}: “{shown(join.left)}” and “{shown(join.right)}” become "
                f"“{shown(join.token)}”. In training they had met {times[join.rank]:,} times."
                for join in merged
            ),
            f"No two neighbors are in the list of merges any more: {len(tokens)} tokens are left, "
            "and the model gets their ids.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["rank", "merge", "times in training", "makes", "id"],
        rows=[
            [
                str(join.rank),
                f"{shown(join.left)} + {shown(join.right)}",
                f"{times[join.rank]:,}",
                shown(join.token),
                str(ids[join.token]),
            ]
            for join in merged
        ],
    )


def draw(
    word: str,
    merged: Sequence[Join],
    tokens: Sequence[Node],
    times: Sequence[int],
    ids: dict[bytes | str, int],
    alt: str,
) -> str:
    """The drawing as SVG."""
    size = len(word.encode())
    height = TOP + LEVEL * (len(merged) + 1) + BOTTOM
    canvas = Canvas(LEFT + size * COLUMN + RIGHT, height, alt)
    ground = height - BOTTOM  # where the bytes are; each merge is a level higher

    def middle(node: Node) -> float:
        return LEFT + (node.start + node.end) / 2 * COLUMN

    def label(y: float, name: str, note: str) -> None:
        canvas.write(8, y - 8, name, "big", "start")
        canvas.write(8, y + 9, note, "note", "start")

    def box(node: Node, y: float, tone: str = "") -> None:
        left, width = LEFT + node.start * COLUMN + 3, (node.end - node.start) * COLUMN - 6
        canvas.box(left, y - BOX / 2, width, BOX, tone)
        canvas.write(middle(node), y, shown(node.token), "word" if node.level else "big")

    with canvas.step(1):
        label(ground, "bytes", "their values are ids")
        for i, byte in enumerate(word.encode()):
            node = Node(bytes([byte]), i, i + 1)
            box(node, ground)
            canvas.write(middle(node), ground + BOX / 2 + 14, str(ids[node.token]), "note")
    for level, join in enumerate(merged, 1):
        y = ground - level * LEVEL
        with canvas.step(level + 1):
            label(
                y,
                f"{shown(join.left)} + {shown(join.right)}",
                f"rank {join.rank} · met {times[join.rank]:,} times",
            )
            for a, b in join.made:
                for part in (a, b):
                    below = ground - part.level * LEVEL - BOX / 2
                    canvas.line([(middle(part), below), (middle(part), y + BOX / 2)], width=2)
                box(Node(a.token + b.token, a.start, b.end, level), y)
    top = TOP - 22
    with canvas.step(len(merged) + 2):
        label(top, "tokens", "and their ids")
        for node in tokens:
            below = ground - node.level * LEVEL - BOX / 2
            canvas.line(
                [(middle(node), below), (middle(node), top + BOX / 2)], "ink", 1, flows=True
            )
            box(node, top, "ink")
            canvas.write(middle(node), top - BOX / 2 - 12, str(ids[node.token]), "big")
    return canvas.svg()
