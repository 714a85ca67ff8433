"""What the scripts of chapters 1 to 4 compute, in Node, beside what Python computes."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from headway.figures.core.page import number
from headway.figures.gallery import compare_orders
from headway.figures.gallery.chain_walk import walk
from headway.figures.gallery.descent import loss_of
from headway.figures.gallery.word_scores import scores_of
from headway.text.counts import nearest
from tests.figures.node import Cases, distribution, normal

CASES = Cases()

# What all share ---------------------------------------------------------------------------

VALUES = [*normal(20), *(1000 * normal(20, seed=1)), 0.0, -0.0001, 3.0]
for digits in (2, 3, 4):
    CASES.add(
        f"numbers are written as Python writes them, with {digits} digits",
        *("shared", "values.map((x) => show(x, digits))"),
        [number(x, digits) for x in VALUES],
        **{"values": VALUES, "digits": digits},
    )
for votes, following, says in [
    ([4, 5], 1, "“please” leads by 1 of 9 votes: right."),
    ([5, 4], 1, "“down” leads by 1 of 9 votes: wrong."),
    ([3.5, 3.5], 0, "A tie at 3.5 of 7 votes: no winner."),
    ([0, 0], 0, "Nothing votes: the model has no answer."),
]:
    CASES.add(
        f"the outcome of {votes} votes",
        *("shared", "outcome(words, votes, following)", says),
        **{"words": ["down", "please"], "votes": votes, "following": following},
    )

# Chapter 1 --------------------------------------------------------------------------------

TABLE = normal(5, 3)
for share in (0, 0.25, 1):
    mixed = (1 - share) * TABLE[3] + share * TABLE[1]
    CASES.add(
        f"a vector with {share} of its weight at another word brings the mean of two rows",
        *("row_lookup", "times(mixture(5, 3, 1, share), table)", mixed),
        **{"table": TABLE, "share": share},
    )
CASES.add(
    "two equal words have all the weight",
    *("row_lookup", "mixture(3, 2, 2, 0.25)", np.array([0, 0, 1])),
)

A = np.array([3.0, 1.0])
for angle in (-180, -90, -17, 0, 30, 90, 180):
    turn = np.radians(angle)
    b = 2 * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ A / 10**0.5
    cosine = A @ b / np.linalg.norm(A) / np.linalg.norm(b)
    CASES.add(
        f"an arrow at {angle}°: its components, the dot product, the cosine and the shadow",
        "dot_product",
        "Object.values(measure(a, angle, 2)).flat()",
        np.array([*b, A @ b, cosine, A @ b / np.linalg.norm(A)]),
        **{"a": A, "angle": angle},
    )
CASES.add(
    "angles are told in −180 … 180 degrees",
    *("dot_product", "[0, 3, -3, 4, -4].map(degrees)"),
    (np.degrees([0, 3, -3, 4, -4]) + 180) % 360 - 180,
)
CASES.add(
    "angles in words",
    *("dot_product", "[0, 0.4, 45, 90.4, 91, 179, 180].map(describe)"),
    [
        *["same direction"] * 2,
        *("partly the same direction", "perpendicular"),
        *["partly opposite"] * 2,
        "opposite",
    ],
)
CASES.add(
    "rounded factors are equal to their product, or nearly",
    *("dot_product", "[equals(0.5, 0.5), equals(0.5, 0.503)].join('')", "=≈"),
)

# Chapter 2 --------------------------------------------------------------------------------

STATES = ["<s>", "a", "b", "c"]
CHAIN = np.array([[0, 0.75, 0.25, 0], [0, 0, 0.5, 0.5], [0.125, 0, 0, 0.875], [1, 0, 0, 0]])
DRAWS = np.random.default_rng(0).integers(0, 10_000, size=200)
WALKED = [STATES[i] for i in walk(CHAIN, 0, DRAWS / 1e4)]
chain = {"chain": {"states": STATES, "matrix": CHAIN.tolist(), "start": 0}, "draws": DRAWS}


def written(count: int) -> dict[str, int]:
    """How often each sentence is among the first so many, by Python's walk."""
    return dict(Counter(s.strip() for s in " ".join(WALKED).split("<s>")[:-1][:count]))


def price(sentence: str) -> float:
    path = [0, *map(STATES.index, sentence.split()), 0]
    return float(np.prod([CHAIN[i, j] for i, j in pairwise(path)]))


