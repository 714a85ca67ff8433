"""Drawing: one sentence walked through two chains, one that looks back further than the other."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from headway.figures.core.page import number
from headway.figures.gallery.drawn import Canvas
from headway.figures.gallery.stepped import Stepped, stepped
from headway.ngram.markov import MarkovChain

LEFT, COLUMN, RIGHT = 122, 102, 156  # what is beside the words, and how wide a word's column is
PANEL, GAP = 230, 26  # heights: what is drawn of a chain, and what is between the two
MIDDLE, LANE = 62, 33  # height of a lone state, and how far two in a column are from there
BOX, TALL, ROUND = 78, 40, 11  # width and height of a state, and the radius of the boundary
FACTORS, FLOOR, BAR = 136, 206, 40  # heights: the factors, what bars grow from, the highest bar
MOST_COLUMNS, MOST_STATES = 10, 2
DOT = "●"  # the boundary
COUNTED = {1: "one word", 2: "two words", 3: "three words"}

Place = tuple[float, float]


@dataclass(frozen=True)
class Road:
    """A chain as a graph, and a sentence's walk through it.

    Attributes:
        names: what each state remembers, the oldest word first; the end comes last.
        arrows: (from, to, probability), states by their places in `names`.
        columns: for each state, how many steps it is from the start at most.
        path: (T + 2,) the states that the sentence visits, from the start to the end.
        factors: (T + 1,) the probability of each word and of the end.
    """

    names: Sequence[tuple[str, ...]]
    arrows: Sequence[tuple[int, int, float]]
    columns: Sequence[int]
    path: Sequence[int]
    factors: np.ndarray

    @property
    def products(self) -> np.ndarray:
        """(T + 1,) the factors multiplied up."""
        return np.cumprod(self.factors)

    @property
    def perplexity(self) -> float:
        """Among how many equally likely words a model would be as unsure."""
        return float(np.exp(-np.log(self.factors).mean()))


def two_memories(
    chains: Sequence[MarkovChain],
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


def road(chain: MarkovChain, sentence: Sequence[int], symbols: Sequence[str]) -> Road:
    """The graph of a chain, and a walk through it.

    Raises:
        ValueError: as `two_memories`.
    """
    names = [*symbols, DOT]
    contexts = [tuple(context) for context in chain.contexts.tolist()]
    end, at = len(contexts), {context: i for i, context in enumerate(contexts)}
    P = chain.matrix()
    arrows = [
        (i, end if j == chain.boundary else at[(*context[1:], int(j))], float(P[i, j]))
        for i, context in enumerate(contexts)
        for j in np.flatnonzero(P[i])
    ]
    here = at[(chain.boundary,) * chain.order]
    columns = in_columns(len(contexts) + 1, arrows, here)
    follows, path, factors = {(i, j): p for i, j, p in arrows}, [here], []
    for word in [*sentence, chain.boundary]:
        ahead = end if word == chain.boundary else at.get((*contexts[path[-1]][1:], int(word)), -1)
        if (path[-1], ahead) not in follows:
            raise ValueError(f"“{' '.join(symbols[i] for i in sentence)}” has probability 0 here")
        factors.append(follows[path[-1], ahead])
        path.append(ahead)
    widest = Counter(columns).most_common(1)[0][1]
    if max(columns) >= MOST_COLUMNS or widest > MOST_STATES:
        raise ValueError(
            f"one can read up to {MOST_COLUMNS} columns of {MOST_STATES} states; "
            f"got {max(columns) + 1} columns, and {widest} states in one"
        )
    known = [tuple(names[i] for i in context) for context in contexts]
    return Road([*known, (DOT,)], arrows, columns, path, np.array(factors))


def in_columns(states: int, arrows: Sequence[tuple[int, int, float]], start: int) -> list[int]:
    """How many steps each state is from the start on the longest way.

    Raises:
        ValueError: if there is a way back to a state.
    """
    columns = [0] * states
    for _ in range(states):
        longer = [(j, columns[i] + 1) for i, j, _ in arrows if columns[j] <= columns[i]]
        if not longer:
            return columns
        for j, column in longer:
            columns[j] = max(columns[j], column)
    raise ValueError("a word can come back in a sentence, so the graph has no first and last")


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


def places(one: Road) -> list[Place]:
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
        found.append((across(column, max(one.columns)), y))
    return found


def across(column: int, last: int) -> float:
    """Where the middle of a column is; the boundary's two are narrow."""
    if column == 0:
        return LEFT + ROUND
    return LEFT + 3 * ROUND + (column - 0.5) * COLUMN - 2 * ROUND * (column == last)


