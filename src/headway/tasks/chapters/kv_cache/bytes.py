"""Build the memory that a cache takes, where layers differ."""

import numpy as np

from headway.tasks.chapters.kv_cache.mistakes import (
    BITS_AND_BYTES_MIXED_UP,
    CACHE_CONTENTS_MISTAKEN,
    SHARED_HEADS_MISCOUNTED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def cache_bytes(windows, heads, key_value_heads, width, length, batch, bits):
    """Bytes of keys and values of all layers, each of which has its window or None."""
    kept = sum(length if window is None else min(length, window) for window in windows)
    return 2 * batch * kept * key_value_heads * (width // heads) * bits // 8


def bytes_cases(rng: np.random.Generator) -> list[Case]:
    def draw(windows, heads, groups, length, batch=1, bits=16):
        D = 2 * int(rng.integers(3, 33))
        return windows, heads, heads // groups, heads * D, length, batch, bits

    def n(low, high):
        return int(rng.integers(low, high))

    return [
        Case("full attention everywhere", *draw([None] * n(3, 6), 6, 1, n(50, 90))),
        Case("grouped heads, a batch", *draw([None] * 5, 8, 4, n(50, 90), n(3, 7)), core=True),
        Case("windows in some layers", *draw([None, 16, None, 24], 4, 2, n(30, 50)), core=True),
        Case("a text shorter than its windows", *draw([64, None, 64], 4, 2, n(20, 40), 3)),
        Case("four bits a number", *draw([None] * 3, 6, 3, n(20, 40), 2, 4)),
        Case("32 bits a number", *draw([8, 8, None], 6, 2, n(20, 40), 1, 32)),
        Case("a single key/value head", *draw([None, None], 8, 8, n(20, 40), 3)),
        Case("nothing read yet", *draw([None, 16], 4, 2, 0)),
    ]


KEPT = "length if window is None else min(length, window)"
whole_texts = changed(cache_bytes, KEPT, "length")

bytes_task = Task(
    id="15-kv-cache/bytes",
    title="Bytes of a cache",
    kind="build",
    points=1,
    minutes=10,
    answer="cache_bytes",
    cases=bytes_cases,
    reference=cache_bytes,
    misconceptions=(
        SHARED_HEADS_MISCOUNTED.by(
            changed(cache_bytes, "key_value_heads * (", "heads * ("),
            changed(cache_bytes, "(width // heads)", "width", "(width // key_value_heads)"),
        ),
        CACHE_CONTENTS_MISTAKEN.by(
            changed(cache_bytes, "2 * batch", "batch", "2"),
            changed(cache_bytes, "in windows", "in windows[:1]"),
            changed(
                cache_bytes,
                "2 * batch * kept * key_value_heads",
                "batch * kept * (heads + 2 * key_value_heads)",
            ),
        ),
        BITS_AND_BYTES_MIXED_UP.by(
            changed(cache_bytes, "* bits // 8", "* bits", "* 2", "* (bits // 8)")
        ),
        Misconception(
            "window-misread",
            any_of(
                changed(
                    cache_bytes,
                    KEPT,
                    "length",
                    "length if window is None else window",
                    "min(length, window or 0)",
                    "length if window is None else max(length, window)",
                ),
                changed(*whole_texts, "* bits // 8", "* 2", "* 4"),
                changed(
                    cache_bytes,
                    "min(length, window)",
                    "min(length, window - 1)",
                    "min(length, window + 1)",
                ),
            ),
            "Some of your layers keep too many tokens, or too few. How many does a layer with a "
            "window keep of a long text and of a short one?",
        ),
    ),
    compare=equal(),
)
