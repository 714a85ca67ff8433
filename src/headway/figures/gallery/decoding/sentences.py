"""A tree of sentences that people wrote, and the beam search in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from headway.figures.gallery.decoding.beam_tree import in_order

Beginning = tuple[str, ...]


@dataclass(frozen=True)
class Tree:
    """All beginnings of some sentences: where each is, and the share of sentences it begins.

    Attributes:
        shares: P of each beginning; that of the empty one is 1.
        rows: where it is from top to bottom, in rows.
        sentences: those that are whole.
    """

    shares: dict[Beginning, float]
    rows: dict[Beginning, float]
    sentences: list[Beginning]

    def after(self, beginning: Beginning) -> list[Beginning]:
        """A beginning and one word more, the likeliest first."""
        longer = [b for b in self.shares if b[:-1] == beginning and b]
        return sorted(longer, key=lambda b: -self.shares[b])


@dataclass(frozen=True)
class Step:
    """One word of a search: what competes and what stays, the likeliest first."""

    candidates: list[Beginning]
    kept: list[Beginning]


def grown(sentences: Mapping[str, int]) -> Tree:
    """The tree of some sentences, from how often each is written."""
    ordered, total = in_order(sentences), sum(sentences.values())
    shares, places = {}, {}
    for row, (words, count) in enumerate(ordered):
        for length in range(len(words) + 1):
            beginning = tuple(words[:length])
            shares[beginning] = shares.get(beginning, 0) + count / total
            places.setdefault(beginning, []).append(row)
    rows = {beginning: (found[0] + found[-1]) / 2 for beginning, found in places.items()}
    return Tree(shares, rows, [tuple(words) for words, _ in ordered])


def searched(tree: Tree, beams: int) -> list[Step]:
    """Beam search for the likeliest sentence, word by word; one that is whole waits where it is."""
    steps, living, whole = [], [()], set(tree.sentences)
    while not whole.issuperset(living):
        candidates = [b for one in living for b in ([one] if one in whole else tree.after(one))]
        candidates.sort(key=lambda b: -tree.shares[b])
        living = candidates[:beams]
        steps.append(Step(candidates, living))
    return steps
