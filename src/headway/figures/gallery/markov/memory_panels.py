"""The drawing of a sentence's walk through chains: their graphs, and how likely it is so far.

A graph leads along the words of the sentence, from left to right or, on a narrow page, from top to
bottom. Places are told as (along, across), whichever of the two is x.
"""

from collections import Counter
from collections.abc import Sequence

from headway.figures.core.page import number
from headway.figures.gallery.markov.chain_road import DOT, Road, segments
from headway.figures.gallery.shared.drawn import Canvas

COUNTED = {1: "one word", 2: "two words", 3: "three words"}
LETTER, SMALL = 10, 7.4  # how wide a letter is, at most, of the latest word and of an older one
TALL, ROUND = 40, 11  # height of a state, and half the size of the boundary
LEFT, RIGHT, APART = 8, 14, 24  # from left to right: before, behind and between the columns
MIDDLE, LANE, FLOOR, BAR, WIDE = (
    88,
    33,
    220,
    52,
    44,
)  # heights of states and bars, and a bar's width
WHOLE = 740  # and the whole, if there are enough columns
NARROW, HEAD, ROW, FULL = 350, 84, 62, 84  # from top to bottom: widths, and from state to state
WALK = 0.5  # seconds from state to state
Place = tuple[float, float]


class Layout:
    """Where the states of all chains are.

    Args:
        roads: the chains and the walks through them.
        upright: whether they lead from top to bottom.
    """

    def __init__(self, roads: Sequence[Road], upright: bool):
        self.upright = upright
        columns = 1 + max(max(one.columns) for one in roads)
        self.widths = [2.0 * ROUND] * columns
        for one in roads:
            for name, column in zip(one.names, one.columns, strict=True):
                self.widths[column] = max(self.widths[column], needed(name))
        if upright:
            half = max(
                (
                    needed(name) / 2
                    for one in roads
                    for name, column in zip(one.names, one.columns, strict=True)
                    if Counter(one.columns)[column] > 1
                ),
                default=LANE,
            )
            self.lane = half + 7
            self.middle = 6 + self.lane + max(half, *(w / 2 - self.lane for w in self.widths))
            self.along = [HEAD + ROW * c for c in range(columns)]
            self.width, self.panel = NARROW, self.along[-1] + 64
        else:
            self.lane, self.middle = LANE, MIDDLE
            self.along, end = [], float(LEFT)
            spare = WHOLE - LEFT - RIGHT - sum(self.widths)
            apart = min(3.0 * APART, max(APART, spare / max(1, columns - 1)))
            for width in self.widths:
                self.along.append(end + width / 2)
                end += width + apart
            self.width, self.panel = end - apart + RIGHT, FLOOR + 46

    def turned(self, along: float, across: float) -> Place:
        """(x, y) in its panel."""
        return (across, along) if self.upright else (along, across)

    def places(self, one: Road) -> list[Place]:
        """Where each state is. Of two in a column, the one on the sentence's way comes first.

        A lone state makes room for an arrow that passes beside it.
        """
        passed = {c for i, j, _ in one.arrows for c in range(one.columns[i] + 1, one.columns[j])}
        shared = Counter(one.columns)
        found = []
        for state, column in enumerate(one.columns):
            aside = shared[column] > 1 or column in passed
            side = 0 if not aside else -1 if state in one.path else 1
            found.append((self.along[column], self.middle + side * self.lane))
        return found

    def half(self, one: Road, state: int) -> Place:
        """Half the width and half the height of a state."""
        if one.names[state][-1] == DOT:
            return ROUND, ROUND
        wide = needed(one.names[state]) if self.upright else self.widths[one.columns[state]]
        return wide / 2, TALL / 2


def needed(name: tuple[str, ...]) -> float:
    """How wide a state has to be for what it remembers."""
    if name[-1] == DOT:
        return 2.0 * ROUND
    return max(LETTER * (len(name[-1]) + 1), SMALL * len(" ".join(name[:-1])) + 8)


def draw(orders: Sequence[int], roads: Sequence[Road], alt: str, upright: bool = False) -> str:
    """The drawing as SVG: a panel for each chain, one below the other."""
    layout, first = Layout(roads, upright), 1
    canvas = Canvas(layout.width, len(roads) * layout.panel - 10, alt)
    for i, (order, one) in enumerate(zip(orders, roads, strict=True)):
        panel = Panel(canvas, layout, one, i * layout.panel)
        with canvas.step(first):
            panel.head(order)
            for arrow in one.arrows:
                panel.arrow(*arrow)
            for state in range(len(one.names)):
                panel.box(state)
        parts = segments(one.factors)
        for k, (since, until) in enumerate(parts, 1):
            with canvas.step(first + k):
                if k == 1:
                    panel.box(one.path[0], "query")
                for t in range(since, until):
                    panel.walk(t, WALK * (t - since))
                if k == len(parts):
                    panel.end()
        with canvas.step(first):  # over the boxes, also over those that get a color later
            for state in range(len(one.names)):
                panel.name(state)
        first += 1 + len(parts)
    return canvas.svg(upright)


