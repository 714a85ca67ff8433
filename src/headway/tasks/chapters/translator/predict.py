"""Predict: `weights-shape`, `what-is-read` and, a smoothed target backwards, `shares`."""

import numpy as np

from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    ANSWER_READ,
    END_MISPLACED,
    FEWER_SYMBOLS,
    NOT_EPSILON,
    ONE_SENTENCE_ONLY,
    SOURCE_ASKS,
    START_MISSING,
    WORDS_LOST,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close, equal
from headway.tasks.engine.mistakes import Misconception


def sizes_show(shows):
    """By the last two of four sizes: shows(the two, queries, keys), if the first two are right."""

    def shown(got, expected, case) -> bool:
        sizes, right = list(np.asarray(got).ravel()), list(expected)
        return len(sizes) == 4 and sizes[:2] == right[:2] and bool(shows(sizes[2:], *right[2:]))

    return shown


def nearly(mine, theirs) -> bool:
    """Whether sizes are right but for a special symbol or two."""
    return all(abs(a - b) < 3 for a, b in zip(mine, theirs, strict=True))


# The question: a batch of 3, S = 13 words and an end, T = a start and 9 words, C = 48, H = 6.
weights_shape = by_hand(
    "13-translator/weights-shape",
    "The shape of the cross-attention weights",
    [3, 6, 10, 14],
    SOURCE_ASKS.by([3, 6, 14, 10], shows=sizes_show(lambda sizes, T, S: nearly(sizes, (S, T)))),
    ONE_SENTENCE_ONLY.by(
        [3, 6, 10, 10], shows=sizes_show(lambda sizes, T, S: sizes[0] == sizes[1])
    ),
    Misconception(
        "special-symbols-miscounted",
        [3, 6, 9, 13],
        "The shape is right but for a token or two. Which symbols come with the words of a "
        "source, and which does the decoder read in addition to its words?",
        sizes_show(lambda sizes, T, S: nearly(sizes, (T, S))),
    ),
    Misconception(
        "axes-of-the-weights-confused",
        [3, 10, 14],
        "An axis is missing, is in another place or is a width. A weight belongs to a query and a "
        "key: how many tables of weights does a sentence have?",
        lambda got, expected, case: np.asarray(got).dtype.kind in "if",
    ),
    minutes=4,
    answer="weights_shape",
    compare=equal(),
)


SOURCE_WORDS, MARKS = frozenset(("she", "loves", "cats")), ("<start>", "<end>", "start", "end")


def lists_show(shows):
    """By one of the two lists: shows(the list, the right one, the other right one)."""

    def shown(got, expected, case) -> bool:
        right, other = expected
        return len(got) == 2 and (shows(got[0], right, other) or shows(got[1], other, right))

    return shown


what_is_read = by_hand(
    "13-translator/what-is-read",
    "What the decoder reads, in training and in use",
    [["<start>", "elle"], ["<start>", "il"]],
    Misconception(
        "source-read-by-the-decoder",
        [["she", "loves"], ["she", "loves"]],
        "There are source words in your lists. Who reads the source, and how does the decoder "
        "learn of it?",
        lists_show(lambda mine, right, other: not SOURCE_WORDS.isdisjoint(mine)),
    ),
    Misconception(
        "training-and-use-mixed-up",
        [["<start>", "elle"], ["<start>", "elle"]],
        "At least one of your lists ends with the word that belongs in the other. Who chooses the "
        "words that are read in training, and who in use?",
        lists_show(lambda mine, right, other: mine[-1:] == other[-1:]),
    ),
    ANSWER_READ.by(
        [["elle", "aime"], ["il", "aime"]],
        shows=lists_show(lambda mine, right, other: len(set(mine) - {*right, *other, *MARKS}) > 0),
    ),
    START_MISSING.by(
        [["elle"], ["il"]], shows=lists_show(lambda mine, right, other: mine[:1] != right[:1])
    ),
    WORDS_LOST.by(
        [["<start>"], ["<start>", "il"]],
        shows=lists_show(lambda mine, right, other: right[-1] not in mine),
    ),
    END_MISPLACED.by(shows=lists_show(lambda mine, right, other: "<end>" in mine)),
    minutes=3,
    answer="what_is_read",
    compare=equal(),
)


def symbols(expected) -> int:
    """V, of [ε, ε/V]."""
    return round(expected[0] / expected[1])


def given_away(expected) -> float:
    """What the true word lacks to one."""
    return expected[0] - expected[1]


# The question: V = 8, and 1 − ε + ε/V = 0.72.
shares = by_hand(
    "13-translator/shares",
    "A smoothed target, backwards",
    [0.32, 0.04],
    ANOTHER_FORM.by(
        [0.04, 0.32], shows=lambda got, expected, case: np.allclose(got[::-1], expected, atol=2e-3)
    ),
    FEWER_SYMBOLS.by(
        *([0.28, 0.05], [0.33, 0.05]),
        shows=lambda got, expected, case: any(
            abs(got[1] - given_away(expected) / fewer) < 1e-3 and abs(got[0] - expected[0]) > 2e-3
            for fewer in (symbols(expected) - 1, symbols(expected) - 2)
        ),
    ),
    NOT_EPSILON.by([0.28, 0.28 / 8], shows=lambda got, expected, case: len(got) == 2),
    minutes=5,
    answer="shares",
    compare=close(atol=2e-3),
)
