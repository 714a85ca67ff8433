"""A tree of sentences as branches that are as thick as they are likely, and a search in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from headway.figures.gallery.decoding.sentences import Beginning, Step, Tree
from headway.figures.gallery.shared.drawn import Canvas

GREEDY, LIVES, FOUND = "ink", "ochre", "value"
LETTERS, AIR = 18, 9  # what a word or a number takes, and what is free between two branches
TOP = 6
LATER = 0.35  # seconds from one word's branch to the next


@dataclass(frozen=True)
class Form:
    """The measures of a drawing.

    Attributes:
        trunk, bend, flat: how long the trunk is, where branches part, and where a word is on one.
        right: after the last word.
        thick: of the trunk.
        size: of the words that matter, a kind of `Canvas.write`.
    """

    trunk: float
    bend: float
    flat: float
    right: float
    thick: float
    size: str


WIDE = Form(trunk=52, bend=52, flat=100, right=78, thick=140, size="big")
NARROW = Form(trunk=10, bend=22, flat=72, right=2, thick=110, size="")


class Branches:
    """Where everything is.

    Args:
        marked: the beginnings whose probability is printed.
    """

    def __init__(self, tree: Tree, marked: set[Beginning], form: Form):
        self.tree, self.form = tree, form
        heights = [self._height(one, one in marked) for one in tree.sentences]
        ends = list(accumulate(heights))
        self.height = TOP + ends[-1]
        self._leaves = [
            TOP + end - height + self.above(one) + self.thick(one) / 2
            for one, end, height in zip(tree.sentences, ends, heights, strict=True)
        ]

    def thick(self, beginning: Beginning) -> float:
        """How thick its branch is."""
        return max(1.2, self.form.thick * self.tree.shares[beginning])

    def above(self, beginning: Beginning) -> float:
        """What its word takes above the branch, if the branch is too thin to hold it."""
        return 0 if self.thick(beginning) >= LETTERS else LETTERS

    def _height(self, sentence: Beginning, marked: bool) -> float:
        return self.above(sentence) + self.thick(sentence) + LETTERS * marked + AIR

    def before(self, beginning: Beginning) -> float:
        """The probability of what is before its last word."""
        return self.tree.shares[beginning[:-1]]

    def left(self, beginning: Beginning) -> float:
        """Where its word begins."""
        form = self.form
        return form.trunk + len(beginning) * (form.bend + form.flat) - form.flat

    def y(self, beginning: Beginning) -> float:
        """The height of its branch: in the middle of the sentences that begin with it."""
        rows = [
            i for i, one in enumerate(self.tree.sentences) if one[: len(beginning)] == beginning
        ]
        return (self._leaves[rows[0]] + self._leaves[rows[-1]]) / 2

    def leaves_at(self, beginning: Beginning) -> float:
        """The height at which its branch leaves that of the word before, beside others."""
        before = beginning[:-1]
        others = sorted(self.tree.after(before), key=self.y)
        higher = sum(self.tree.shares[one] for one in others[: others.index(beginning)])
        share = higher + self.tree.shares[beginning] / 2 - self.tree.shares[before] / 2
        return self.y(before) + share * self.form.thick


def branches(tree: Tree, greedy: Beginning, steps: Sequence[Step], form: Form, alt: str) -> Canvas:
    """The drawing: the tree, greedy's path along a bank, the beams, and what they find."""
    found, most = steps[-1].kept[0], max(map(len, tree.sentences))
    ways = {one: [one[:n] for n in range(1, len(one) + 1)] for one in (greedy, found)}
    lived = {one for step in steps for one in step.kept}
    at = Branches(tree, lived | set(ways[greedy]), form)
    canvas = Canvas(at.left(("",) * most) + form.flat + form.right, at.height, alt)

    def bend(beginning: Beginning, down: float = 0) -> list[tuple[float, float]]:
        """From where its branch leaves that of the word before, to where its word begins."""
        left = at.left(beginning)
        return [(left - form.bend, at.leaves_at(beginning) + down), (left, at.y(beginning) + down)]

    def branch(beginning: Beginning, tone: str, after: float = 0) -> None:
        with canvas.moving("widens", after=after):
            canvas.branch(*bend(beginning), at.thick(beginning), tone, form.flat + 0.5)

    def bank(beginning: Beginning, tone: str, after: float) -> None:
        """A line along the upper bank of its branch."""
        start, end = bend(beginning, down=-at.thick(beginning) / 2)
        half = end[0] - form.bend / 2
        with canvas.moving("draws", after=after):
            canvas.line([start, (half, start[1]), (half, end[1]), end], tone, 2.5)
        with canvas.moving("draws", after=after + LATER / 2):
            canvas.line([end, (end[0] + form.flat, end[1])], tone, 2.5)

    def share(beginning: Beginning) -> None:
        if beginning not in (greedy, found) and tree.shares[beginning] < at.before(beginning):
            y = at.y(beginning) + at.thick(beginning) / 2 + 10
            canvas.write(at.left(beginning), y, f"{tree.shares[beginning]:.2f}", "start")

    def end(beginning: Beginning, name: str, tone: str) -> None:
        """What an end is called, and its probability."""
        x, y = at.left(beginning) + form.flat, at.y(beginning)
        p = f"{tree.shares[beginning]:.2f}"
        if form is NARROW:
            y += at.thick(beginning) / 2 + 11
            canvas.write(x, y, f"{name} {p}", "big", "end", tone=tone)
        else:
            canvas.write(x + 10, y - 9, name, "big", "start", tone=tone)
            canvas.write(x + 10, y + 10, p, "big", "start", tone=tone)

    with canvas.step(1):
        y = at.y(())
        canvas.branch((0, y), (form.trunk + 0.5, y), form.thick, "faint")
        for beginning in sorted(filter(None, tree.shares), key=len):
            branch(beginning, "faint", LATER * (len(beginning) - 1))
    for number, step in enumerate(steps, 1):
        fresh = [b for b in step.candidates if len(b) == number]
        with canvas.step(2 + number, until=3 + number):
            for beginning in (b for b in fresh if b not in step.kept):
                branch(beginning, LIVES)
        with canvas.step(2 + number):
            for beginning in (b for b in fresh if b in step.kept):
                branch(beginning, LIVES)
                share(beginning)
    with canvas.step(3 + len(steps)):
        for beginning in ways[found]:
            branch(beginning, FOUND, LATER * (len(beginning) - 1))
        end(found, "found", FOUND)
    with canvas.step(2):
        for beginning in ways[greedy]:
            bank(beginning, GREEDY, LATER * (len(beginning) - 1))
            if beginning not in lived:
                share(beginning)
        if greedy != found:
            end(greedy, "greedy", GREEDY)
    with canvas.step(1):
        if form is not NARROW:
            canvas.write(form.trunk / 2 + 4, at.y(()), "start")
        for beginning in filter(None, tree.shares):
            y = at.y(beginning) - (at.thick(beginning) / 2 + 10 if at.above(beginning) else 0)
            sizes = [form.size] if form.size and beginning in lived | set(ways[greedy]) else []
            canvas.write(at.left(beginning), y, beginning[-1], "start", *sizes)
    return canvas
