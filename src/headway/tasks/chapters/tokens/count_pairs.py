"""Build: how often each pair of neighbors stands in a text of weighted words."""

from collections import Counter
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.tokens.mistakes import (
    ACROSS_BORDERS,
    EMPTY_OR_SINGLE,
    END_OF_THE_WORD,
    EQUALS_IN_ANOTHER_ORDER,
    IDS_AS_TEXT,
    ONCE_A_WORD,
    ORDER_OF_PAIR_LOST,
    OVERLAP_NOT_COUNTED,
    RAREST_FIRST,
    TIMES_IGNORED,
)
from headway.tasks.chapters.tokens.words import random_words
from headway.tasks.engine.compare import equal
from headway.tasks.engine.draw import draw_telling, draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task


def count_pairs(words):
    """[left, right, count] of each pair, the most frequent first, the smallest of equals first."""
    counts = Counter()
    for ids, times in words:
        for pair in pairwise(ids):
            counts[pair] += times
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [[*pair, count] for pair, count in ranked]


def count_apart(words):
    """The same without overlap: a symbol is part of one pair of a kind at most."""
    counts = Counter()
    for ids, times in words:
        for pair in dict.fromkeys(pairwise(ids)):
            place = 0
            while place < len(ids) - 1:
                found = tuple(ids[place : place + 2]) == pair
                counts[pair] += times * found
                place += 1 + found
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [[*pair, count] for pair, count in ranked]


# What an answer may be right without; each costs a sixth of the points.
ORDER, WORDS = "the order of equals", "unusual words"


def count_cases(rng: np.random.Generator) -> list[Case]:
    def plain(words):
        """Without equal counts, and without a symbol beside itself."""
        counts = [count for *_, count in count_pairs(words)]
        doubled = any(a == b for ids, _ in words for a, b in pairwise(ids))
        return len(set(counts)) == len(counts) > 3 and not doubled

    def tied(words):
        """With equal counts of pairs that differ on the left, and of some that do on the right.

        No pair overlaps with itself.
        """
        rows = count_pairs(words)
        pairs = [(a, b) for a, b in pairwise(rows) if a[2] == b[2]]
        both = {a[0] == b[0] for a, b in pairs} == {True, False}
        return both and count_apart(words) == rows

    def four_words():
        mixed = draw_until(plain, lambda: random_words(rng, 4, (6, 5, 4, 3)))
        return Case("four words", mixed, core=True)

    equals = draw_until(tied, lambda: random_words(rng, 4, (5, 5, 4), most=2))
    a, b = (int(i) for i in rng.permutation(50)[:2] + 60)
    return [
        draw_telling(count_pairs_task, four_words, ONCE_A_WORD.name, "most-frequent-only"),
        Case(
            "the same symbol three and more times in a row",
            [([a] * 4 + [b], int(rng.integers(3, 6))), ([b, a, a, a, b], int(rng.integers(3, 6)))],
            path=WORDS,
        ),
        Case("equally frequent pairs", equals, path=ORDER),
        Case(
            "ids of one, two and three digits",
            [([9, 10, 100, 9], 2), ([11, 9, 101], 2)],
            path=ORDER,
        ),
        Case("words of one symbol and of none", [([a], 4), ([b, a], 2), ([], 3)], path=WORDS),
        Case("one word twice in the list", [([a, b], 3), ([b, b], 1), ([a, b], 2)], path=WORDS),
        Case("no words", [], path=WORDS),
        arguments_kept([([a, b, a], 2), ([b, b], 1)]),
    ]


def _as_dict(words):
    return {tuple(ids): times for ids, times in words}


def _across(words):
    """Counts inside of words with their times, and at each border of the list once."""
    borders = [([a[-1], b[0]], 1) for (a, _), (b, _) in pairwise(words) if a and b]
    return count_pairs([*words, *borders])


RANKED, PAIRS = "(-item[1], item[0])", "pairwise(ids)"

count_pairs_task = Task(
    id="05-tokens/count-pairs",
    title="Pairs of neighbors, counted",
    kind="build",
    points=2,
    minutes=10,
    answer="count_pairs",
    cases=count_cases,
    reference=count_pairs,
    misconceptions=(
        OVERLAP_NOT_COUNTED.by(count_apart),
        TIMES_IGNORED.by(changed(count_pairs, "+= times", "+= 1")),
        ONCE_A_WORD.by(changed(count_pairs, PAIRS, f"set({PAIRS})")),
        ACROSS_BORDERS.by(
            lambda words: count_pairs([([i for ids, n in words for i in ids * n], 1)]),
            _across,
        ),
        ORDER_OF_PAIR_LOST.by(
            changed(count_pairs, "counts[pair]", "counts[tuple(sorted(pair))]"),
            changed(count_pairs, "[*pair, count]", "[*pair[::-1], count]"),
        ),
        EQUALS_IN_ANOTHER_ORDER.by(
            changed(count_pairs, f"key=lambda item: {RANKED}", "key=lambda i: i[1], reverse=True"),
            changed(
                count_pairs,
                RANKED,
                "-item[1]",
                "(-item[1], -item[0][0], -item[0][1])",
                "(-item[1], item[0][0], -item[0][1])",
                "(-item[1], item[0][1], item[0][0])",
                "(-item[1], -item[0][1], -item[0][0])",
            ),
        ),
        IDS_AS_TEXT.by(
            changed(
                count_pairs,
                RANKED,
                "(-item[1], str(item[0]))",
                "(-item[1], *map(str, item[0]))",
            )
        ),
        RAREST_FIRST.by(
            changed(count_pairs, RANKED, "(item[1], item[0])", "item[1]", "item[0]"),
        ),
        END_OF_THE_WORD.by(
            changed(count_pairs, PAIRS, "pairwise(ids[:-1])", "pairwise([*ids, *ids[:1]])"),
        ),
        EMPTY_OR_SINGLE.by(
            changed(count_pairs, PAIRS, "zip(ids, [*ids[1:], ids[0]][:-1] if ids[1] else [])"),
            changed(
                count_pairs, PAIRS, "zip(ids, [*ids[1:], ids[-1]][: len(ids) - (ids != ids[:1])])"
            ),
        ),
        Misconception(
            "one-word-counts-for-all",
            any_of(
                lambda words: count_pairs([(list(k), n) for k, n in _as_dict(words).items()]),
                lambda words: count_pairs(words[:1]),
                lambda words: count_pairs(words[-1:]),
            ),
            "Of some words the counts are lost. Does every entry of the list count, also if the "
            "same word is in it twice?",
        ),
        Misconception(
            "most-frequent-only",
            any_of(
                lambda words: count_pairs(words)[:1],
                lambda words: [row for row in count_pairs(words) if row[2] > 1],
            ),
            "The rare pairs are missing from your list. Which pairs should be in it?",
        ),
    ),
    compare=equal(),
)
