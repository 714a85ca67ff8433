"""Variants of assignment 01: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes

WORDS = ("files", "find", "my")  # sorted, as their rows are
SHARES = (("three quarters", 0.75, "a quarter", 0.25), ("four fifths", 0.8, "a fifth", 0.2))


def dot(rng: np.random.Generator) -> Changes:
    """Other vectors; x is a whole number again, but not 2."""
    while True:
        a, c, d = map(int, rng.integers(2, 7, 3))
        b, e = map(int, rng.integers(2, 6, 2))
        x, rest = divmod(a * d - c * e, b)
        if not rest and x not in (0, 2):
            break
    return {
        "ask-dot": [
            ("$[2, -3, 4]$ and $[5, x, -1]$", f"$[{a}, {-b}, {c}]$ and $[{d}, x, {-e}]$"),
        ],
        "dot": [
            ("2 * 5 - 3 * x + 4 * -1 == 0", f"{a} * {d} - {b} * x + {c} * {-e} == 0"),
            ("(2 * 5 + 4 * -1) / 3", f"({a} * {d} + {c} * {-e}) / {b}"),
        ],
    }


def shapes(rng: np.random.Generator) -> Changes:
    """Other sizes, none of them twice."""
    batch, length = map(int, rng.choice([3, 5, 6, 8, 9], 2, replace=False))
    size, width, out = map(int, rng.choice([20, 24, 32, 40, 60, 80], 3, replace=False))
    return {
        "ask-shapes": [
            ("$B = 4$ sentences with $T = 7$", f"$B = {batch}$ sentences with $T = {length}$"),
            ("$(4, 7)$", f"$({batch}, {length})$"),
            ("$V = 50$", f"$V = {size}$"),
            ("$(50, 16)$", f"$({size}, {width})$"),
            ("30 numbers", f"{out} numbers"),
        ],
        "shapes": [
            ("(4, 7, 50)", f"({batch}, {length}, {size})"),
            ("(16, 30)", f"({width}, {out})"),
            ("(4, 7, 30)", f"({batch}, {length}, {out})"),
        ],
    }


def mixture(rng: np.random.Generator) -> Changes:
    """Another matrix, and other shares of two of the words."""
    table = rng.choice([-4, -3, -2, -1, 1, 2, 3, 5, 6, 7], (3, 2), replace=False)
    (much, more, little, less) = SHARES[rng.integers(len(SHARES))]
    first, second = rng.choice(3, 2, replace=False)
    rows = r" \\ ".join(" & ".join(map(str, row)) for row in table)
    sums = (
        f"{less} * {b} + {more} * {a}" for a, b in zip(table[first], table[second], strict=True)
    )
    return {
        "ask-mixture": [
            (r"4 & 0 \\ 2 & 6 \\ -2 & 3", rows),
            (
                "three quarters of *my* with a quarter of *files*",
                f"{much} of *{WORDS[first]}* with {little} of *{WORDS[second]}*",
            ),
        ],
        "mixture": [("[0.25 * 4 + 0.75 * -2, 0.25 * 0 + 0.75 * 3]", f"[{', '.join(sums)}]")],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another faulty line; the handed-out code fails with two unknown words, as the old one did."""
    at, becomes, harmless, question = FAULTS[rng.integers(len(FAULTS))]
    given = spoiled(CODE, "ids.get(", "ids.setdefault(", first=4)
    changes = another_listing(given, spoiled(CODE, at, becomes, first=4), "encoder")
    changes["part-debug"] = [("With a single unknown word, all looks well.", harmless)]
    changes["ask-faulty-line"].append(
        ("Follow a sentence with two different unknown words through it.", question)
    )
    return changes


CODE = """\
        ids.setdefault(word, len(ids))
    encoded = []
    for word in sentence.lower().split():
        i = ids.get(word, len(ids))
        encoded.append(i)
    return encoded
"""
FAULTS = (
    (
        "setdefault(word, len(ids))",
        "setdefault(word, len(word))",
        "If a sentence has unknown words only, all looks well.",
        "Follow a list of three words, and a sentence with two of them, through it.",
    ),
    (
        "sentence.lower().split()",
        "sorted(set(sentence.lower().split()))",
        "With a single word, all looks well.",
        "Follow a sentence with two unknown words, one of them twice, through it.",
    ),
    (
        "    return",
        "        return",
        "With a single word, all looks well.",
        "Follow a sentence with two different unknown words through it.",
    ),
)

VARIANTS = (dot, shapes, mixture, debug)
