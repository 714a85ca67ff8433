"""Build the sliding window, also for the newest words of a longer text."""

import numpy as np
import torch

from headway.tasks.chapters.attention.mistakes import (
    EDGE_OFF_BY_ONE,
    FUTURE_VISIBLE,
    MASK_INVERTED,
    MASK_OF_NUMBERS,
    PREFIX_LEFT_OUT_OF_THE_MASK,
    QUERIES_AND_KEYS_SWAPPED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
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
        EDGE_OFF_BY_ONE.by(
            changed(window_mask, "key > query", "key >= query", "key - 1 > query"),
            where(
                "(key < query) & (key >= query - window)", "(key < query) & (key > query - window)"
            ),
        ),
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
        FUTURE_VISIBLE.by(where("key > query - window", "(key <= query) | (key > query - window)")),
        Misconception(
            "causal-only",
            any_of(
                where("key <= query", "key <= query - (S - T)"),
                lambda window, T, S: window_mask(S, T, T),
                lambda window, T, S: window_mask(S, S, S),
            ),
            "This is the causal mask: whatever the window, everything before is seen. How far back "
            "may a query look?",
        ),
        MASK_INVERTED.by(
            where(
                "(key > query) | (key <= query - window)",
                "key <= query - window",
                "key < query - window",
                "(key >= query) & (key < query + window)",
                "key > query",
                "key > query - (S - T)",
            )
        ),
        PREFIX_LEFT_OUT_OF_THE_MASK.by(
            changed(window_mask, "torch.arange(S - T, S)", "torch.arange(T)"),
            changed(window_mask, "key > query", "key > query - (S - T)"),
            lambda window, T, S: window_mask(window, T, T),
            lambda window, T, S: window_mask(window, S, S),
        ),
        Misconception(
            "negative-slice-start",
            sliced,
            "Your window goes wrong where it would begin before the first key. What does a slice "
            "make of a negative start?",
        ),
        Misconception(
            "window-stands-still",
            where(
                "(key <= query) & (key // window == query // window)",
                "(key <= query) & (key < window)",
                "(key > query[-1] - window) & (query >= 0)",
                "(key > query[-1] - window) & (key <= query)",
            ),
            "Your window stays where it is for several queries: at the beginning, at the end, or "
            "block by block. Should it move with the query?",
        ),
        QUERIES_AND_KEYS_SWAPPED.by(where("((key <= query) & (key > query - window)).mT")),
        MASK_OF_NUMBERS.by(where("((key <= query) & (key > query - window)).float()")),
    ),
    compare=equal(same_kind=True),
    alike=equal(),
)
