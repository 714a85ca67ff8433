"""Build: what a layer costs under four patterns of attention, in FLOPs and in bytes."""

import numpy as np

from headway.tasks.chapters.outlook.mistakes import (
    BYTES_OR_BITS,
    HEADS_MISCOUNTED,
    LAST_BLOCK,
    LENGTH_ONCE,
    MATRICES_MISCOUNTED,
    ONCE_AND_TWICE,
    PAIRS_HALVED,
    RESULTS_MISPLACED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def cost(T, C, M, H, pattern="full", size=None):
    """FLOPs of a layer's products of matrices, and bytes of what its attention holds."""
    D = C // H
    if pattern == "linear":
        products, held = T * H * 2 * D * D, H * D * D
    else:
        if pattern == "window":
            pairs = sum(min(t, size) for t in range(1, T + 1))
        elif pattern == "blocks":
            pairs = T // size * size**2 + (T % size) ** 2
        else:
            pairs = T * T
        products, held = 2 * pairs * C, H * pairs
    weights = 4 * C * C + 2 * C * M
    return 2 * (T * weights + products), 4 * held


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, T, *pattern, heads=None, **options):
        heads = int(rng.integers(2, 5)) if heads is None else heads
        width = heads * int(rng.integers(5, 12))
        hidden = 2 * width + int(rng.integers(3, 90))
        return Case(label, T, width, hidden, heads, *pattern, **options)

    def some(low, high):
        return int(rng.integers(low, high))

    full, window, blocks, linear = (
        {"path": name} for name in ("all pairs", "a window", "blocks", "a state")
    )
    size = some(4, 9)
    return [
        draw("all pairs", some(50, 300), core=True),
        draw("all pairs, one head", some(8, 20), "full", heads=1, **full),
        draw("a window", some(20, 40), "window", some(3, 9), **window),
        draw("a window of one token", some(8, 20), "window", 1, **window),
        draw("a window longer than the text", some(8, 20), "window", 50, **window),
        draw("blocks", 6 * size, "blocks", size, **blocks),
        draw("blocks, the last one shorter", 5 * size + some(1, 4), "blocks", size, **blocks),
        draw("a block larger than the text", some(8, 20), "blocks", 64, **blocks),
        draw("a state instead of pairs", some(20, 40), "linear", **linear),
        draw("a state, one head", some(8, 20), "linear", heads=1, **linear),
        draw("one token", 1, "full", **full),
        Case("32,768 tokens", 32_768, 512, 2_048, 8, **full),
    ]


FULL, WINDOW = "pairs = T * T", "sum(min(t, size) for t in range(1, T + 1))"
BLOCKS = "T // size * size**2 + (T % size) ** 2"
PRODUCTS, HELD = "2 * pairs * C, H * pairs", "4 * held"
LINEAR = "T * H * 2 * D * D, H * D * D"
RETURN = "return 2 * (T * weights + products), 4 * held"
WEIGHTS, FLOPS = "4 * C * C + 2 * C * M", "2 * (T * weights + products)"


def other(at: str, *becomes: str) -> AnyOf:
    return changed(cost, at, *becomes)


