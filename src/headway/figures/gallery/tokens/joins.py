"""The merges of one word, in the order in which an encoder makes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


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
