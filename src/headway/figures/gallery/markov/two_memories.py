"""Drawing: one sentence walked through two chains, one that looks back further than the other."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from headway.figures.core.page import number
from headway.figures.gallery.markov.chain_road import DOT, Memory, Road, road
from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, RIGHT, APART = 74, 66, 28  # before the first column, behind the last, between two
LETTER, SMALL = 10, 7  # how wide a letter is, at most, of the latest word and of an older one
PANEL, GAP = 246, 22  # heights: what is drawn of a chain, and what is between the two
MIDDLE, LANE = 74, 33  # height of a lone state, and how far two in a column are from there
TALL, ROUND = 40, 11  # height of a state, and the radius of the boundary
FACTORS, FLOOR, BAR, CELL = 150, 222, 40, 48  # heights: factors, what bars grow from, a bar; width
COUNTED = {1: "one word", 2: "two words", 3: "three words"}

Place = tuple[float, float]


def two_memories(
    chains: Sequence[Memory],
    sentence: Sequence[int],
    symbols: Sequence[str],
    title: str,
    caption: str,
) -> Stepped:
    """The drawing: for each chain a step for its graph, one a choice, and one for the end.

    Args:
        chains: two of different orders, 1 to 3.
        sentence: T ids, which both chains can write.
        symbols: V names.
        title, caption: as printed.

    Raises:
        ValueError: if the sentence cannot come, a word can come back in a sentence, or there is
            too much to read.
    """
    orders = [chain.order for chain in chains]
    if len(set(orders)) != 2 or not set(orders) <= set(COUNTED):
        raise ValueError(f"two chains of different orders from 1 to 3 can be drawn, got {orders}")
    roads = [road(chain, sentence, symbols) for chain in chains]
    said = [symbols[i] for i in sentence]
    alt = f"“{' '.join(said)}”, walked through two chains. " + " ".join(
        f"With {COUNTED[n]} of memory its words and its end have the probabilities "
        f"{', '.join(number(p, 2) for p in one.factors)}; multiplied up {number(one.products[-1])},"
        f" perplexity {number(one.perplexity, 2)}."
        for n, one in zip(orders, roads, strict=True)
    )
    steps = [step for n, one in zip(orders, roads, strict=True) for step in told(n, one)]
    return stepped(
        draw(orders, roads, alt),
        steps=steps,
        title=title,
        caption=caption,
        alt=alt,
        header=["word", *(f"order {n}: {what}" for n in orders for what in ("alone", "so far"))],
        rows=[
            *(
                [word, *(number(x[t], 3) for one in roads for x in (one.factors, one.products))]
                for t, word in enumerate([*said, "(end)"])
            ),
            ["perplexity", *(x for one in roads for x in ("", number(one.perplexity, 3)))],
        ],
    )


def segments(factors: np.ndarray) -> list[tuple[int, int]]:
    """The walk in parts: each ends behind a choice, the last one at the end of the sentence."""
    choices = [t + 1 for t, p in enumerate(factors) if p < 1]
    return list(pairwise([0, *choices, len(factors)]))


def told(order: int, one: Road) -> list[str]:
    """What happens at each step that belongs to a chain."""
    last = Counter(name[-1] for name in one.names[:-1])
    split = [f"“{name}”" for name, times in last.items() if times > 1 and name != DOT]
    graph = (
        f"Order {order}: a box is what the chain remembers, the last "
        f"{'word' if order == 1 else COUNTED[order]}, and arrows lead to what may come next. The "
        "dot is the boundary."
    )
    if split:
        graph += f" Look for {' and '.join(split)}: each of them is in more than one box now."
    steps = [graph]
    for _, after in segments(one.factors)[:-1]:
        t = after - 1
        context, word = one.names[one.path[t]], one.names[one.path[after]][-1]
        steps.append(
            f"After “{' '.join(context)}” it has a choice, and “{word}” has a probability of "
            f"{number(one.factors[t], 2)}. Multiplied up so far: {number(one.products[t], 3)}."
        )
    rest = "The rest is certain. " if one.factors[-1] == 1 else ""
    return [
        *steps,
        f"{rest}Multiplied up, the {len(one.factors)} predictions come to "
        f"{number(one.products[-1], 3)}, so the perplexity is {number(one.perplexity, 2)}.",
    ]


@dataclass(frozen=True)
class Layout:
    """Where the columns are, for both chains alike.

    Attributes:
        middles, widths: of each column.
        width: of the whole drawing.
    """

    middles: Sequence[float]
    widths: Sequence[float]
    width: float

    @classmethod
    def of(cls, roads: Sequence[Road]) -> "Layout":
        """As wide as the words are."""
        widths = [2.0 * ROUND] * (1 + max(max(one.columns) for one in roads))
        for one in roads:
            for name, column in zip(one.names, one.columns, strict=True):
                if name[-1] != DOT:
                    older = SMALL * len(" ".join(name[:-1]))
                    widths[column] = max(widths[column], LETTER * (len(name[-1]) + 1), older + 8)
        starts = LEFT + np.cumsum([0, *widths[:-1]]) + APART * np.arange(len(widths))
        middles = (starts + np.array(widths) / 2).tolist()
        return cls(middles, widths, middles[-1] + RIGHT)

    def places(self, one: Road) -> list[Place]:
        """Where each state is in its panel. The sentence goes along the top where there are two.

        A lone state makes room for an arrow that passes below it.
        """
        passed = {c for i, j, _ in one.arrows for c in range(one.columns[i] + 1, one.columns[j])}
        shared = Counter(one.columns)
        found = []
        for state, column in enumerate(one.columns):
            aside = shared[column] > 1 or column in passed
            down = aside and state not in one.path
            y = MIDDLE + (LANE if down else -LANE if aside else 0)
            found.append((self.middles[column], y))
        return found

    def half(self, one: Road, state: int) -> float:
        """Half the width of a state."""
        return ROUND if one.names[state][-1] == DOT else self.widths[one.columns[state]] / 2


def draw(orders: Sequence[int], roads: Sequence[Road], alt: str) -> str:
    """The drawing as SVG."""
    layout = Layout.of(roads)
    canvas = Canvas(layout.width, 2 * PANEL + GAP, alt)
    first = 1
    for panel, (order, one) in enumerate(zip(orders, roads, strict=True)):
        top = panel * (PANEL + GAP)
        drawn = Panel(canvas, layout, one, [(x, top + y) for x, y in layout.places(one)], top)
        with canvas.step(first):
            canvas.write(6, top + 14, f"order {order}", "word", "start")
            canvas.write(82, top + 14, f"remembers {COUNTED[order]}", "start")
            for arrow in one.arrows:
                drawn.arrow(*arrow, walked=False)
            for state in range(len(one.names)):
                drawn.state(state)
        parts = segments(one.factors)
        for k, (since, until) in enumerate(parts, 1):
            with canvas.step(first + k):
                if k == 1:
                    drawn.state(one.path[0], "query")
                for t in range(since, until):
                    drawn.arrow(one.path[t], one.path[t + 1], one.factors[t], walked=True)
                    drawn.state(one.path[t + 1], "query")
                    drawn.factor(t)
                if k == len(parts):
                    drawn.end()
        first += 1 + len(parts)
    return canvas.svg()


@dataclass(frozen=True)
class Panel:
    """What is drawn of one chain.

    Attributes:
        canvas, layout, one: what is drawn on, where, and what.
        at: where each state is.
        top: where the panel begins.
    """

    canvas: Canvas
    layout: Layout
    one: Road
    at: Sequence[Place]
    top: float

    def state(self, state: int, tone: str = "") -> None:
        """A state: its latest word, and small above it what else it remembers."""
        (x, y), (*older, latest) = self.at[state], self.one.names[state]
        half = self.layout.half(self.one, state)
        if latest == DOT:
            self.canvas.box(x - half, y - half, 2 * half, 2 * half, tone)
            self.canvas.write(x, y, DOT, "big")
            return
        self.canvas.box(x - half, y - TALL / 2, 2 * half, TALL, tone)
        if older:
            self.canvas.write(x, y - 10, " ".join(older), "note")
        self.canvas.write(x, y + (7 if older else 0), latest, "big")

    def arrow(self, i: int, j: int, p: float, walked: bool) -> None:
        """An arrow from state to state, with its probability where there is a choice."""
        (x0, y0), (x1, y1) = self.at[i], self.at[j]
        x0, x1 = x0 + self.layout.half(self.one, i), x1 - self.layout.half(self.one, j)
        points, aside, away = [(x0, y0), (x1, y1)], -4, -17 if y1 < y0 else 18
        if self.one.columns[j] > self.one.columns[i] + 1:  # below what is between
            low = max(y0, y1) + (LANE if y0 == y1 else 0)
            points = [(x0, y0), (x0 + 40, low), (x1 - 40, low), (x1, y1)]
            aside, away = 0, 11 - (low - min(y0, y1)) / 4
        tone, thick = ("query", 2 + 2 * p) if walked else ("ink", 0.8 + p)
        self.canvas.line(points, tone, thick, arrow=not walked, flows=walked)
        if p < 1 and not walked:
            y = (points[1][1] + points[-2][1]) / 2
            self.canvas.write((x0 + x1) / 2 + aside, y + away, number(p, 2))

    def factor(self, t: int) -> None:
        """The probability of one prediction, and all so far multiplied up."""
        canvas, one, top = self.canvas, self.one, self.top
        if t == 0:
            canvas.write(6, top + FACTORS, "probability", "start", tone="value")
            canvas.write(6, top + FLOOR - 20, "multiplied up", "start", tone="value")
            canvas.write(6, top + FLOOR - 4, "so far", "start", tone="value")
        p, product, x = float(one.factors[t]), float(one.products[t]), self.at[one.path[t + 1]][0]
        digits = len(number(p, 2).partition(".")[2])
        canvas.cells(x, top + FACTORS, [p], "value", 1.0, digits, width=CELL)
        tall = max(1.5, product * BAR)
        canvas.bar(x - CELL / 2, top + FLOOR - tall, CELL, tall, "value")
        canvas.write(x, top + FLOOR + 12, number(product, 3))

    def end(self) -> None:
        """What the whole sentence comes to."""
        x, y = self.layout.width - 6, self.top + 12
        self.canvas.write(x, y, "perplexity", "end")
        self.canvas.write(x, y + 22, number(self.one.perplexity, 2), "word", "end")
