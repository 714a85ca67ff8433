"""Variants of assignment 04: other numbers in *predict*, another fault in *debug*."""

from fractions import Fraction

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.listing import Listing, another_listing, spoiled
from headway.tasks.engine.variation import Changes

GLYPHS = {
    Fraction(0): "0",
    Fraction(1, 4): "¼",
    Fraction(1, 2): "½",
    Fraction(3, 4): "¾",
    Fraction(1): "1",
}
QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)

ROWS = """\
| (battery, ran) | $\\ln 3$ | 1 | 0 |
| (log, ran) | $\\ln 2$ | ½ | ½ |
| (it, ran) | 0 | ¼ | ¾ |
"""


def sharing(rng: np.random.Generator) -> Changes:
    """Other scores, and a temperature that makes whole numbers of them."""
    first, second, at_half = draw_until(
        lambda drawn: drawn != (2, 3, True),
        lambda: (*rng.permutation([2, 3, 4, 5])[:2].tolist(), bool(rng.integers(2))),
    )
    if at_half:
        (a, b), temperature, parts = (first, second), r"\tfrac12", (1, first**2, second**2)
    else:
        (a, b), temperature, parts = (first**2, second**2), "2", (1, first, second)
    shares = ", ".join(f"{part} / {sum(parts)}" for part in parts)
    return {
        "ask-sharing": [
            (r"$0$, $\ln 2$ and $\ln 3$", rf"$0$, $\ln {a}$ and $\ln {b}$"),
            (r"$\tau = \tfrac12$", rf"$\tau = {temperature}$"),
        ],
        "sharing": [("[1 / 14, 4 / 14, 9 / 14]", f"[{shares}]")],
    }


def vote(rng: np.random.Generator) -> Changes:
    """Other scores and votes, with another result than votes that weigh the same."""

    def draw():
        parts = [(1, 2, 3), (1, 3, 4), (1, 2, 5)][rng.integers(3)]
        return rng.permutation(parts).tolist(), [
            Fraction(1),
            *rng.permutation([QUARTER, HALF, 3 * QUARTER])[:2],
        ]

    def suits(drawn) -> bool:
        parts, votes = drawn
        down = sum(part * vote for part, vote in zip(parts, votes, strict=True)) / sum(parts)
        return all(abs(down - other) > 0.02 for other in (Fraction(17, 24), sum(votes) / 3))

    parts, votes = draw_until(suits, draw)
    words = ("battery", "log", "it")
    rows = [
        f"| ({word}, ran) | {_logarithm(part)} | {GLYPHS[vote]} | {GLYPHS[1 - vote]} |\n"
        for word, part, vote in zip(words, parts, votes, strict=True)
    ]
    products = [
        f"{part} / {sum(parts)} * {_typed(vote)}" for part, vote in zip(parts, votes, strict=True)
    ]
    return {
        "ask-vote": [(ROWS, "".join(rows))],
        "vote": [("1 / 2 * 1 + 1 / 3 * 1 / 2 + 1 / 6 * 1 / 4", " + ".join(products))],
    }


def gradient(rng: np.random.Generator) -> Changes:
    """The weights and votes in another order."""

    def draw():
        weights = rng.permutation([HALF, QUARTER, QUARTER]).tolist()
        return weights, rng.permutation([Fraction(1), HALF, Fraction(0)]).tolist()

    weights, votes = draw_until(lambda drawn: drawn[0][0] != HALF or drawn[1][0] != 1, draw)
    p = sum(weight * vote for weight, vote in zip(weights, votes, strict=True))
    products = [
        f"{_typed(weight)} · {_typed(vote)}"
        for weight, vote in zip(weights, votes, strict=True)
        if vote
    ]
    slopes = [
        f"{_typed(weight)} - {_typed(weight * vote)} / ({_typed(p)})" if vote else _typed(weight)
        for weight, vote in zip(weights, votes, strict=True)
    ]
    return {
        "ask-gradient": [
            ("weights ½, ¼ and ¼,", f"weights {_listed(weights)},"),
            ("are 1, ½ and 0.", f"are {_listed(votes)}."),
        ],
        "gradient": [
            (
                "1/2 · 1 + 1/4 · 1/2 = 5/8",
                f"{' + '.join(products)} = {_typed(p)}".replace(" / ", "/"),
            ),
            ("[1 / 2 - 1 / 2 / (5 / 8), 1 / 4 - 1 / 8 / (5 / 8), 1 / 4]", f"[{', '.join(slopes)}]"),
        ],
    }


def _typed(fraction: Fraction) -> str:
    return str(fraction).replace("/", " / ")


def _listed(fractions) -> str:
    first, second, third = (GLYPHS[fraction] for fraction in fractions)
    return f"{first}, {second} and {third}"


def _logarithm(number: int) -> str:
    return rf"$\ln {number}$" if number > 1 else "0"


def debug(rng: np.random.Generator) -> Changes:
    """Another fault: the step comes before the comparison, or gradients add up."""
    fault, seen, afterwards = FAULTS[rng.integers(len(FAULTS))]
    changes = another_listing(GIVEN, fault, "loop")
    changes["part-debug"] = [("One line is faulty.", "One line comes too early.")]
    changes["ask-faulty-line"].append(
        ("with\nmore steps to choose from, the best loss gets worse. Which line is faulty?", seen)
    )
    changes["ask-loop"] = [("Afterwards no column may rise.", afterwards)]
    return changes


START = """\
    lowest = torch.inf
    for step in range(steps + 1):
        loss = functional.cross_entropy(W[ids], next_ids)
"""
KEEP = """\
        if loss < lowest:
            best, lowest = W.detach().clone(), loss.item()
"""
CLEAR = "        optimizer.zero_grad()\n"
BACKWARD, STEP = "        loss.backward()\n", "        optimizer.step()\n"
END = "    return best\n"
GIVEN = spoiled(f"{START}{KEEP}{CLEAR}{BACKWARD}{STEP}{END}", ".clone()", "", first=4)
FAULTS = (
    (
        Listing(
            first=4,
            before=START,
            right=f"{KEEP}{CLEAR}{BACKWARD}{STEP}",
            wrong=f"{CLEAR}{BACKWARD}{STEP}{KEEP}",
            after=END,
            line=9,
        ),
        "if\nno step is taken, the table of zeros is the only one, and its loss is ln 2, or 0.693. "
        "The function finds another one. Which line comes too early?",
        "Afterwards both columns begin with 0.693, and neither of them rises.",
    ),
    (
        Listing(
            first=4,
            before="",
            right=f"{START}{KEEP}{CLEAR}",
            wrong=f"{CLEAR.removeprefix('    ')}{START}{KEEP}",
            after=f"{BACKWARD}{STEP}{END}",
            line=4,
        ),
        "at\nthe low rate each step should lower the loss a little, but after the second one it "
        "hardly falls any more. Which line comes too early?",
        "Afterwards the loss at the low rate is down to 0.563 after five steps, and no column "
        "rises.",
    ),
)

VARIANTS = (sharing, vote, gradient, debug)
