"""Variants of assignment 12: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.listing import Listing, another_listing, spoiled
from headway.tasks.engine.variation import Changes


def drawn(rng: np.random.Generator) -> Changes:
    """Another batch and vocabulary, with means of few digits again."""
    words, vocabulary = map(int, BATCHES[rng.integers(len(BATCHES))])
    texts, padding = draw_until(
        lambda drawn: (words + drawn[1]) % drawn[0] == 0,
        lambda: tuple(map(int, rng.integers((3, 6), (7, 25)))),
    )
    chosen = words * 15 // 100
    masked, tenth = chosen * 8 / 10, chosen / 10
    return {
        "ask-drawn": [
            (
                "A batch has 4 texts in 65 columns.",
                f"A batch has {texts} texts in {(words + padding) // texts + 2} columns.",
            ),
            ("with 12 `[PAD]` in all", f"with {padding} `[PAD]` in all"),
            (
                "the vocabulary has 12 words. A random word can be any of the 12,",
                f"the vocabulary has {vocabulary} words. A random word can be any of the "
                f"{vocabulary},",
            ),
        ],
        "drawn": [
            (
                "[36, 28.8, 28.8 + 3.6 * 11 / 12, 3.6 + 3.6 / 12]",
                f"[{chosen}, {masked}, {masked} + {tenth} * {vocabulary - 1} / {vocabulary}, "
                f"{tenth} + {tenth} / {vocabulary}]",
            )
        ],
    }


# Words that can be chosen, and the size of a vocabulary.
BATCHES = (
    *((120, 9), (120, 18), (160, 8), (160, 12), (200, 10), (200, 15)),
    *((280, 14), (320, 16), (360, 18), (400, 15), (400, 20)),
)


def labels(rng: np.random.Generator) -> Changes:
    """Another draw for each token; one word of three is masked, one replaced, one kept."""
    the, old, clock, in_, hall, stopped, *others = map(int, rng.permutation(np.arange(4, 32)))
    text = [1, the, old, clock, in_, the, hall, stopped, 2]
    random = [*others[:8], int(rng.choice([the, old, clock]))]
    chosen = [int(place) for place in rng.choice(np.arange(1, 8), 3, replace=False)]
    masked, replaced, kept = chosen
    first, second = rng.integers(20, 100, 9) / 100, rng.integers(2, 80, 9) / 100
    first[[0, 8, *chosen]] = rng.integers(1, 15, 5) / 100
    second[replaced], second[kept] = rng.integers((81, 91), (90, 99)) / 100
    second[8] = rng.integers(91, 99) / 100  # as if it were kept
    inputs, asked = list(text), [-100] * 9
    for place in chosen:
        asked[place] = text[place]
    inputs[masked], inputs[replaced] = 3, random[replaced]
    return {
        "ask-labels": [
            (
                "| id | 1 | 14 | 9 | 27 | 8 | 14 | 30 | 22 | 2 |\n"
                "| first draw | 0.08 | 0.31 | 0.12 | 0.66 | 0.04 | 0.92 | 0.11 | 0.50 | 0.03 |\n"
                "| second draw | 0.20 | 0.55 | 0.95 | 0.10 | 0.35 | 0.70 | 0.86 | 0.41 | 0.93 |\n"
                "| random word | 25 | 19 | 11 | 31 | 21 | 9 | 14 | 27 | 16 |",
                f"| id | {' | '.join(map(str, text))} |\n"
                f"| first draw | {' | '.join(f'{number:.2f}' for number in first)} |\n"
                f"| second draw | {' | '.join(f'{number:.2f}' for number in second)} |\n"
                f"| random word | {' | '.join(map(str, random))} |",
            )
        ],
        "labels": [
            (
                "[1, 14, 9, 27, 3, 14, 14, 22, 2],\n"
                "        [-100, -100, 9, -100, 8, -100, 30, -100, -100],",
                f"{inputs},\n        {asked},",
            )
        ],
    }


def patches(rng: np.random.Generator) -> Changes:
    """Another image, cut into patches of another size, and another pixel."""

    def draw() -> tuple[int, ...]:
        rows, columns = rng.integers((2, 3), (5, 7))
        down, right = rng.integers(1, (rows, columns))
        y, x = rng.integers(1, P, 2)
        return tuple(map(int, (rows, columns, down, right, y, x)))

    def suits(drawn: tuple[int, ...]) -> bool:
        """Whether the pixel shows in which order one counts."""
        rows, columns, down, right, y, x = drawn
        return rows < columns and y != x and down * columns + right != right * rows + down

    P = int(rng.choice([4, 5, 6, 10]))
    rows, columns, down, right, y, x = draw_until(suits, draw)
    row, column = P * down + y, P * right + x
    return {
        "ask-patches": [
            (
                "is 24 pixels high and 40 pixels wide",
                f"is {P * rows} pixels high and {P * columns} pixels wide",
            ),
            ("patches of 8 × 8 pixels", f"patches of {P} × {P} pixels"),
            ("in row 13 and column 30", f"in row {row} and column {column}"),
        ],
        "patches": [
            (
                "[3 * 5, 8 * 8 * 3, (13 // 8) * 5 + 30 // 8, (13 % 8) * 24 + (30 % 8) * 3 + 2]",
                f"[{rows} * {columns}, {P} * {P} * 3, ({row} // {P}) * {columns} + {column} // {P}"
                f", ({row} % {P}) * {3 * P} + ({column} % {P}) * 3 + 2]",
            )
        ],
    }


def debug(rng: np.random.Generator) -> Changes:
    """All places in the sum, or the old fault in another line."""
    new = (
        spoiled(f"{MENDED}{SUMS}", "(cost * asked).sum()", "cost.sum()", first=4),
        Listing(4, LOG_P, f"{ASKED}{STAND_IN}{COST}", f"{STAND_IN}{COST}{ASKED}", SUMS, line=5),
    )[rng.integers(2)]
    return another_listing(GIVEN, new, "repair")


ASKED = "        asked = labels >= 0\n"
STAND_IN = "        labels = labels.clamp(min=0)\n"
LOG_P = "        log_p = logits.log_softmax(dim=-1)\n"
COST = "        cost = -log_p.gather(-1, labels[..., None]).squeeze(-1)\n"
SUMS = "        total += (cost * asked).sum()\n        count += asked.sum()\n"
MENDED = f"{ASKED}{STAND_IN}{LOG_P}{COST}"
GIVEN = Listing(4, "", MENDED, f"{STAND_IN}{LOG_P}{COST}{ASKED}", SUMS, line=4)

VARIANTS = (drawn, labels, patches, debug)
