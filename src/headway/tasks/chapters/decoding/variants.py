"""Variants of assignment 14: other numbers in *predict*, another fault in *debug*."""

import math
from itertools import product

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes

FIRST, SECOND, THIRD = ("we", "they", "it"), ("can", "may", "will"), ("go", "stay", "wait")


def sequence(rng: np.random.Generator) -> Changes:
    """Other probabilities; the best sentence begins otherwise than the greedy one again."""

    def draw() -> list[np.ndarray]:
        """Percentages: of first words, of the second after each, of the third after each two."""
        some = ((FIRSTS, 1), (SECONDS, 3), (THIRDS, 9))
        return [rng.permuted(rng.choice(rows, count), axis=-1) for rows, count in some]

    def suits(drawn: list[np.ndarray]) -> bool:
        """Whether the best sentence stands out, and what is asked for has three decimals."""
        ways = sorted(WAYS, key=lambda way: -_chance(drawn, way))
        best, next_best = (_chance(drawn, way) for way in ways[:2])
        greedy = _chance(drawn, _greedy(drawn))
        return (
            ways[0][0] != _greedy(drawn)[0]
            and best - next_best >= 0.01
            and {greedy, best} == {round(greedy, 3), round(best, 3)}
            and best != 0.144
        )

    drawn = draw_until(suits, draw)
    best = max(WAYS, key=lambda way: _chance(drawn, way))
    (first,), second, third = drawn
    terms = (
        " * ".join(str(percent / 100) for percent in _percentages(drawn, way))
        for way in (_greedy(drawn), best)
    )
    return {
        "ask-sequence": [
            (
                "*we* (probability 0.5), *they* (0.3) or *it* (0.2)",
                "*we* (probability {}), *they* ({}) or *it* ({})".format(*first / 100),
            ),
            (
                "| *we* | 0.5 | 0.4 | 0.1 |\n"
                "| *they* | 0.2 | 0.7 | 0.1 |\n"
                "| *it* | 0.1 | 0.1 | 0.8 |",
                "\n".join(_row(word, row, ".1f") for word, row in zip(FIRST, second, strict=True)),
            ),
            (
                "| *we can* | 0.40 | 0.35 | 0.25 |\n"
                "| *we may* | 0.45 | 0.35 | 0.20 |\n"
                "| *we will* | 0.40 | 0.50 | 0.10 |\n"
                "| *they can* | 0.50 | 0.40 | 0.10 |\n"
                "| *they may* | 0.30 | 0.20 | 0.50 |\n"
                "| *they will* | 0.90 | 0.05 | 0.05 |\n"
                "| *it can* | 0.90 | 0.05 | 0.05 |\n"
                "| *it may* | 0.60 | 0.30 | 0.10 |\n"
                "| *it will* | 0.05 | 0.90 | 0.05 |",
                "\n".join(
                    _row(" ".join(words), row, ".2f")
                    for words, row in zip(product(FIRST, SECOND), third, strict=True)
                ),
            ),
        ],
        "sequence": [("[0.5 * 0.5 * 0.4, 0.2 * 0.8 * 0.9]", f"[{', '.join(terms)}]")],
    }


WAYS = tuple(product(range(3), repeat=3))
FIRSTS = ((50, 30, 20), (45, 35, 20), (40, 35, 25))
SECONDS = ((50, 40, 10), (60, 30, 10), (70, 20, 10), (80, 10, 10))
THIRDS = (
    *((40, 35, 25), (45, 35, 20), (50, 30, 20), (50, 40, 10), (60, 30, 10)),
    *((70, 20, 10), (80, 15, 5), (90, 5, 5)),
)


def _percentages(drawn: list[np.ndarray], way: tuple[int, ...]) -> list[int]:
    """Percentages of the three words of a sentence."""
    a, b, c = way
    (first,), second, third = drawn
    return [int(first[a]), int(second[a][b]), int(third[3 * a + b][c])]


def _chance(drawn: list[np.ndarray], way: tuple[int, ...]) -> float:
    return math.prod(_percentages(drawn, way)) / 10**6


def _greedy(drawn: list[np.ndarray]) -> tuple[int, ...]:
    (first,), second, third = drawn
    a = first.argmax()
    b = second[a].argmax()
    return int(a), int(b), int(third[3 * a + b].argmax())


def _row(words: str, percentages: np.ndarray, form: str) -> str:
    return f"| *{words}* | {' | '.join(format(p / 100, form) for p in percentages)} |"


def support(rng: np.random.Generator) -> Changes:
    """Other weights, which add up to 60 again; the filters keep four, three and two."""

    def suits(weights: np.ndarray) -> bool:
        """Whether the filters keep as many as asked, and no sum comes close to what they ask."""
        if weights.sum() != 60:
            return False
        filters = (weights, 0.75), (np.sort(weights)[-4:], 0.75), (weights**2, 0.6)
        near = min(abs(np.sort(some)[::-1].cumsum() / some.sum() - p).min() for some, p in filters)
        kept = _kept(weights)
        return near > 0.015 and [len(ids) for ids in kept] == [4, 3, 2] and str(kept) != SUPPORT

    weights = draw_until(suits, lambda: rng.choice(np.arange(1, 19), 8, replace=False))
    return {
        "ask-support": [
            (
                "| weight | 3 | 12 | 1 | 8 | 4 | 16 | 6 | 10 |",
                f"| weight | {' | '.join(map(str, weights))} |",
            )
        ],
        "support": [(SUPPORT, str(_kept(weights)))],
    }


