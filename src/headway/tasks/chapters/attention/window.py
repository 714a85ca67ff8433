"""Build the sliding window, also for the newest words of a longer text."""

import numpy as np
import torch

from headway.tasks.chapters.attention.causal import (
    causal_mask,
    inverted,
    lacks_something,
    lacks_the_prefix,
    marked,
    of_numbers,
    sees_the_future,
    square,
    swapped,
)
from headway.tasks.chapters.attention.mistakes import (
    EDGE_OFF_BY_ONE,
    FUTURE_VISIBLE,
    MASK_INVERTED,
    MASK_OF_NUMBERS,
    ONE_SHAPE_ONLY,
    PREFIX_LEFT_OUT_OF_THE_MASK,
    QUERIES_AND_KEYS_SWAPPED,
    SEEN_WITHOUT_WEIGHT,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed, either
from headway.tasks.engine.task import Case, Task


def window_mask(window, T, S):
    """(T, S), True where p − window < s ≤ p, with p = S − T + t."""
    query, key = torch.arange(S - T, S)[:, None], torch.arange(S)
    return (key <= query) & (key > query - window)


def window_cases(rng: np.random.Generator) -> list[Case]:
    T, new, before = (int(rng.integers(*ends)) for ends in ((5, 12), (4, 14), (3, 23)))
    return [
        Case("some words after a prefix that was seen", 2, new, new + before, core=True),
        Case("a whole sentence, three words at a time", 3, T, T),
        Case("a prefix longer than the window", 3, 2, 9),
        Case("a window of one", 1, 4, 4),
        Case("a window wider than the text", 9, 4, 6),
        Case("one new word", 4, 1, 7),
        Case("a single word", 2, 1, 1),
    ]


def where(*seen: str) -> AnyOf:
    """Masks that are True elsewhere."""
    return changed(window_mask, "(key <= query) & (key > query - window)", *seen)


def sliced(window, T, S):
    mask = torch.zeros(T, S, dtype=torch.bool)
    for row, place in zip(mask, range(S - T, S), strict=True):
        row[place - window + 1 : place + 1] = True
    return mask


def _at_the_beginning(got, expected, case) -> bool:
    """Whether only windows go wrong that would begin before the first key."""
    size, T, S = case.inputs
    right = (marked(got, expected) == expected).all(1)
    early = np.arange(S - T, S) < size - 1
    return bool(right[~early].all() and early.any())


def _stands_still(got, expected, case) -> bool:
    """Whether some queries see the same keys, apart from what comes later."""
    mask, past = marked(got, expected), causal_mask(*expected.shape).numpy()
    return len(mask) > 1 and bool((mask == (mask[-1] & past)).all())


def _one_off(got, expected, case) -> bool:
    """Whether the window is one too wide or too narrow, or lies one place too far back."""
    size, T, S = case.inputs
    back = np.arange(S - T, S)[:, None] - np.arange(S)
    edges = (0, size + 1), (0, size - 1), (1, size + 1), (1, size)
    return any(
        np.array_equal(marked(got, expected), (back >= low) & (back < high)) for low, high in edges
    )


def _too_far_back(got, expected, case) -> bool:
    return bool((marked(got, expected) & ~expected).any())


window = Task(
    id="08-attention/window",
    title="A window that slides",
    kind="build",
    points=1,
    minutes=8,
    answer="window_mask",
    cases=window_cases,
    reference=window_mask,
    misconceptions=(
        MASK_OF_NUMBERS.by(
            where("((key <= query) & (key > query - window)).float()"), shows=of_numbers
        ),
        EDGE_OFF_BY_ONE.by(changed(window_mask, "key > query", "key >= query"), shows=_one_off),
        Misconception(
            "window-around-the-word",
            where(
                "(key - query).abs() < window",
                "(key - query).abs() <= window // 2",
                "(key <= query) & (key >= query - window // 2)",
            ),
            "Your window lies around the word: it reaches ahead as well, or only half its width "
            "back. On which side of the word do all its positions lie?",
        ),
        Misconception(
            "before-the-first-key",
            sliced,
            "Your window goes wrong where it would begin before the first key. Which keys are left "
            "of it there, and what does a slice make of a negative start?",
            shows=_at_the_beginning,
            only_at=("a window wider than the text",),
        ),
        MASK_INVERTED.by(
            where(
                "(key > query) | (key <= query - window)",
                "(key >= query) & (key < query + window)",
                "key > query - (S - T)",
            ),
            shows=inverted,
        ),
        PREFIX_LEFT_OUT_OF_THE_MASK.by(
            changed(window_mask, "torch.arange(S - T, S)", "torch.arange(T)"),
            changed(window_mask, "key > query", "key > query - (S - T)"),
            shows=either(square, lacks_the_prefix),
            only_at=("a prefix longer than the window", "one new word"),
        ),
        Misconception(
            "window-stands-still",
            where(
                "(key <= query) & (key // window == query // window)",
                "(key <= query) & (key < window)",
                "(key > query[-1] - window) & (query >= 0)",
            ),
            "Your window stays where it is for several queries: at the beginning, at the end, or "
            "block by block. Should it move with the query?",
            shows=_stands_still,
        ),
        QUERIES_AND_KEYS_SWAPPED.by(
            where("((key <= query) & (key > query - window)).mT"), shows=swapped
        ),
        FUTURE_VISIBLE.by(where("(key <= query) | (key > query - window)"), shows=sees_the_future),
        Misconception(
            "sees-too-far-back",
            any_of(
                where("key <= query - (S - T)"),
                lambda window, T, S: window_mask(S, T, T),
                lambda window, T, S: window_mask(S, S, S),
            ),
            "Some query sees further back than its window, if not all that came before. How many "
            "words does each of your rows mark, and where should the first of them be?",
            shows=_too_far_back,
        ),
        SEEN_WITHOUT_WEIGHT.by(
            where("(key < query) & (key > query - window + query % 2)"), shows=lacks_something
        ),
        ONE_SHAPE_ONLY.by(
            only_at=("a window of one", "a single word", "a whole sentence, three words at a time")
        ),
    ),
    compare=equal(same_kind=True),
    alike=equal(),
)
