"""Build the sliding window, also for the newest words of a longer text."""

import numpy as np
import torch

from headway.tasks.chapters.attention.causal import causal_mask, places, seen, top_left
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def window_mask(window, T, S):
    """True where p − window < s ≤ p, with p = S − T + t."""
    query, key = places(T, S)
    return (key <= query) & (key > query - window)


def window_cases(rng: np.random.Generator) -> list[Case]:
    T = int(rng.integers(5, 8))
    return [
        Case("three words at a time", 3, T, T, core=True),
        Case(
            "some words after a prefix that was seen", 2, 4, 4 + int(rng.integers(2, 5)), core=True
        ),
        Case("a prefix longer than the window", 3, 2, 9),
        Case("a window of one", 1, 4, 4),
        Case("a window wider than the text", 9, 4, 6),
        Case("one new word", 4, 1, 7),
        Case("a single word", 2, 1, 1),
    ]


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
        Misconception(
            "one-too-many",
            seen(lambda p, s, w: (s <= p) & (s >= p - w)),
            "Your queries see one key more than the window is wide. Is a word itself counted?",
        ),
        Misconception(
            "one-too-few",
            seen(lambda p, s, w: (s <= p) & (s > p - w + 1)),
            "Your queries see one key less than the window is wide; a window of one sees nothing. "
            "Which one is missing, the oldest or the newest?",
        ),
        Misconception(
            "own-position-hidden",
            seen(lambda p, s, w: (s < p) & (s >= p - w)),
            "Your window has the right width and ends before the word itself. Which is the newest "
            "position that a query sees?",
        ),
        Misconception(
            "both-sides",
            seen(lambda p, s, w: (s - p).abs() < w),
            "Your window reaches as far ahead as it reaches back. What comes later must stay "
            "hidden: which second condition is missing?",
        ),
        Misconception(
            "both-sides-half",
            seen(lambda p, s, w: (s - p).abs() <= w // 2),
            "Your window reaches half its width back and half its width ahead. What comes later "
            "must stay hidden; on which side do all its positions lie?",
        ),
        Misconception(
            "either-for-both",
            seen(lambda p, s, w: (s <= p) | (s > p - w)),
            "Every query sees every key. Two conditions say what is hidden: does a key have to "
            "meet one of them, or both, to be seen?",
        ),
        Misconception(
            "future-visible",
            seen(lambda p, s, w: s > p - w),
            "What is too old is hidden. What comes later is not: which second condition is "
            "missing?",
        ),
        Misconception(
            "causal-only",
            seen(lambda p, s, w: s <= p),
            "This is the causal mask: whatever the window, everything before is seen. How far back "
            "may a query look?",
        ),
        Misconception(
            "beyond-the-window",
            seen(lambda p, s, w: s <= p - w),
            "Your queries see what lies before the window, and nothing in it. Which side of the "
            "edge did you keep?",
        ),
        Misconception(
            "looks-ahead",
            seen(lambda p, s, w: (s >= p) & (s < p + w)),
            "Your window begins at the word and reaches ahead. Which way does time run along a "
            "row?",
        ),
        Misconception(
            "top-left",
            top_left(lambda p, s, w: (s <= p) & (s > p - w)),
            "Right for a whole sentence. Where a prefix was seen before, at which position does "
            "your first query stand?",
        ),
        Misconception(
            "left-edge-at-the-start",
            lambda w, T, S: causal_mask(T, S).triu(1 - w),
            "Right for a whole sentence. After a prefix your window ends in the right place and "
            "begins too early: at which position does the first query stand, for both edges?",
        ),
        Misconception(
            "start-below-zero",
            sliced,
            "Right where the window lies inside the text. Where it would begin before the first "
            "key, your query sees nothing, or too little: what does a slice make of a negative "
            "start?",
        ),
        Misconception(
            "blocks",
            seen(lambda p, s, w: (s <= p) & (s // w == p // w)),
            "You cut the text into blocks. The first word of a block sees only itself: does the "
            "window move with the query?",
        ),
        Misconception(
            "first-words",
            seen(lambda p, s, w: (s <= p) & (s < w)),
            "Your window stays at the beginning of the text. Should the newest word see the "
            "oldest or the latest?",
        ),
        Misconception(
            "last-words",
            seen(lambda p, s, w: (s > p[-1] - w) & (p >= 0)),
            "All your queries see the newest words of the text, as the last query does. Should the "
            "window move with the query?",
        ),
        Misconception(
            "half-on-each-side",
            seen(lambda p, s, w: (s <= p) & ((p - s) <= w // 2)),
            "Your window reaches back by half its width. Here it ends at the word itself: on which "
            "side do all its positions lie?",
        ),
        Misconception(
            "hidden-for-visible",
            lambda w, T, S: ~window_mask(w, T, S),
            "Your mask is True where it should be False, everywhere. What does True mean here?",
        ),
        Misconception(
            "transposed",
            lambda w, T, S: window_mask(w, T, S).T,
            "Your mask has a row for each key. Who shares out a whole along a row?",
        ),
        Misconception(
            "numbers-for-booleans",
            lambda w, T, S: window_mask(w, T, S).float(),
            "Right, as numbers 0 and 1. Which type lets the mask combine with others by logic?",
        ),
    ),
    compare=equal(same_kind=True),
    alike=equal(),
)
