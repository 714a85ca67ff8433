"""Build the memory that a cache takes, where layers differ."""

import numpy as np

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

ENDLESS = 2**40  # tokens, more than any window has


def cache_bytes(windows, heads, key_value_heads, width, length, batch, bits):
    """Bytes of keys and values of all layers, each of which has its window or None."""
    return count(windows, key_value_heads, width // heads, length, batch, bits / 8)


def count(windows, heads, head_width, length, batch, size, both=2):
    kept = sum(length if window is None else min(length, window) for window in windows)
    return int(both * batch * kept * heads * head_width * size)


def memory_cases(rng: np.random.Generator) -> list[Case]:
    def draw(windows, heads, groups, length, batch=1, bits=16):
        D = 2 * int(rng.integers(3, 33))
        return windows, heads, heads // groups, heads * D, length, batch, bits

    def n(low, high):
        return int(rng.integers(low, high))

    return [
        Case("full attention everywhere", *draw([None] * n(3, 6), 6, 1, n(50, 90)), core=True),
        Case("grouped heads, a batch", *draw([None] * 5, 8, 4, n(50, 90), n(3, 7)), core=True),
        Case("windows in some layers", *draw([None, 16, None, 24], 4, 2, n(30, 50)), core=True),
        Case("a text shorter than its windows", *draw([64, None, 64], 4, 2, n(20, 40), 3)),
        Case("four bits a number", *draw([None] * 3, 6, 3, n(20, 40), 2, 4)),
        Case("32 bits a number", *draw([8, 8, None], 6, 2, n(20, 40), 1, 32)),
        Case("a single key/value head", *draw([None, None], 8, 8, n(20, 40), 3)),
        Case("nothing read yet", *draw([None, 16], 4, 2, 0)),
    ]


def _changed(change):
    """Another count: change(count's arguments by name) -> changed ones."""

    def wrong(windows, heads, key_value_heads, width, length, batch, bits):
        given = {
            "windows": windows,
            "heads": key_value_heads,
            "head_width": width // heads,
            "length": length,
            "batch": batch,
            "size": bits / 8,
        }
        return count(**given | change(heads, key_value_heads, width, length, windows, bits))

    return wrong


memory_task = Task(
    id="15-kv-cache/bytes",
    title="Bytes of a cache",
    kind="build",
    points=1,
    minutes=8,
    answer="cache_bytes",
    cases=memory_cases,
    reference=cache_bytes,
    misconceptions=(
        Misconception(
            "query-heads-counted",
            _changed(lambda H, G, C, T, windows, bits: {"heads": H}),
            "Right where each query head has keys of its own. Which heads are stored where "
            "several queries share one, and does a shared one get wider?",
        ),
        Misconception(
            "values-forgotten",
            _changed(lambda *_: {"both": 1}),
            "This is half of it. What is kept besides the keys?",
        ),
        Misconception(
            "queries-cached",
            lambda windows, heads, key_value_heads, width, length, batch, bits: count(
                windows, 2 * key_value_heads + heads, width // heads, length, batch, bits / 8, 1
            ),
            "You keep the queries too. Which later token asks with an old query?",
        ),
        Misconception(
            "bits-for-bytes",
            _changed(lambda H, G, C, T, windows, bits: {"size": bits}),
            "These are bits. How many of them make a byte?",
        ),
        Misconception(
            "two-bytes-a-number",
            _changed(lambda *_: {"size": 2}),
            "Right for 16 bits a number. Which argument says how many there are?",
        ),
        Misconception(
            "bits-divided-first",
            _changed(lambda H, G, C, T, windows, bits: {"size": bits // 8}),
            "Right where a number has whole bytes. How many bytes has one of four bits, and what "
            "does bits // 8 say?",
        ),
        Misconception(
            "windows-ignored",
            _changed(lambda H, G, C, T, windows, bits: {"windows": [None] * len(windows)}),
            "All layers keep all tokens. What does a layer with a window never look at again?",
        ),
        Misconception(
            "own-token-not-in-the-window",
            _changed(lambda H, G, C, T, windows, bits: {"windows": [w and w - 1 for w in windows]}),
            "Your windows hold one token less. Does a token see itself?",
        ),
        Misconception(
            "own-token-beside-the-window",
            _changed(lambda H, G, C, T, windows, bits: {"windows": [w and w + 1 for w in windows]}),
            "Your windows hold one token more. Is the newest one among the W, or beside them?",
        ),
        Misconception(
            "layers-without-a-window-left-out",
            _changed(lambda H, G, C, T, windows, bits: {"windows": [w or 0 for w in windows]}),
            "Layers without a window keep nothing in your count. What does None say?",
        ),
        Misconception(
            "window-always-full",
            lambda windows, heads, key_value_heads, width, length, batch, bits: count(
                [length if w is None else w for w in windows],
                key_value_heads,
                width // heads,
                ENDLESS,
                batch,
                bits / 8,
            ),
            "A window counts in full, even where the text is shorter. How many tokens are kept?",
        ),
        Misconception(
            "batch-forgotten",
            _changed(lambda *_: {"batch": 1}),
            "Right for a single text. Do the texts of a batch share their keys?",
        ),
        Misconception(
            "one-layer",
            _changed(lambda H, G, C, T, windows, bits: {"windows": windows[:1]}),
            "This is the first layer alone. Where are the others?",
        ),
    ),
    compare=equal(),
)
