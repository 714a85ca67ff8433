"""Build: the parameters of a block, and the arithmetic of its matrix products."""

import numpy as np

from headway.tasks.chapters.block.mistakes import (
    BIASES_MISCOUNTED,
    FEED_FORWARD_MISCOUNTED,
    HEADS_MISCOUNTED,
    NORMS_MISCOUNTED,
    OUTPUT_FORGOTTEN,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def cost(width, heads, key_value_heads, hidden, length, bias=True):
    """Parameters of a block, and the FLOPs of its matrix products for one text."""
    C, M, T = width, hidden, length
    G = C // heads * key_value_heads  # the width of all keys, and of all values
    weights = 2 * C * C + 2 * C * G + 2 * C * M
    biases = 2 * C + 2 * G + M + C if bias else 0
    norms = 2 * 2 * C
    mixing = 2 * T * T * C  # multiplications: the scores, and the mixtures
    return weights + biases + norms, 2 * (T * weights + mixing)


def cases(rng: np.random.Generator) -> list[Case]:
    def sizes(head_width, heads, key_value_heads):
        width = head_width * heads
        hidden, length = (int(rng.integers(low, high)) for low, high in ((5, 60), (3, 40)))
        return width, heads, key_value_heads, hidden + 4 * width, length

    D = int(rng.integers(3, 10))
    return [
        Case("three heads", *sizes(D, 3, 3), core=True),
        Case("heads that share keys and values", *sizes(D, 6, 2), core=True),
        Case("without biases", *sizes(D + 1, 2, 2), False, path="no biases"),
        Case("one pair for all heads, no biases", *sizes(D, 4, 1), False, path="no biases"),
        Case("a narrow feed-forward", D, 1, 1, 2, 7),
        Case("a single token", *sizes(D, 2, 2)[:4], 1),
        Case("GPT-2 small, 1024 tokens", 768, 12, 12, 3072, 1024),
    ]


def rule_of_thumb(width, heads, key_value_heads, hidden, length, bias=True):
    """A block with M = 4C, without biases and norms."""
    return 12 * width**2, 24 * length * width**2 + 4 * length**2 * width


SHARED = "C // heads * key_value_heads"
WEIGHTS = "2 * C * C + 2 * C * G + 2 * C * M"
BIASES = "2 * C + 2 * G + M + C if bias else 0"
NORMS = "2 * 2 * C"
MIXING = "2 * T * T * C"
FLOPS = "2 * (T * weights + mixing)"

cost_task = Task(
    id="10-block/cost",
    title="What a block costs",
    kind="build",
    points=2,
    minutes=12,
    answer="cost",
    cases=cases,
    reference=cost,
    misconceptions=(
        BIASES_MISCOUNTED.by(
            changed(
                cost,
                BIASES,
                "0",
                "2 * C + 2 * G + M + C",
                "M + C if bias else 0",
                "2 * C + 2 * G if bias else 0",
                "2 * C + 2 * G + M if bias else 0",
                "2 * C + 2 * G + C if bias else 0",
                "2 * C + 2 * G + 2 * C if bias else 0",
                "2 * C + 2 * G + 2 * M if bias else 0",
                "C + 2 * G + M + C if bias else 0",
                "4 * C + M + C if bias else 0",
            ),
        ),
        NORMS_MISCOUNTED.by(
            changed(cost, NORMS, "2 * C", "0", "4", "2 * 2 * C + 2 * C", "2 * 2 * C * T"),
            changed(cost, NORMS, "4 * C if bias else 2 * C"),
        ),
        OUTPUT_FORGOTTEN.by(
            changed(cost, WEIGHTS, "C * C + 2 * C * G + 2 * C * M"),
            changed(
                *changed(cost, WEIGHTS, "C * C + 2 * C * G + 2 * C * M"),
                BIASES,
                "C + 2 * G + M + C if bias else 0",
            ),
        ),
        FEED_FORWARD_MISCOUNTED.by(
            changed(cost, WEIGHTS, "2 * C * C + 2 * C * G + C * M"),
            changed(
                *changed(cost, WEIGHTS, "2 * C * C + 2 * C * G + C * M"),
                BIASES,
                "2 * C + 2 * G + M if bias else 0",
            ),
            changed(cost, "hidden, length\n", "4 * width, length\n"),
            rule_of_thumb,
        ),
        Misconception(
            "sharing-miscounted",
            any_of(
                changed(cost, SHARED, "C"),
                changed(cost, WEIGHTS, "4 * C * G + 2 * C * M", "C * C + 3 * C * G + 2 * C * M"),
                changed(cost, SHARED, "key_value_heads", "C // key_value_heads"),
                changed(cost, MIXING, "2 * T * T * G", "T * T * (C + G)"),
            ),
            "This is right where every head has its own keys and values. Where heads share them, "
            "which of the four projections become narrower, and does the number of scores change?",
        ),
        HEADS_MISCOUNTED.by(
            changed(
                cost,
                MIXING,
                "2 * T * T * C // heads",
                "2 * T * T * C * heads",
                "2 * T * T * heads",
            ),
            changed(cost, WEIGHTS, "heads * (2 * C * C + 2 * C * G) + 2 * C * M"),
        ),
        Misconception(
            "multiplications-for-flops",
            changed(cost, FLOPS, "T * weights + mixing", "T * weights + 2 * mixing"),
            "In your FLOPs something is counted once that should count twice, all of it or a "
            "part. What is done with each product after two numbers were multiplied?",
        ),
        Misconception(
            "flops-miscounted",
            any_of(
                changed(cost, MIXING, "T * T * C"),
                changed(cost, FLOPS, "2 * T * weights"),
                changed(cost, FLOPS, "2 * (weights + mixing)", "2 * T * T * weights + 2 * mixing"),
                changed(cost, FLOPS, "2 * T * (T * weights + mixing)", "2 * weights"),
                changed(
                    cost, MIXING, "2 * T * C", "2 * T * C * C", "2 * T * T", "2 * T * T * C * C"
                ),
                changed(
                    cost,
                    FLOPS,
                    "2 * (T * (weights + biases + norms) + mixing)",
                    "2 * (T * (weights + biases) + mixing)",
                    "2 * (T * (weights + norms) + mixing)",
                ),
            ),
            "Your FLOPs miss a product of matrices, or count another number of them. How often is "
            "each weight used in a text of T tokens, and which products have no weight in them?",
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(
                cost,
                "return weights + biases + norms, 2 * (T * weights + mixing)",
                "return 2 * (T * weights + mixing), weights + biases + norms",
            )
        ),
    ),
    compare=equal(),
)