cost_task = Task(
    id="16-outlook/cost",
    title="What a layer costs, pattern by pattern",
    kind="build",
    points=3,
    minutes=20,
    answer="cost",
    cases=cases,
    reference=cost,
    misconceptions=(
        ONCE_AND_TWICE.by(
            other(
                FLOPS,
                "T * weights + products",
                "T * weights + 2 * products",
                "2 * T * weights + products",
            ),
            other(LINEAR, "T * H * D * D, H * D * D"),
            other(PRODUCTS, "pairs * C, H * pairs", "4 * pairs * C, H * pairs"),
            other(FLOPS, "2 * T * weights"),
        ),
        HEADS_MISCOUNTED.by(
            changed(*other(PRODUCTS, "2 * pairs * C, pairs"), LINEAR, "T * H * 2 * D * D, D * D"),
            other(
                PRODUCTS,
                "2 * pairs * C, pairs",
                "2 * pairs * C * H, H * pairs",
                "2 * pairs * D, H * pairs",
                "2 * pairs * C // H, H * pairs",
                "2 * pairs * D, pairs",
                "2 * pairs * C * H, pairs",
                "2 * pairs * C, pairs * D",
            ),
            other(
                LINEAR,
                "T * 2 * C * C, C * C",
                "T * 2 * D * D, D * D",
                "T * H * 2 * D * D, D * D",
                "T * H * 2 * D * D, C * C",
            ),
        ),
        MATRICES_MISCOUNTED.by(
            other(WEIGHTS, "3 * C * C + 2 * C * M", "C * C + 2 * C * M", "2 * C * M"),
            other(WEIGHTS, "4 * C * D + 2 * C * M", "4 * C * C * H + 2 * C * M"),
            other(FLOPS, "2 * products"),
            changed(
                *other(FLOPS, "2 * (rows * weights + products)"),
                "    D = C // H",
                "    D = C // H\n    rows = size or T",
            ),
            other(WEIGHTS, "4 * C * C + C * M", "4 * C * C", "4 * C * C + 3 * C * M"),
            other(WEIGHTS, "4 * C * C + 8 * C * C", "12 * C * C", "4 * C * C + 2 * M * M"),
        ),
        PAIRS_HALVED.by(
            other(
                FULL, "pairs = T * (T + 1) // 2", "pairs = T * T // 2", "pairs = T * (T - 1) // 2"
            ),
            other(
                BLOCKS, "T // size * (size * (size + 1) // 2) + (T % size) * (T % size + 1) // 2"
            ),
        ),
        LENGTH_ONCE.by(
            other(FULL, "pairs = T", "pairs = T * C", "pairs = 2 * T"),
            other(FLOPS, "2 * (weights + products)", "2 * T * (weights + products)"),
            other(FLOPS, "2 * (T * T * weights + products)"),
        ),
        BYTES_OR_BITS.by(other(HELD, "held", "2 * held", "8 * held", "32 * held", "held / 256")),
        Misconception(
            "pairs-of-a-pattern",
            any_of(
                other(WINDOW, "T * size", "T * min(size, T)"),
                other(WINDOW, "sum(min(t, size) for t in range(size, T + size))"),
                other(
                    WINDOW,
                    "sum(min(t, size) for t in range(T))",
                    "sum(min(t, size + 1) for t in range(1, T + 1))",
                    "sum(min(t, size - 1) for t in range(1, T + 1))",
                    "sum(min(t, size) for t in range(1, T))",
                    "sum(min(t + size, T + 1) - max(t - size, 0) - 1 for t in range(1, T + 1))",
                    "T * (2 * size + 1)",
                    "T * (2 * size - 1)",
                ),
                other(
                    BLOCKS,
                    "(T // size) ** 2 * size + (T % size) ** 2",
                    "(T // size) ** 2",
                    "size**2",
                    "T // size * size + T % size",
                ),
                other('pattern == "window"', "False"),
                other('pattern == "blocks"', "False"),
                other("    D = C // H", '    D, pattern = C // H, "full"'),
            ),
            "A window or the blocks have another number of pairs here. Draw a text of five "
            "tokens: whom does each of them see?",
        ),
        LAST_BLOCK.by(
            other(
                BLOCKS,
                "-(-T // size) * size**2",
                "T // size * size**2",
                "T * size",
                "T // size * size**2 + T % size",
                "T // size * size**2 + T % size * size",
            ),
        ),
        RESULTS_MISPLACED.by(
            other(
                RETURN,
                "return 4 * held, 2 * (T * weights + products)",
                "return 2 * (T * weights + products)",
                "return 2 * (T * weights + products) + 4 * held",
            ),
        ),
        Misconception(
            "state-miscounted",
            any_of(
                other(
                    LINEAR,
                    "T * H * 2 * D * D, T * H * D * D",
                    "T * H * 2 * D * D, H * T * D",
                    "T * H * 2 * D * D, H * T * T",
                    "T * H * 2 * D * D, 2 * H * D * D",
                ),
                other(
                    LINEAR,
                    "2 * T * T * C, H * D * D",
                    "2 * T * T * C, H * T * T",
                    "T * C, C",
                    "2 * T * C, H * D * D",
                    "H * 2 * D * D, H * D * D",
                ),
            ),
            "You count a state as if tokens met, as a vector, or once for each token. How many "
            "numbers does it have, and what does one token do with it?",
        ),
    ),
    compare=equal(),
)