CASES.add(
    "the states that may follow share 0 … 1",
    *("chain_walk", "partsOf(row).flatMap(Object.values)"),
    np.array([0, 0.125, 0, 0.125, 3, 0.875, 0.125, 1]),
    row=CHAIN[2],
)
CASES.add(
    "a walk goes where Python's walk goes",
    "chain_walk",
    "draws.reduce(([walk, path]) => (draw(walk, chain, draws), [walk, [...path, walk.here]]), "
    "[fresh(0), []])[1].map((i) => chain.states[i])",
    WALKED,
    **chain,
)
CASES.add(
    "twenty sentences are those of the draws",
    "chain_walk",
    "[...write(fresh(0), chain, draws, 20).tally].map(([words, { times }]) => [words, times])",
    [list(pair) for pair in written(20).items()],
    **chain,
)
CASES.add(
    "the probability of a sentence is the product of its steps",
    *("chain_walk", "[...write(fresh(0), chain, draws, 20).tally.values()].map((s) => s.chance)"),
    np.array([price(sentence) for sentence in written(20)]),
    **chain,
)
CASES.add(
    "draws that are used up end the walk",
    "chain_walk",
    "[write(fresh(0), chain, draws.slice(0, 3), 20)].map((w) => [w.used, draw(w, chain, [])])[0]",
    [3, ""],
    **chain,
)
CASES.add(
    "a draw says between which bounds it lies",
    *("chain_walk", "draw(fresh(0), chain, [7500])"),
    "The draw 0.7500 lies between 0.75 and 1: after <s> comes b.",
    **chain,
)
CASES.add(
    "a sentence in which the reader chose a word is not counted, the next one is",
    "chain_walk",
    "[[1, true], [3, false], [0, false], [1, false], [3, false], [0, false]].reduce("
    "(walk, [j, chosen]) => (go(walk, chain, j, '', chosen), walk), fresh(0)).tally",
    {"a c": {"times": 1, "chance": price("a c")}},
    **chain,
)
STEPS = [0.5, 0.01, 1.0, 0.3]
CASES.add(
    "the price of a sentence is its negative log-likelihood",
    *("compare_orders", "priceOf(steps)", -np.log(STEPS).sum()),
    steps=[{"p": p} for p in STEPS],
)
CHANCES = [0, 1e-6, 0.00004, 0.00006, 0.0123, 1]
CASES.add(
    "what is not zero never looks like zero",
    *("compare_orders", "chances.map((p) => chance(p, 4))"),
    [compare_orders.chance(p, 4) for p in CHANCES],
    chances=CHANCES,
)
ROWS = distribution(6, 4)
CASES.add(
    "the doubt of a row is its entropy",
    *("heat_map", "rows.map(doubtOf)"),
    np.array([-sum(p * np.log(p) for p in row if p > 0) for row in ROWS]),
    rows=ROWS,
)
CASES.add("a row of zeros leaves no doubt", "heat_map", "doubtOf([0, 0, 0])", np.array(0.0))

# Chapter 4 --------------------------------------------------------------------------------

CASES.add(
    "small bars are not told as zero",
    *("bars", "[0, 0.0004, 0.0006, 0.25, 1].map(short)"),
    ["0", "< 0.001", "0.001", "0.25", "1"],
)
SURFACE, POINTS = np.array([[1.0, 0.5], [0.5, 20.0]]), normal(9, 2)
CASES.add(
    "the loss is the height of the surface",
    *("descent", "points.map((p) => lossAt(A, p))", loss_of(SURFACE, POINTS)),
    **{"A": SURFACE, "points": POINTS},
)
CASES.add(
    "losses large and small in a few signs",
    *("descent", "[0, 0.0002, 0.0123, 3.14159, 9999, 12345, 1e30].map(short)"),
    ["0", "less than 0.001", "0.0123", "3.14", "9999", "1.2 · 10^4", "1.0 · 10^30"],
)
CASES.add(
    "how a walk ends, in words",
    *("descent", "[2, 0.5, 0.005, 0.00005].map((end) => describe(1, end, 40))"),
    [
        "Each step overshoots, and the walk runs away.",
        "After 40 steps it is still on its way.",
        "The walk is close.",
        "The walk has arrived.",
    ],
)

# Chapter 6 --------------------------------------------------------------------------------

VECTORS, POINTS = normal(9, 4), normal(9, 2, seed=1)
FAR = -np.linalg.norm(POINTS - POINTS[4], axis=1)
OTHERS = np.arange(9) != 4
for measure, near in (
    ("cosine", VECTORS @ VECTORS[4] / np.linalg.norm(VECTORS, axis=1) / np.linalg.norm(VECTORS[4])),
    ("dot product", VECTORS @ VECTORS[4]),
    ("distance on the map", FAR),
):
    ranked = sorted(np.flatnonzero(OTHERS).tolist(), key=lambda i, near=near: -near[i])[:5]
    CASES.add(
        f"the nearest by {measure}, and how near",
        "word_map",
        "neighbors(measure, { words: vectors, vectors, points }, 4, 5)"
        ".map(({ word, value }) => [word, value])",
        np.array([[i, near[i]] for i in ranked]),
        **{"measure": measure, "vectors": VECTORS, "points": POINTS},
    )
ids, cosines = nearest(VECTORS, 2, 8)
CASES.add(
    "neighbors by cosine are those of the package",
    "word_map",
    "neighbors('cosine', { words: vectors, vectors, points: vectors }, 2, 8).map((n) => n.word)",
    ids.tolist(),
    **{"vectors": VECTORS},
)
CASES.add(
    "neighbors that tie come in the order of the words",
    *("word_map", "neighbors('dot product', { words: [0, 1, 2], vectors: [[1], [1], [1]] }, 1, 2)"),
    [{"word": 0, "value": 1}, {"word": 2, "value": 1}],
)
CASES.add(
    "a place on the map belongs to the nearest point",
    *("word_map", "points.map(([x, y]) => wordAt(points, x + 0.001, y))", list(range(9))),
    **{"points": POINTS},
)
CASES.add(
    "labels keep apart, and stay at their points where there is room",
    *("word_map", "apart([5, 1, 1.25, 9], 1)", [5, 1, 2, 9]),
)
for chosen in ([3], [3, 0, 7]):
    scores = scores_of(VECTORS, VECTORS[::-1], chosen)
    CASES.add(
        f"the scores of {len(chosen)} words made one",
        *("word_scores", "scoresOf(table, combined(vectors, chosen))", scores),
        **{"table": VECTORS[::-1], "vectors": VECTORS, "chosen": chosen},
    )
    CASES.add(
        f"the best of the scores of {len(chosen)} words, without the words",
        *("word_scores", "best(scores, 4, chosen)"),
        [i for i in np.argsort(-scores).tolist() if i not in chosen][:4],
        **{"scores": scores, "chosen": chosen},
    )


@pytest.fixture(scope="module")
def answers():
    return CASES.answers()


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
