"""Variants of assignment 15: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes


def positions(rng: np.random.Generator) -> Changes:
    """Another prompt, and another number of choices."""
    prompt, chosen = draw_until(
        lambda drawn: drawn != (6, 4), lambda: tuple(map(int, rng.integers((4, 3), (13, 6))))
    )
    whole = " + ".join(map(str, range(prompt, prompt + chosen)))
    return {
        "ask-positions": [
            ("A prompt has six tokens.", f"A prompt has {SPELLED[prompt]} tokens."),
            ("chooses four more", f"chooses {SPELLED[chosen]} more"),
        ],
        "positions": [
            (
                "[6 + 7 + 8 + 9, 6 + 1 + 1 + 1]",
                f"[{whole}, {prompt}{' + 1' * (chosen - 1)}]",
            )
        ],
    }


def shapes(rng: np.random.Generator) -> Changes:
    """Other sizes, all of which differ."""

    def draw() -> tuple[int, ...]:
        return tuple(map(int, rng.integers((3, 2, 2, 5, 6, 2), (8, 4, 5, 10, 13, 5))))

    def suits(drawn: tuple[int, ...]) -> bool:
        B, G, sharing, S, held, T = drawn
        sizes = (B, G * sharing, G, S, held, T, held + T, D)
        return len(set(sizes)) == len(sizes) and drawn != (5, 2, 3, 7, 10, 3)

    D = int(rng.choice([4, 8, 16]))
    B, G, sharing, S, held, T = draw_until(suits, draw)
    H, after = G * sharing, held + T
    return {
        "ask-shapes": [
            (
                "a batch of 5 sentences. It has 6 query heads of width 8, and 2 heads of keys and "
                "values: three queries share one. The sources have 7 tokens. Self-attention holds "
                "ten target tokens in its cache, and a piece of 3 more",
                f"a batch of {B} sentences. It has {H} query heads of width {D}, and {G} heads of "
                f"keys and values: {SPELLED[sharing]} queries share one. The sources have {S} "
                f"tokens. Self-attention holds {SPELLED[held]} target tokens in its cache, and a "
                f"piece of {T} more",
            )
        ],
        "shapes": [
            (
                "[[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 2, 13, 8]]",
                f"[[{B}, {H}, {T}, {D}], [{B}, {H}, {T}, {after}], [{B}, {H}, {T}, {S}], "
                f"[{B}, {G}, {after}, {D}]]",
            )
        ],
    }


def token_bytes(rng: np.random.Generator) -> Changes:
    """Another model, whose tokens take a whole number of KiB again."""

    def draw() -> tuple[int, ...]:
        some = ([12, 16, 20, 24, 32, 40], [4, 6, 8], [2, 3, 4], [64, 128], [1, 2])
        return tuple(int(rng.choice(numbers)) for numbers in some)

    def suits(drawn: tuple[int, ...]) -> bool:
        layers, G, _, D, width = drawn
        kib, rest = divmod(2 * layers * G * D * width, 1024)
        return not rest and kib not in (24, layers)

    layers, G, sharing, D, width = draw_until(suits, draw)
    H = G * sharing
    return {
        "ask-token-bytes": [
            (
                "has 24 layers and a width of $C = 1536$. Each layer has 24 query heads of width "
                "64, and 8 heads of keys and values: three queries share one. What is kept is "
                "rounded to 8 bits",
                f"has {layers} layers and a width of $C = {H * D}$. Each layer has {H} query heads "
                f"of width {D}, and {G} heads of keys and values: {SPELLED[sharing]} queries share "
                f"one. What is kept is rounded to {8 * width} bits",
            )
        ],
        "token-bytes": [
            ("2 * 24 * 8 * 64 * 1 / 1024", f"2 * {layers} * {G} * {D} * {width} / 1024")
        ],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another fault that shows from the second call on: in the query or in the mask."""
    given = spoiled(CODE, *TURNED_AGAIN, first=3, region=(3, 7))
    if rng.integers(2):
        new = spoiled(CODE, "x @ W_q, positions[S:]", "x @ W_q, positions[:T]", first=3)
        explained = []
    else:
        new = spoiled(CODE, ".tril(S)", ".tril()", first=3)
        explained = [("sets all others to 0.", "sets all others to 0; without a number, $k$ is 0.")]
    changes = another_listing(given, new, "restart")
    changes["ask-faulty-line"] += explained
    return changes


CODE = """\
    positions = torch.arange(start - S, start + T)
    query = rotate(x @ W_q, positions[S:])
    keys = torch.cat([keys, rotate(x @ W_k, positions[S:])], dim=1)
    values = torch.cat([values, x @ W_v], dim=1)
    mask = torch.ones(T, S + T).tril(S).bool()
"""
TURNED_AGAIN = (
    "torch.cat([keys, rotate(x @ W_k, positions[S:])], dim=1)",
    "rotate(torch.cat([keys, x @ W_k], dim=1), positions)",
)

VARIANTS = (positions, shapes, token_bytes, debug)
