"""Variants of assignment 19: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes

P, Q = (0.40, 0.35, 0.15, 0.10), (0.10, 0.25, 0.30, 0.35)


def kept(rng: np.random.Generator) -> Changes:
    """Other probabilities, of which again the first two words are likelier for the model."""

    def draw() -> tuple[tuple[float, ...], ...]:
        shares = np.round(rng.dirichlet(np.full(4, 3.0), 2) * 20).astype(int) / 20
        return tuple(tuple(map(float, row)) for row in shares)

    def suits(drawn) -> bool:
        p, q = np.array(drawn)
        if min(p.min(), q.min()) <= 0 or abs(p.sum() - 1) > 1e-9 or abs(q.sum() - 1) > 1e-9:
            return False
        rest = np.maximum(p - q, 0)
        own = rest[0] / max(rest.sum(), 1e-9)
        shares = [np.minimum(p, q).sum(), (p * q).sum(), abs(p - q).sum(), p[p >= q].sum()]
        owns = [own, p[0], q[0], rest[0], rest[0] / 2]
        apart = all(
            abs(a - b) > 0.02
            for some in (shares, owns)
            for i, a in enumerate(some)
            for b in some[:i]
        )
        return bool((rest[:2] > 0).all() and not rest[2:].any() and apart and drawn != (P, Q))

    p, q = draw_until(suits, draw)
    return {
        "ask-kept": [(_table(P, Q), _table(p, q))],
        "kept": [(_both(P, Q), _both(p, q))],
    }


def _table(p, q) -> str:
    rows = (("$p$, the model", p), ("$q$, the draft", q))
    return "\n".join(
        f"| {name} | " + " | ".join(f"{share:.2f}" for share in row) + " |" for name, row in rows
    )


def _both(p, q) -> str:
    lows = " + ".join(f"{min(pair):.2f}" for pair in zip(p, q, strict=True))
    rest = [f"{a - b:.2f}" for a, b in zip(p, q, strict=True) if a > b]
    return f"[{lows}, {rest[0]} / ({' + '.join(rest)})]"


def size(rng: np.random.Generator) -> Changes:
    """Other bits, blocks and weights."""

    def draw() -> tuple[int, int, int]:
        some = ([3, 4, 5, 6, 7], [16, 64, 128], range(3, 15))
        return tuple(int(rng.choice(numbers)) for numbers in some)

    bits, block, billions = draw_until(
        lambda drawn: drawn != (5, 64, 6) and drawn[2] != 8 and drawn[0] != drawn[2], draw
    )
    return {
        "ask-size": [
            ("five bits each", f"{SPELLED[bits]} bits each"),
            ("blocks of 64", f"blocks of {block}"),
            ("has 6 billion", f"has {billions} billion"),
        ],
        "size": [
            (
                "[5 + 16 / 64, 6 * (5 + 16 / 64) / 8]",
                f"[{bits} + 16 / {block}, {billions} * ({bits} + 16 / {block}) / 8]",
            )
        ],
    }


def expected(rng: np.random.Generator) -> Changes:
    """Another share, another length, another price."""

    def draw() -> tuple[float, int, float]:
        some = ([0.5, 0.6, 0.7, 0.8], [2, 3, 4], [0.05, 0.1, 0.2])
        return tuple(rng.choice(numbers).item() for numbers in some)

    share, n, price = draw_until(lambda drawn: drawn != (0.6, 3, 0.1), draw)
    powers = " + ".join(["1", f"{share}", *(f"{share}**{i}" for i in range(2, n + 1))])
    return {
        "ask-expected": [
            ("drafts three words", f"drafts {SPELLED[n]} words"),
            ("with probability 0.6", f"with probability {share}"),
            ("takes 0.1 of", f"takes {price} of"),
        ],
        "expected": [
            (
                "[1 + 0.6 + 0.6**2 + 0.6**3, (1 + 0.6 + 0.6**2 + 0.6**3) / (1 + 3 * 0.1)]",
                f"[{powers}, ({powers}) / (1 + {n} * {price})]",
            )
        ],
    }


def debug(rng: np.random.Generator) -> Changes:
    """The product of two scales in a type that is too small for it."""
    given = spoiled(CODE, *WRAPPED, first=2, region=(4, 5))
    scales = "x_scales[:, k, None].float() * w_scales[:, k].float()"
    small = "x_scales[:, k, None] * w_scales[:, k]"
    new = str(rng.choice([small, f"({small}).float()"]))
    return another_listing(given, spoiled(CODE, scales, new, first=2, region=(4, 5)), "product")


CODE = """\
    y = torch.zeros(len(x), len(w))
    for k in range(x.shape[1]):
        sums = x[:, k].int() @ w[:, k].int().T
        scales = x_scales[:, k, None].float() * w_scales[:, k].float()
        y = y + sums * scales
    return y
"""
WRAPPED = ("x[:, k].int() @ w[:, k].int().T", "x[:, k] @ w[:, k].T")

VARIANTS = (kept, size, expected, debug)
