"""Build: what a layer costs under four patterns of attention, in FLOPs and in bytes."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from headway.tasks.chapters.outlook.mistakes import (
    BYTES_OR_BITS,
    HEADS_MISCOUNTED,
    LAST_BLOCK,
    LENGTH_ONCE,
    MATRICES_MISCOUNTED,
    ONCE_AND_TWICE,
    ONLY_ONE,
    PAIRS_HALVED,
    RESULTS_MISPLACED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed, seen
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


FULL, BLOCKS = "pairs = T * T", "T // size * size**2 + (T % size) ** 2"
LINEAR = "T * H * 2 * D * D, H * D * D"


def other(at: str, *becomes: str) -> AnyOf:
    return changed(cost, at, *becomes)


class Count(NamedTuple):
    """What was counted, beside the right parts.

    Attributes:
        flops, bytes: the answer.
        weights, fed, pairs: the right FLOPs of the projections, the feed-forward and attention.
        held: the right bytes.
        T, C, H, pattern, size: the question.
    """

    flops: float
    bytes: float
    weights: int
    fed: int
    pairs: int
    held: int
    T: int
    C: int
    H: int
    pattern: str
    size: int | None

    @property
    def attention(self) -> float:
        """What is left for attention where the weights are counted right, to what is right."""
        return (self.flops - self.weights - self.fed) / self.pairs

    def made_of(self, *factors: tuple[float, float, float]) -> bool:
        """Whether the FLOPs are the three right parts, each times another factor."""
        right = self.weights, self.fed, self.pairs
        return any(isclose(np.dot(each, right), self.flops) for each in factors)

    def holds(self, *factors: float) -> bool:
        """Whether the bytes are the right ones times a factor."""
        return any(isclose(factor * self.held, self.bytes) for factor in factors)


def isclose(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9)


def count(got, T, C, M, H, pattern="full", size=None) -> Count:
    flops, held = cost(T, C, M, H, pattern, size)
    weights, fed = 8 * T * C * C, 4 * T * C * M
    return Count(*got, weights, fed, flops - weights - fed, held, T, C, H, pattern, size)


def told(tell: Callable[[Count], bool]):
    """A predicate of a count that is off by more than rounding."""
    return lambda got, expected, case: (
        not all(map(isclose, got, expected)) and tell(count(got, *case.inputs))
    )


def _misplaced(got, expected, case) -> bool:
    mine, right = np.ravel(got).tolist(), list(expected)
    some = {*mine} < {*right} or {*mine} > {*right}
    return mine in (right[::-1], [sum(right)]) or (len(mine) != 2 and some)


def _of_other_pairs(it: Count) -> bool:
    """Whether both numbers are those of another number of pairs."""
    return it.size is not None and it.holds(it.attention)


def _halved(it: Count) -> bool:
    """Whether both numbers are those of half of the pairs, of a triangle, or of twice as many."""
    itself = it.T * it.H * 4 / it.held  # the share of the pairs of a token with itself
    of = (0.5, 2, (1 + itself) / 2, (1 - itself) / 2)
    some = any(abs(it.attention - each) < 1e-6 for each in of)
    return it.pattern != "linear" and some and it.holds(it.attention)


def _by_heads(it: Count) -> bool:
    by = (it.H, 1 / it.H, 1)
    return it.made_of(*((1, 1, each) for each in by)) and it.holds(*by)


def _by_length(it: Count) -> bool:
    by, both = (it.T, 1 / it.T, 2 / it.T, it.C / it.T), ((it.T, it.T, 1), (1 / it.T, 1 / it.T, 1))
    return it.made_of(*((1, 1, each) for each in by), *both, (1 / it.T,) * 3)


def _by_matrices(it: Count) -> bool:
    """Whether the FLOPs are those of other matrices, from none to twelve times the width."""
    some = [each / 4 for each in range(13) if each != 4]
    others = [(each, 1, 1) for each in (*some, it.H, 1 / it.H)]
    others += [(1, each / 2, 1) for each in range(9) if each != 2]
    return it.made_of(*others, (3, 0, 1), (0, 0, 1))


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
        RESULTS_MISPLACED.by(
            other(
                "return 2 * (T * weights + products), 4 * held",
                "return 4 * held, 2 * (T * weights + products)",
            ),
            shows=_misplaced,
        ),
        Misconception(
            "state-miscounted",
            other(LINEAR, "2 * T * T * C, H * T * T"),
            "This goes wrong where a state takes the place of pairs. How many numbers does a "
            "head's state have, and what does one token do with it?",
            only_at=("a state instead of pairs", "a state, one head"),
            shows=told(lambda it: it.pattern == "linear"),
        ),
        seen(
            "longer-than-the-text",
            "This goes wrong where a window or a block is longer than the text. How many tokens "
            "are there to see?",
            told(lambda it: it.size > it.T),
            only_at=("a window longer than the text", "a block larger than the text"),
        ),
        LAST_BLOCK.by(
            other(BLOCKS, "T // size * size**2"),
            only_at=("blocks, the last one shorter",),
            shows=told(lambda it: it.pattern == "blocks" and it.T % it.size > 0),
        ),
        Misconception(
            "pairs-of-a-pattern",
            any_of(
                other(BLOCKS, "(T // size) ** 2 * size + (T % size) ** 2"),
                other("    D = C // H", '    D, pattern = C // H, "full"'),
            ),
            "A window or the blocks have another number of pairs here. Draw a text of five "
            "tokens: whom does each of them see?",
            shows=told(_of_other_pairs),
        ),
        PAIRS_HALVED.by(other(FULL, "pairs = T * (T + 1) // 2"), shows=told(_halved)),
        ONCE_AND_TWICE.by(
            other("2 * (T * weights + products)", "2 * T * weights + products"),
            shows=told(
                lambda it: it.made_of(
                    *(
                        (one, one, other)
                        for one in (0.5, 1, 2)
                        for other in (0.5, 1, 2)
                        if (one, other) != (1, 1)
                    )
                )
            ),
        ),
        HEADS_MISCOUNTED.by(
            other("2 * pairs * C, H * pairs", "2 * pairs * C, pairs * D"),
            other(LINEAR, "T * 2 * C * C, C * C", "T * 2 * D * D, D * D"),
            shows=told(_by_heads),
        ),
        LENGTH_ONCE.by(other(FULL, "pairs = T"), shows=told(_by_length)),
        MATRICES_MISCOUNTED.by(
            other("4 * C * C + 2 * C * M", "4 * C * C + 2 * M * M"), shows=told(_by_matrices)
        ),
        BYTES_OR_BITS.by(
            other("4 * held", "held"),
            shows=told(lambda it: it.holds(*(2.0**power for power in (-20, -10, -2, 3)))),
        ),
        ONLY_ONE.by(only_at=("all pairs, one head", "one token")),
        seen(
            "flops-miscounted",
            "Your bytes are right, and your FLOPs are not. Which products of matrices does a token "
            "meet, and how many multiply-adds has each of them?",
            told(lambda it: it.holds(1) and not it.made_of((1, 1, 1))),
        ),
        seen(
            "bytes-miscounted",
            "Your FLOPs are right, and your bytes are not. Which numbers does the memory hold at "
            "one time, and how many bytes has each of them?",
            told(lambda it: it.made_of((1, 1, 1)) and not it.holds(1)),
        ),
    ),
    compare=equal(),
)
