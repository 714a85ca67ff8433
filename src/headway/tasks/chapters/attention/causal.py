"""Build the causal mask, also for the newest words of a longer text."""

import numpy as np
import torch

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def places(T, S):
    """Positions of the queries (T, 1), the last T of S, and of the keys (1, S)."""
    keys = torch.arange(S)
    return keys[S - T :, None], keys[None]


def causal_mask(T, S):
    """True where s ≤ S − T + t."""
    query, key = places(T, S)
    return key <= query


def seen(look):
    """A mask with look(query's position, key's position, window) in the place of the right one."""

    def mask(*arguments):
        *window, T, S = arguments
        return look(*places(T, S), *window)

    return mask


def top_left(look):
    """The same for queries that stand at the beginning of the keys."""

    def mask(*arguments):
        *window, T, S = arguments
        query, key = places(T, S)
        return look(query - (S - T), key, *window)

    return mask


def as_numbers(mask, hidden, shown=0.0):
    return torch.where(mask, shown, hidden)


def causal_cases(rng: np.random.Generator) -> list[Case]:
    T = int(rng.integers(3, 6))
    more = int(rng.integers(2, 5))
    return [
        Case("a whole sentence", T + 1, T + 1, core=True),
        Case("some words after a prefix that was seen", T, T + more, core=True),
        Case("two words after a long prefix", 2, 9),
        Case("one new word", 1, 6),
        Case("a single word", 1, 1),
        Case("two words", 2, 2),
    ]


causal = Task(
    id="08-attention/causal",
    title="Nobody sees what comes later",
    kind="build",
    points=1,
    minutes=8,
    answer="causal_mask",
    cases=causal_cases,
    reference=causal_mask,
    misconceptions=(
        Misconception(
            "own-position-hidden",
            seen(lambda p, s: s < p),
            "No position sees itself, and the first word of a sentence sees nothing at all. May a "
            "word look at itself?",
        ),
        Misconception(
            "one-ahead",
            seen(lambda p, s: s <= p + 1),
            "Every query sees one word more than it should. Which one would a model that predicts "
            "the next word like to see?",
        ),
        Misconception(
            "top-left",
            top_left(lambda p, s: s <= p),
            "Right for a whole sentence. Where a prefix was seen before, your first query sees the "
            "first key only. At which position does it stand?",
        ),
        Misconception(
            "shifted-the-other-way",
            lambda T, S: torch.ones(T, S, dtype=torch.bool).tril(T - S),
            "Right for a whole sentence. Where a prefix was seen before, most queries see nothing. "
            "In which direction does your diagonal move when the prefix grows?",
        ),
        Misconception(
            "hidden-for-visible",
            seen(lambda p, s: s > p),
            "Your mask is True where it should be False, everywhere. What does True mean here?",
        ),
        Misconception(
            "looks-ahead",
            seen(lambda p, s: s >= p),
            "Each query sees itself and what comes after it. Which way does time run along a row?",
        ),
        Misconception(
            "transposed",
            lambda T, S: causal_mask(T, S).T,
            "Your mask has a row for each key. Who shares out a whole along a row?",
        ),
        Misconception(
            "prefix-forgotten",
            lambda T, S: causal_mask(T, T),
            "Your mask has a column for each query. How many keys are there?",
        ),
        Misconception(
            "prefix-hidden",
            seen(lambda p, s: (s <= p) & (s >= p[0])),
            "Right for a whole sentence. Otherwise nobody sees the prefix: what came before the "
            "first query?",
        ),
        Misconception(
            "only-prefix",
            seen(lambda p, s: (s < p[0]) | (s == p)),
            "Each query sees the prefix and itself, and no word between. Are those later?",
        ),
        Misconception(
            "numbers-for-booleans",
            lambda T, S: causal_mask(T, S).float(),
            "Right, as numbers 0 and 1. Which type lets the mask combine with others by logic?",
        ),
        Misconception(
            "minus-infinity",
            lambda T, S: as_numbers(causal_mask(T, S), -torch.inf),
            "These are numbers to add to scores. Here a mask is True and False.",
        ),
        Misconception(
            "ones-and-minus-infinity",
            lambda T, S: as_numbers(causal_mask(T, S), -torch.inf, 1.0),
            "These are ones and minus infinity. What would a product with a negative score give? "
            "Here a mask is True and False.",
        ),
        Misconception(
            "everything-visible",
            seen(lambda p, s: (s <= s) & (p <= p)),
            "Every query sees every key. What should the first word of a sentence see?",
        ),
    ),
    compare=equal(same_kind=True),
    alike=equal(),
)
