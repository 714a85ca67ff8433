"""Variants of assignment 10: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes


def parameters(rng: np.random.Generator) -> Changes:
    """Other widths; the blocks stay five."""
    C = int(rng.choice([6, 8, 12, 20]))
    M = int(rng.choice([30, 40, 50]))
    return {
        "ask-parameters": [
            ("blocks, 10 wide", f"blocks, {C} wide"),
            ("network 30 hidden", f"network {M} hidden"),
        ],
        "parameters": [
            (
                "[4 * (10 * 10 + 10), (10 * 30 + 30) + (30 * 10 + 10), (5 * 2 + 1) * 2 * 10]",
                f"[4 * ({C} * {C} + {C}), ({C} * {M} + {M}) + ({M} * {C} + {C}), "
                f"(5 * 2 + 1) * 2 * {C}]",
            )
        ],
    }


def normed(rng: np.random.Generator) -> Changes:
    """Another token with a standard deviation of 3 or 6, and a gain that leaves whole numbers."""

    def draw() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        thirds = rng.choice([-1, 1]) * rng.permutation([-3, 5, -1, -1])
        spread = int(rng.choice([1, 2]))
        token = 5 * spread + int(rng.integers(1, 4)) + spread * thirds
        gain = np.where(thirds % 3, rng.choice([3, 6], 4), rng.choice([2, 4, 5], 4))
        shift = rng.permutation([1, -1, 2, 0])
        return token, gain, shift, gain * thirds // 3 + shift

    token, gain, shift, right = draw_until(lambda drawn: drawn[3].tolist() != [-1, 4, 1, -2], draw)
    other = rng.permutation([6, 4, 0, 2])
    return {
        "ask-normed": [
            (
                r"2 & 10 & 4 & 4 \\ 6 & 4 & 0 & 2",
                r" \\ ".join(" & ".join(map(str, row)) for row in (token, other)),
            ),
            ("g = (2, 3, 3, 6)", f"g = ({', '.join(map(str, gain))})"),
            ("s = (1, -1, 2, 0)", f"s = ({', '.join(map(str, shift))})"),
        ],
        "normed": [("[-1, 4, 1, -2]", str(right.tolist()))],
    }


def share(rng: np.random.Generator) -> Changes:
    """Another stack, whose sub-layers add less than the word has."""
    blocks, sublayers = map(int, STACKS[rng.integers(len(STACKS))])
    n = int(rng.integers(2, 5))
    sums = blocks * sublayers
    return {
        "ask-share": [
            (
                "Say a stack has two blocks, and every block has **three** sub-layers: attention, "
                "attention to another text, and feed-forward.",
                f"Say a stack has {SPELLED[blocks]} blocks, and every block has "
                f"**{SPELLED[sublayers]}** sub-layers: {PARTS[sublayers]}.",
            ),
            (
                "it always has variance 1. The word's vector has variance 1 as well.",
                rf"it always has variance $\tfrac1{n}$. The word's vector has variance 1.",
            ),
            (
                "A fraction such as `5 / 9` will do.",
                "A fraction such as `5 / 9` will do, and so will a power such as `(5 / 9)**2`.",
            ),
        ],
        "share": [("[1 / 7, 1 / 2**6]", f"[1 / (1 + {sums} / {n}), (1 / (1 + 1 / {n}))**{sums}]")],
    }


STACKS = ((2, 2), (2, 3), (3, 2), (3, 3), (4, 2))  # blocks, sub-layers of each
PARTS = {
    2: "attention and feed-forward",
    3: "attention, attention to another text, and feed-forward",
}


def debug(rng: np.random.Generator) -> Changes:
    """The masks in another order, or the old fault in a listing with another line."""
    given = spoiled(CODE, RIGHT, WRONG, first=4)
    new = (
        spoiled(CODE, "in masks:", "in reversed(masks):", first=4),
        spoiled(CODE.replace(*SPLIT), "looks @ holds", "holds @ looks", first=4),
    )[rng.integers(2)]
    return another_listing(given, new, "repair")


CODE = """\
    for mask in masks:
        brought = (mask.float() @ seen.float()) > 0
        seen = seen | brought
    return seen
"""
RIGHT, WRONG = "mask.float() @ seen.float()", "seen.float() @ mask.float()"
SPLIT = (
    "        brought = (mask.float() @ seen.float()) > 0\n",
    "        looks, holds = mask.float(), seen.float()\n        brought = (looks @ holds) > 0\n",
)

VARIANTS = (parameters, normed, share, debug)