SUPPORT = "[[1, 3, 5, 7], [1, 5, 7], [1, 5]]"


def _kept(weights: np.ndarray) -> list[list[int]]:
    """The ids that each of the three filters leaves."""
    four = np.where(weights >= np.sort(weights)[-4], weights, 0)
    return [_top_p(weights, 0.75), _top_p(four, 0.75), _top_p(weights**2, 0.6)]


def _top_p(weights: np.ndarray, p: float) -> list[int]:
    order = np.argsort(-weights)
    before = weights[order].cumsum() - weights[order]
    return sorted(order[before < p * weights.sum()].tolist())


def beams(rng: np.random.Generator) -> Changes:
    """Other probabilities; both beams come from one letter, and one text ends in step three."""

    def row() -> list[int]:
        """Twentieths that add up to 20, of what comes after a letter."""
        return draw_until(lambda row: sum(row) == 20, lambda: rng.integers(3, 10, 4).tolist())

    def draw() -> list[list[int]]:
        begin = rng.permutation(BEGINNINGS[rng.integers(len(BEGINNINGS))]).tolist()
        return [[*begin, 0], row(), row(), row()]

    def suits(table: list[list[int]]) -> bool:
        found = _searched(table)
        if not found or _in_code(found) == BEAMS:
            return False
        second, third, finished = found
        first_letters = {text[0] for text in second}
        parents = {text[:2] for text in third}
        return len(first_letters) == 1 and len(parents) == 2 and [*map(len, finished)] == [3]

    table = draw_until(suits, draw)
    (*begin, _), *rows = ([f"{n / 20:.2f}" for n in row] for row in table)
    lines = zip(("the beginning", *"abc"), ([*begin, "0"], *rows), strict=True)
    return {
        "ask-beams": [
            (
                "| the beginning | 0.30 | 0.20 | 0.50 | 0 |\n"
                "| a | 0.25 | 0.15 | 0.15 | 0.45 |\n"
                "| b | 0.25 | 0.20 | 0.40 | 0.15 |\n"
                "| c | 0.40 | 0.30 | 0.15 | 0.15 |",
                "\n".join(f"| {after} | {' | '.join(row)} |" for after, row in lines),
            )
        ],
        "beams": [(BEAMS, _in_code(_searched(table)))],
    }


BEGINNINGS = ((10, 6, 4), (9, 6, 5), (10, 7, 3), (11, 5, 4), (8, 7, 5))  # twentieths
BEAMS = '[["ca", "cb"], ["cbc", "caa"], ["ca."]]'


def _in_code(texts: list[list[str]]) -> str:
    return str(texts).replace("'", '"')


def _searched(table: list[list[int]]) -> list[list[str]] | None:
    """What a beam of two keeps after two steps and after three, and what has finished by then.

    Returns:
        three lists; None if in some step two texts are too close to be told apart by hand.
    """
    live, kept, finished = {"": 1}, [], []
    for step in range(1, 4):
        grown = {
            text + letter: chance * n
            for text, chance in live.items()
            for letter, n in zip("abc.", table["abc".find(text[-1:] or ".") + 1], strict=True)
        }
        ranked = sorted(grown, key=grown.__getitem__, reverse=True)
        on = [text for text in ranked if text[-1] != "."]
        rivals = (ranked[1:3], on[:2], on[1:3])
        if any(grown[one] - grown[other] < 0.005 * 20**step for one, other in rivals):
            return None
        finished += [text for text in ranked[:2] if text[-1] == "."]
        live = {text: grown[text] for text in on[:2]}
        kept.append(on[:2])
    return [*kept[1:], finished]


def debug(rng: np.random.Generator) -> Changes:
    """A temperature that does nothing, or the opposite, or the old fault in another line."""
    at, becomes, code = FAULTS[rng.integers(len(FAULTS))]
    given = spoiled(CODE, *LOW, first=2, region=(4, 5))
    return another_listing(given, spoiled(code, at, becomes, first=2), "repair")


CODE = """\
    logits = logits - logits.max(axis=1, keepdims=True)
    weights = np.exp(logits / T)
    weights = np.where(np.exp(logits) < floor, 0.0, weights)
    heights = weights.cumsum(axis=1)
    aims = numbers[:, None] * heights[:, -1:]
    return (heights <= aims).sum(axis=1)
"""
LOW = ("np.exp(logits) < floor", "weights < floor")
LONGER = CODE.replace(
    "    logits = logits - logits.max(axis=1, keepdims=True)\n",
    "    largest = logits.max(axis=1, keepdims=True)\n    logits = logits - largest\n",
)
FAULTS = (
    ("np.exp(logits / T)", "np.exp(logits) / T", CODE),
    ("np.exp(logits / T)", "np.exp(logits * T)", CODE),
    (*LOW, LONGER),
)

VARIANTS = (sequence, support, beams, debug)
