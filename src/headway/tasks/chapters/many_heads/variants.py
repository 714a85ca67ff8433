"""Variants of assignment 09: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes


def shapes(rng: np.random.Generator) -> Changes:
    """Other sizes, all of which differ."""

    def draw() -> tuple[int, ...]:
        B, H, D, T, S = map(int, rng.integers((2, 2, 3, 4, 4), (5, 6, 7, 10, 10)))
        return B, H, D, T, S, H * D

    B, H, D, T, S, C = draw_until(
        lambda sizes: len(set(sizes)) == len(sizes) and sizes != (2, 3, 4, 5, 7, 12), draw
    )
    many = f"{SPELLED[B]} sentences of"
    return {
        "ask-shapes": [
            (
                "Two sentences of five tokens ask, and two sentences of seven tokens are looked "
                "at. The model is 12 wide and has three heads.",
                f"{many.capitalize()} {SPELLED[T]} tokens ask, and {many} {SPELLED[S]} tokens are "
                f"looked at. The model is {C} wide and has {SPELLED[H]} heads.",
            )
        ],
        "shapes": [
            (
                "[(2, 3, 5, 4), (2, 3, 5, 7), (2, 5, 12)]",
                f"[({B}, {H}, {T}, {D}), ({B}, {H}, {T}, {S}), ({B}, {T}, {C})]",
            )
        ],
    }


def counts(rng: np.random.Generator) -> Changes:
    """Another width, and other numbers of tokens; the heads stay eight."""
    C = int(rng.choice([24, 32, 40, 48, 80]))
    T, S = map(int, rng.choice([5, 6, 7, 9, 10, 11, 12], 2, replace=False))
    return {
        "ask-counts": [
            ("is 64 wide and has", f"is {C} wide and has"),
            ("is again 64 wide", f"is again {C} wide"),
            (
                "ten tokens look at a memory of twelve",
                f"{SPELLED[T]} tokens look at a memory of {SPELLED[S]}",
            ),
        ],
        "counts": [
            (
                "[4 * 64**2, 2 * 64**2 + 64 * 128 + 128 * 64, 8 * 10 * 12]",
                f"[4 * {C}**2, 2 * {C}**2 + {C} * {2 * C} + {2 * C} * {C}, 8 * {T} * {S}]",
            )
        ],
    }


def two_heads(rng: np.random.Generator) -> Changes:
    """Other values and another output matrix; the heads bring back whole numbers again."""

    def draw() -> tuple[np.ndarray, np.ndarray]:
        output = rng.permuted([0, 1, *rng.integers(1, 4, 2)]).reshape(2, 2)
        return rng.integers(0, 8, (3, 2)), output

    def suits(drawn: tuple[np.ndarray, np.ndarray]) -> bool:
        """Whether heads bring back whole numbers, and no easy mistake gives the right ones."""
        values, output = drawn
        row = np.array([HALVES @ values[:, 0], QUARTERS @ values[:, 1]])
        swapped = np.array([QUARTERS @ values[:, 0], HALVES @ values[:, 1]])
        if (row % 1).any() or not row.all() or row[0] == row[1]:
            return False
        wrong = [row, output @ row, row[::-1] @ output, swapped @ output, [3, 13]]
        return not (wrong == row @ output).all(axis=1).any()

    values, output = draw_until(suits, draw)
    right = np.array([HALVES @ values[:, 0], QUARTERS @ values[:, 1]]) @ output
    return {
        "ask-two-heads-by-hand": [
            (r"4 & 1 \\ 2 & 2 \\ 0 & 6", _rows(values)),
            (r"1 & 1 \\ 0 & 2 \end", rf"{_rows(output)} \end"),
        ],
        "two-heads-by-hand": [("[3, 13]", str(right.astype(int).tolist()))],
    }


HALVES, QUARTERS = np.array([0.5, 0.5, 0]), np.array([0, 0.25, 0.75])  # weights of the two heads


def _rows(matrix: np.ndarray) -> str:
    return r" \\ ".join(" & ".join(map(str, row)) for row in matrix)


def debug(rng: np.random.Generator) -> Changes:
    """A fault in the mask, or weights of each key that sum to one."""
    at, becomes, symptom = FAULTS[rng.integers(len(FAULTS))]
    given = spoiled(CODE, "mixed.transpose(1, 2).reshape(", "mixed.view(", first=6)
    changes = another_listing(
        given, spoiled(CODE, at, becomes, first=6), "repair", ask="part-debug", form="{} {}"
    )
    changes["part-debug"].append((SYMPTOM, symptom))
    return changes


CODE = """\
    near = torch.ones(T, T, dtype=torch.bool).tril().triu(-2)
    weights = scores.masked_fill(~near, -torch.inf).softmax(dim=-1)
    mixed = weights @ value
    return mixed.transpose(1, 2).reshape(B, T, C) @ W_O
"""
SYMPTOM = "the outputs of earlier tokens change too. They should not know it."
FAULTS = (
    (
        ".tril()",
        ".tril(1)",
        "the output of the token before it changes too. That token should not know it.",
    ),
    ("dim=-1", "dim=-2", SYMPTOM),
)

VARIANTS = (shapes, counts, two_heads, debug)