class Panel:
    """What is drawn of one chain.

    Args:
        canvas, layout, one: what is drawn on, where, and what.
        top: where the panel begins.
    """

    def __init__(self, canvas: Canvas, layout: Layout, one: Road, top: float):
        self.canvas, self.layout, self.one, self.top = canvas, layout, one, top
        self.at = layout.places(one)

    def xy(self, along: float, across: float) -> Place:
        x, y = self.layout.turned(along, across)
        return x, self.top + y

    def head(self, order: int) -> None:
        """Which chain it is, and what its bars are."""
        write, top, upright = self.canvas.write, self.top, self.layout.upright
        write(6, top + 14, f"order {order}", "word", "start")
        write(88, top + 14, f"remembers {COUNTED[order]}", "start")
        if upright:
            write(NARROW - 4, top + 38, "probability", "end", tone="value")
            write(NARROW - 4, top + 55, "so far", "end", tone="value")
        else:
            write(6, top + FLOOR - BAR - 16, "probability so far", "start", tone="value")

    def box(self, state: int, tone: str = "") -> None:
        """The box of a state."""
        (x, y), (wide, tall) = self.xy(*self.at[state]), self.layout.half(self.one, state)
        self.canvas.box(x - wide, y - tall, 2 * wide, 2 * tall, tone)

    def name(self, state: int) -> None:
        """Its latest word, and small above it what else it remembers."""
        (x, y), (*older, latest) = self.xy(*self.at[state]), self.one.names[state]
        if older and latest != DOT:
            self.canvas.write(x, y - 10, " ".join(older), "note")
            y += 7
        self.canvas.write(x, y, latest, "big")

    def way(self, i: int, j: int) -> list[Place]:
        """From state to state, around what is between; as (along, across)."""
        side = 1 if self.layout.upright else 0
        (start, a), (end, b) = self.at[i], self.at[j]
        start += self.layout.half(self.one, i)[side]
        end -= self.layout.half(self.one, j)[side]
        if self.one.columns[j] == self.one.columns[i] + 1:
            return [(start, a), (end, b)]
        low = max(a, b) + (self.layout.lane if a == b else 0)
        return [(start, a), (start + 40, low), (end - 40, low), (end, b)]

    def arrow(self, i: int, j: int, p: float) -> None:
        """An arrow from state to state, with its probability where there is a choice."""
        way = self.way(i, j)
        self.canvas.line([self.xy(*point) for point in way], "ink", 0.8 + p, arrow=True)
        if p < 1:
            (start, a), (end, b), low = way[0], way[-1], way[1][1]
            side = -1 if b < a else 1
            if len(way) == 4:
                along = (start + end) / 2
                across = low - (low - min(a, b)) / 4 + (20 if self.layout.upright else 11)
            elif self.layout.upright:  # at the arrow's tip
                along, across = end - 9, b + 13 * side
            else:  # at its beginning
                along, across = start - 5, a + 30 * side
            self.canvas.write(*self.xy(along, across), number(p, 2))

    def walk(self, t: int, after: float) -> None:
        """One prediction: on to the next state, and how likely the sentence is so far."""
        canvas, one, upright = self.canvas, self.one, self.layout.upright
        i, j, p, product = one.path[t], one.path[t + 1], one.factors[t], float(one.products[t])
        with canvas.moving("draws", after=after):
            canvas.line([self.xy(*point) for point in self.way(i, j)], "query", 2 + 2 * float(p))
        with canvas.moving("appears", after=after + 0.6):
            self.box(j, "query")
        x, y = self.xy(*self.at[j])
        floor, left = self.top + FLOOR, NARROW - FULL - 46
        long = max(1.5, product * (FULL if upright else BAR))
        with canvas.moving("widens" if upright else "rises", after=after + 0.6):
            if upright:
                canvas.bar(left, y - 11, long, 22, "value")
            else:
                canvas.bar(x - WIDE / 2, floor - long, WIDE, long, "value")
        with canvas.moving("appears", after=after + 0.6):
            if upright:
                canvas.write(left + long + 7, y, number(product, 3), "start")
            else:
                canvas.write(x, floor + 13, number(product, 3))

    def end(self) -> None:
        """What the whole sentence comes to."""
        if self.layout.upright:
            x, y = NARROW - 4, self.top + self.layout.along[-1] + 32
        else:
            x, y = self.layout.width - 6, self.top + 14
        self.canvas.write(x - 52, y, "perplexity", "end")
        self.canvas.write(x, y, number(self.one.perplexity, 2), "word", "end")
