"""Variants of assignment 11: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes


def positions(rng: np.random.Generator) -> Changes:
    """Texts of other lengths; the last one is not the longest."""
    a, b, c = draw_until(
        lambda drawn: drawn[2] < max(drawn) and sorted(drawn) != [3, 5, 9],
        lambda: tuple(map(int, rng.choice(np.arange(2, 12), 3, replace=False))),
    )
    return {
        "ask-positions": [("of 5, 9 and 3 words", f"of {a}, {b} and {c} words")],
        "positions": [
            (
                "[3 * 10, 6 + 10 + 4, 3]",
                f"[3 * {max(a, b) + 1}, {a + 1} + {b + 1} + {c + 1}, {c}]",
            )
        ],
    }


def parameters(rng: np.random.Generator) -> Changes:
    """A model of another size; a third model has other heads and twice the context again."""

    def draw() -> tuple[int, ...]:
        return tuple(
            int(rng.choice(some)) for some in ((300, 400, 600), (30, 40, 50), (10, 20, 30))
        )

    V, N, C = draw()
    blocks = int(rng.integers(2, 5))
    few, many = map(int, rng.choice([H for H in (2, 3, 5, 10) if C % H == 0], 2, replace=False))
    block = 12 * C**2 + 13 * C
    tied = blocks * block + V * C + N * C + 2 * C
    return {
        "ask-parameters": [
            (
                "a vocabulary of 500 symbols, a context of 40 tokens, a width of 20, and three "
                "pre-norm blocks with four heads each",
                f"a vocabulary of {V} symbols, a context of {N} tokens, a width of {C}, and "
                f"{SPELLED[blocks]} pre-norm blocks with {SPELLED[few]} heads each",
            ),
            (
                "has ten heads in every block, and a context of 80 tokens",
                f"has {SPELLED[many]} heads in every block, and a context of {2 * N} tokens",
            ),
        ],
        "parameters": [
            (
                "[3 * (12 * 20**2 + 13 * 20) + 500 * 20 + 40 * 20 + 2 * 20, 36_020, 26_820]",
                f"[{blocks} * (12 * {C}**2 + 13 * {C}) + {V} * {C} + {N} * {C} + 2 * {C}, "
                f"{tied + V * C:_}, {tied + N * C:_}]",
            )
        ],
    }


def perplexity(rng: np.random.Generator) -> Changes:
    """Other batches and losses, whose mean has one decimal again."""
    first, second, step = BATCHES[rng.integers(len(BATCHES))]
    tenths = int(rng.integers(15, 24))
    more = step * int(rng.integers(1, 3))
    tokens = first + second
    mean = (tenths * first + (tenths + more) * second) // tokens / 10
    if mean == 2.3:
        tenths, mean = tenths + 1, 2.4
    size = tokens * int(rng.integers(4, 6))
    characters = size - 100 * int(rng.integers(2, 5))
    return {
        "ask-perplexity": [
            (
                "The first batch has 600 targets, and their mean loss is 2.0 nats. The second has "
                "200 targets with a mean of 3.2 nats. These 800 tokens are the whole text. It has "
                "3,000 characters, which are 3,200 bytes in UTF-8",
                f"The first batch has {first} targets, and their mean loss is {tenths / 10} nats. "
                f"The second has {second} targets with a mean of {(tenths + more) / 10} nats. "
                f"These {tokens:,} tokens are the whole text. It has {characters:,} characters, "
                f"which are {size:,} bytes in UTF-8",
            )
        ],
        "perplexity": [
            (
                "[2.3, math.exp(2.3), 800 * 2.3 / math.log(2) / 3_200]",
                f"[{mean}, math.exp({mean}), {tokens} * {mean} / math.log(2) / {size:_}]",
            )
        ],
    }


# Targets in the first batch and in the second, and a step that both losses differ by, in tenths.
BATCHES = ((600, 200, 4), (300, 100, 4), (800, 200, 5), (400, 100, 5), (600, 400, 5))


def debug(rng: np.random.Generator) -> Changes:
    """Inputs or targets that are a place off, so that each token learns itself."""
    at, becomes = FAULTS[rng.integers(len(FAULTS))]
    given = spoiled(CODE, "len(prompts[row]) - 1", "len(prompts[row])", first=7, region=(7, 9))
    return another_listing(given, spoiled(CODE, at, becomes, first=7), "repair")


CODE = """\
        first, last = len(prompts[row]) - 1, len(text) - 1
        inputs[row, :last] = torch.tensor(text[:last])
        targets[row, first:last] = torch.tensor(text[first + 1 : last + 1])
"""
FAULTS = (
    ("torch.tensor(text[:last])", "torch.tensor(text[1:])"),
    ("torch.tensor(text[first + 1 : last + 1])", "torch.tensor(text[first:last])"),
)

VARIANTS = (positions, parameters, perplexity, debug)
