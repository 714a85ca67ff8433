"""Variants of assignment 18: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes


def weights(rng: np.random.Generator) -> Changes:
    """Other powers, the two largest of which stand in the same places."""

    def draw() -> tuple[int, ...]:
        return tuple(map(int, rng.integers((2, 5, 3), (4, 12, 8))))

    def suits(drawn: tuple[int, ...]) -> bool:
        a, b, c = drawn
        return a < c < b and drawn != (2, 6, 3)

    a, b, c = draw_until(suits, draw)
    return {
        "ask-weights": [
            (
                r"$\ln 2$, $\ln 6$, $0$ and $\ln 3$",
                rf"$\ln {a}$, $\ln {b}$, $0$ and $\ln {c}$",
            ),
            (r"$e^{\ln 6} = 6$", rf"$e^{{\ln {b}}} = {b}$"),
        ],
        "weights": [
            (
                "[6 / 9, 3 / 9, 6 / 12, 3 / 12]",
                f"[{b} / {b + c}, {c} / {b + c}, {b} / {a + b + c + 1}, {c} / {a + b + c + 1}]",
            )
        ],
    }


def parameters(rng: np.random.Generator) -> Changes:
    """Another mixture, and another number of tokens."""

    def draw() -> tuple[int, ...]:
        some = ([256, 384, 640, 768], [128, 192, 320], [8, 12, 20, 24], [2, 3], [3, 4, 5])
        return tuple(int(rng.choice(numbers)) for numbers in some)

    C, M, E, k, n = draw()
    return {
        "ask-parameters": [
            ("$C = 512$", f"$C = {C}$"),
            ("$E = 16$", f"$E = {E}$"),
            ("$M = 256$", f"$M = {M}$"),
            ("chooses 2 of them", f"chooses {k} of them"),
            ("reads three tokens at once", f"reads {SPELLED[n]} tokens at once"),
            ("Each draws its two experts", f"Each draws its {SPELLED[k]} experts"),
            ("do the three meet", f"do the {SPELLED[n]} meet"),
        ],
        "parameters": [
            (
                "[16 * 3 * 512 * 256 + 512 * 16, 2 * 3 * 512 * 256 + 512 * 16, "
                "16 * (1 - (1 - 2 / 16) ** 3)]",
                f"[{E} * 3 * {C} * {M} + {C} * {E}, {k} * 3 * {C} * {M} + {C} * {E}, "
                f"{E} * (1 - (1 - {k} / {E}) ** {n})]",
            )
        ],
    }


def cache(rng: np.random.Generator) -> Changes:
    """Another model."""

    def draw() -> tuple[int, ...]:
        some = ([16, 24, 40, 48], [2, 4, 8], [2, 4], [64, 128], [256, 320, 448, 512], [32, 64])
        return tuple(int(rng.choice(numbers)) for numbers in some)

    layers, G, sharing, D, R, P = draw_until(lambda drawn: 2 * drawn[1] * drawn[3] > drawn[4], draw)
    return {
        "ask-cache": [
            ("has 32 layers", f"has {layers} layers"),
            (
                "with 16 query heads of width 128 and 4 heads of keys and values: four queries "
                "share one",
                f"with {G * sharing} query heads of width {D} and {G} heads of keys and values: "
                f"{SPELLED[sharing]} queries share one",
            ),
            ("with the same 16 heads", f"with the same {G * sharing} heads"),
            ("$R = 384$", f"$R = {R}$"),
            ("$P = 64$", f"$P = {P}$"),
        ],
        "cache": [
            (
                "[2 * 32 * 4 * 128 * 2 / 1024, 32 * (384 + 64) * 2 / 1024]",
                f"[2 * {layers} * {G} * {D} * 2 / 1024, {layers} * ({R} + {P}) * 2 / 1024]",
            )
        ],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another way in which experts take weight that were not chosen."""
    given = spoiled(CODE, *LEAKING, first=3, region=(3, 5))
    if rng.integers(2):
        new = spoiled(CODE, ".values[..., -1:]", ".values.min()", first=3, region=(3, 5))
    else:
        new = spoiled(CODE, "-1:]", "-1:].amin(1, keepdim=True)", first=3, region=(3, 5))
    return another_listing(given, new, "repair")


CODE = """\
    least = scores.topk(k, dim=-1).values[..., -1:]
    kept = scores >= least
    weights = scores.masked_fill(~kept, -torch.inf).softmax(dim=-1)
"""
LEAKING = ("scores.masked_fill(~kept, -torch.inf)", "(scores * kept)")

VARIANTS = (weights, parameters, cache, debug)