def draw(orders: Sequence[int], roads: Sequence[Road], alt: str) -> str:
    """The drawing as SVG."""
    width = LEFT + (max(max(one.columns) for one in roads) - 0.5) * COLUMN + RIGHT
    canvas = Canvas(width, 2 * PANEL + GAP, alt)
    first = 1
    for panel, (order, one) in enumerate(zip(orders, roads, strict=True)):
        top = panel * (PANEL + GAP)
        at = [(x, top + y) for x, y in places(one)]
        with canvas.step(first):
            canvas.write(6, top + MIDDLE - 9, f"order {order}", "big", "start")
            canvas.write(6, top + MIDDLE + 9, f"sees {COUNTED[order]}", "note", "start")
            for arrow in one.arrows:
                draw_arrow(canvas, one, at, arrow, walked=False)
            for state in range(len(one.names)):
                draw_state(canvas, one.names[state], at[state])
        parts = segments(one.factors)
        for k, (since, until) in enumerate(parts, 1):
            with canvas.step(first + k):
                if k == 1:
                    draw_state(canvas, one.names[one.path[0]], at[one.path[0]], "query")
                for t in range(since, until):
                    i, j = one.path[t], one.path[t + 1]
                    draw_arrow(canvas, one, at, (i, j, one.factors[t]), walked=True)
                    draw_state(canvas, one.names[j], at[j], "query")
                    draw_factor(canvas, one, t, at[j][0], top)
                if k == len(parts):
                    draw_end(canvas, one, width, top)
        first += 1 + len(parts)
    return canvas.svg()


def draw_state(canvas: Canvas, name: tuple[str, ...], at: Place, tone: str = "") -> None:
    """A state: its latest word, and small above it what else it remembers."""
    (x, y), (*older, latest) = at, name
    if latest == DOT:
        canvas.box(x - ROUND, y - ROUND, 2 * ROUND, 2 * ROUND, tone)
        canvas.write(x, y, DOT, "big")
        return
    canvas.box(x - BOX / 2, y - TALL / 2, BOX, TALL, tone)
    if older:
        canvas.write(x, y - 10, " ".join(older), "note")
    canvas.write(x, y + (7 if older else 0), latest, "big")


def draw_arrow(
    canvas: Canvas, one: Road, at: Sequence[Place], arrow: tuple[int, int, float], walked: bool
) -> None:
    """An arrow from state to state, with its probability where there is a choice."""
    i, j, p = arrow
    (x0, y0), (x1, y1) = at[i], at[j]
    x0 += ROUND if one.names[i][-1] == DOT else BOX / 2
    x1 -= ROUND if one.names[j][-1] == DOT else BOX / 2
    points, aside, away = [(x0, y0), (x1, y1)], -4, -16 if y1 < y0 else 17
    if one.columns[j] > one.columns[i] + 1:  # below what is between
        low = max(y0, y1) + (LANE if y0 == y1 else 0)
        points = [(x0, y0), (x0 + COLUMN / 2, low), (x1 - COLUMN / 2, low), (x1, y1)]
        aside, away = 0, 11 - (low - min(y0, y1)) / 4
    tone, thick = ("query", 2 + 2 * p) if walked else ("ink", 0.8 + p)
    canvas.line(points, tone, thick, arrow=not walked, flows=walked)
    if p < 1 and not walked:
        y = (points[1][1] + points[-2][1]) / 2
        canvas.write((x0 + x1) / 2 + aside, y + away, number(p, 2))


def draw_factor(canvas: Canvas, one: Road, t: int, x: float, top: float) -> None:
    """The probability of one prediction, and all so far multiplied up."""
    if t == 0:
        canvas.write(6, top + FACTORS, "probability", "big", "start", tone="value")
        canvas.write(6, top + FLOOR - 20, "multiplied", "big", "start", tone="value")
        canvas.write(6, top + FLOOR - 2, "up so far", "note", "start")
    p, product = float(one.factors[t]), float(one.products[t])
    digits = len(number(p, 2).partition(".")[2])
    canvas.cells(x, top + FACTORS, [p], "value", 1.0, digits, width=56)
    tall = max(1.5, product * BAR)
    canvas.bar(x - 28, top + FLOOR - tall, 56, tall, "value")
    canvas.write(x, top + FLOOR + 12, number(product, 3), "note")


def draw_end(canvas: Canvas, one: Road, width: float, top: float) -> None:
    """What the whole sentence comes to."""
    x = width - 54
    canvas.write(x, top + FACTORS, "perplexity", "big")
    canvas.write(x, top + FACTORS + 26, number(one.perplexity, 2), "word")
    canvas.write(x, top + FACTORS + 48, f"{len(one.factors)} predictions", "note")
