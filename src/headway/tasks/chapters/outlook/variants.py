"""Variants of assignment 16: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes


def friends(rng: np.random.Generator) -> Changes:
    """Other hours and another closeness; Mia's own hours are more than her friends' again."""

    def suits(drawn: tuple[list[int], list[int]]) -> bool:
        """Whether the means have few digits and differ, and Mia's own number would show."""
        (mia, *told), close = drawn[0][:4], drawn[1][:3]
        weighted = sum(hours * weight for hours, weight in zip(told, close, strict=True))
        return (
            sum(close) in (4, 5, 8, 10)
            and 3 * weighted != sum(told) * sum(close)
            and mia > max(told)
            and sum(told) != 17
        )

    hours, close = draw_until(
        suits,
        lambda: (
            rng.choice(np.arange(2, 16), 6, replace=False).tolist(),
            rng.integers(1, 7, 6).tolist(),
        ),
    )
    jo, kai, lea = hours[1:4]
    with_jo, with_kai, with_lea, lea_tom, uma_tom, jo_kai = close
    whose, rounds = (("Uma", 4), ("Tom", 3))[rng.integers(2)]
    largest, told = max(jo, kai, lea), f"{jo} + {kai} + {lea}"
    return {
        "ask-friends": [
            ("| hours | 11 | 6 | 9 | 2 | 14 | 5 |", f"| hours | {' | '.join(map(str, hours))} |"),
            (
                "| closeness | 1 | 2 | 4 | 1 | 5 | 3 | 2 |",
                f"| closeness | {with_jo} | {with_kai} | {lea_tom} | {with_jo} | {with_lea} | "
                f"{uma_tom} | {jo_kai} |",
            ),
            (
                "does Uma's number depend on Kai's 9",
                f"does {whose}'s number depend on Kai's {kai}",
            ),
        ],
        "friends": [
            (
                "[6 + 9 + 2, (6 + 9 + 2) / 3, 9, (1 * 6 + 2 * 9 + 5 * 2) / (1 + 2 + 5), 4]",
                f"[{told}, ({told}) / 3, {largest}, "
                f"({with_jo} * {jo} + {with_kai} * {kai} + {with_lea} * {lea}) / "
                f"({with_jo} + {with_kai} + {with_lea}), {rounds}]",
            )
        ],
    }


def crossing(rng: np.random.Generator) -> Changes:
    """A model of other widths."""
    H, G, times = draw_until(
        lambda drawn: drawn[0] % drawn[1] == 0 and drawn != (8, 2, 3),
        lambda: tuple(int(rng.choice(some)) for some in ((8, 10, 12, 16), (2, 4, 5), (2, 3, 4))),
    )
    C, M = 64 * H, 64 * H * times
    layer = f"{C} + {G} * 64 + 3 * {M} // 2"
    return {
        "ask-crossing": [
            (
                r"is $C = 512$ wide. Its 8 query heads of width 64 share 2 heads of width 64 for "
                r"keys and values. The output projection is $512 \times 512$. The feed-forward is "
                r"1,536 wide and has a gate, so it has three matrices: two from 512 to 1,536 and",
                rf"is $C = {C}$ wide. Its {H} query heads of width 64 share {G} heads of width 64 "
                rf"for keys and values. The output projection is ${C} \times {C}$. The "
                rf"feed-forward is {M:,} wide and has a gate, so it has three matrices: two from "
                rf"{C:,} to {M:,} and",
            )
        ],
        "crossing": [
            (
                "[512 + 2 * 64, 512 + 2 * 64 + 3 * 1536 // 2, 2 * (512 + 2 * 64 + 3 * 1536 // 2)]",
                f"[{C} + {G} * 64, {layer}, 2 * ({layer})]",
            )
        ],
    }


def memory(rng: np.random.Generator) -> Changes:
    """Another model, longer or shorter texts, and another window."""
    some = (
        (6, 8, 12, 20),
        (8, 12, 16),
        (2, 3, 5),
        (1000, 2000, 3000, 5000),
        (100, 200, 500),
        (2, 3),
    )
    layers, H, B, T, window, longer = (int(rng.choice(numbers)) for numbers in some)
    one = B * H * T**2 * 2 // 10**6
    return {
        "ask-memory": [
            (
                "has 10 layers with 12 heads each. It reads 3 texts of 4,000 tokens",
                f"has {layers} layers with {H} heads each. It reads {B} texts of {T:,} tokens",
            ),
            (
                "may take four times as much memory as now. How long may each of the 3 texts",
                f"may take {SPELLED[longer**2]} times as much memory as now. How long may each of "
                f"the {B} texts",
            ),
            (
                "for only 250 keys? (Take 250 for",
                f"for only {window} keys? (Take {window} for",
            ),
        ],
        "memory": [
            (
                "[3 * 12 * 4000**2 * 2 / 1e6, 10 * 1152, 2 * 4000, 3 * 12 * 4000 * 250 * 2 / 1e6, "
                "0]",
                f"[{B} * {H} * {T}**2 * 2 / 1e6, {layers} * {one}, {longer} * {T}, "
                f"{B} * {H} * {T} * {window} * 2 / 1e6, 0]",
            )
        ],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Messages that are not weighted, or the old fault in another line."""
    given = spoiled(f"{TOTAL}{MESSAGES}{RECEIVED}", *BY_SOURCE, first=9)
    if rng.integers(2):
        new = spoiled(f"{TOTAL}{MESSAGES}{RECEIVED}", *UNWEIGHTED, first=9)
        part = [(AMONG_FRIENDS, ALL_AS_STRONG)]
    else:
        new = spoiled(f"{MESSAGES}{TOTAL}{RECEIVED}", *BY_SOURCE, first=9)
        part = []
    return {**another_listing(given, new, "repair"), "part-debug": part}


TOTAL = "    total = per_node(strength, target, n).clamp(min=1e-9)\n"
MESSAGES = "    messages = (x @ others)[source]\n"
RECEIVED = "    received = per_node(strength[:, None] * messages, target, n)\n"
BY_SOURCE = ("per_node(strength, target, n)", "per_node(strength, source, n)")
UNWEIGHTED = ("per_node(strength[:, None] * messages, target, n)", "per_node(messages, target, n)")
AMONG_FRIENDS = (
    "Among friends it did well, because there each edge has a way back that is just as strong. "
    "Among web pages and their links, some pages come out far too large and others far too small."
)
ALL_AS_STRONG = (
    "It did well on a graph whose edges all have the strength 1. On one where some edges are "
    "stronger than others, some nodes come out far too large and others far too small."
)

VARIANTS = (friends, crossing, memory, debug)
