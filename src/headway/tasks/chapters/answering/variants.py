"""Variants of assignment 17: other numbers in *predict*, another fault in *debug*."""

import math

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes


def counted(rng: np.random.Generator) -> Changes:
    """Other turns, in a batch that is filled up to another length."""

    def draw() -> tuple[int, ...]:
        return tuple(map(int, rng.integers((4, 2, 4, 2, 4), (9, 6, 9, 6, 8))))

    def suits(drawn: tuple[int, ...]) -> bool:
        q, a, r, b, _ = drawn
        return len({q, a, r, b}) == 4 and (a + b != 7 or q + a + r + b != 18)

    q, a, r, b, more = draw_until(suits, draw)
    said = {n: SPELLED[n] for n in (q, a, r, b)}
    longest = q + a + r + b + 5 + more
    return {
        "ask-counted": [
            (
                "a question of six words, its answer of three, a question of five, and its answer "
                "of four. It goes into a batch whose longest row has 29 inputs",
                f"a question of {said[q]} words, its answer of {said[a]}, a question of {said[r]}, "
                f"and its answer of {said[b]}. It goes into a batch whose longest row has "
                f"{longest} inputs",
            )
        ],
        "counted": [
            (
                "[(6 + 2) + (3 + 1) + (5 + 2) + (4 + 1) - 1, (3 + 1) + (4 + 1)]",
                f"[({q} + 2) + ({a} + 1) + ({r} + 2) + ({b} + 1) - 1, ({a} + 1) + ({b} + 1)]",
            )
        ],
    }


def adapter_size(rng: np.random.Generator) -> Changes:
    """Another model, and another rank."""

    def draw() -> tuple[int, ...]:
        some = ([3, 4, 6, 7], [2, 4, 5], [32, 40, 64], [100, 160, 200])
        return tuple(int(rng.choice(numbers)) for numbers in some)

    blocks, rank, C, M = draw()
    return {
        "ask-adapter-size": [
            (
                "A model has five blocks. In each of them, low-rank updates of rank $r = 3$ are",
                f"A model has {SPELLED[blocks]} blocks. In each of them, low-rank updates of rank "
                f"$r = {rank}$ are",
            ),
            (
                "of width 48 each from tokens of width 48; and `expand`, from a width of 48 to 128",
                f"of width {C} each from tokens of width {C}; and `expand`, from a width of {C} to "
                f"{M}",
            ),
        ],
        "adapter-size": [
            ("5 * 3 * (48 + 144 + 48 + 128)", f"{blocks} * {rank} * ({C} + {3 * C} + {C} + {M})")
        ],
    }


def preference(rng: np.random.Generator) -> Changes:
    """Other log-probabilities, all of which have fallen, the rejected one's further."""

    def draw() -> tuple[float, ...]:
        before = rng.integers(60, 90, 2) / 10
        fallen = np.array([rng.integers(3, 8), rng.integers(12, 22)]) / 10
        beta = float(rng.choice([0.2, 0.4, 0.5]))
        return (*map(float, np.round([*before, *(before + fallen)], 1)), beta)

    def suits(drawn: tuple[float, ...]) -> bool:
        a, b, c, d, beta = drawn
        if abs(math.log1p(math.exp((b - a - d + c) * beta)) - 0.554) < 0.02:
            return False
        losses = [math.log1p(math.exp(-m * beta)) for m in (d - b - c + a, d - c, b - a)]
        return min(abs(losses[0] - other) for other in losses[1:]) > 0.02 and abs(a - b) > 0.3

    better, worse, better_now, worse_now, beta = draw_until(suits, draw)
    return {
        "ask-preference": [
            (
                "is $-9.0$ under the policy and $-8.4$ under the reference",
                f"is $-{better_now}$ under the policy and $-{better}$ under the reference",
            ),
            (
                "is $-9.5$ under the policy and $-7.9$ under the reference",
                f"is $-{worse_now}$ under the policy and $-{worse}$ under the reference",
            ),
            (r"with $\beta = 0.3$", rf"with $\beta = {beta}$"),
        ],
        "preference": [
            (
                "-0.3 * ((-9.0 - -8.4) - (-9.5 - -7.9))",
                f"-{beta} * ((-{better_now} - -{better}) - (-{worse_now} - -{worse}))",
            )
        ],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another fault that shows from the second question on."""
    given = spoiled(CODE, KEPT, "row = row + said\n", first=4, region=(4, 11))
    kept = rng.choice(["[question]", "row[-1:] + [question]"])
    new = spoiled(CODE, "row = row + [question]", f"row = {kept}", first=4, region=(4, 11))
    return another_listing(given, new, "chat")


KEPT = "row = row + said + [end]\n"
CODE = """\
        row = row + [question] + asked + [answer]
        said = []
        while len(said) < most:
            token = int(np.argmax(model(row + said)))
            if token == end:
                break
            said = said + [token]
        row = row + said + [end]
"""

VARIANTS = (counted, adapter_size, preference, debug)
