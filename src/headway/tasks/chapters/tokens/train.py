"""Build: the training, merge by merge."""

from collections import Counter
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.tokens.count_pairs import count_apart, count_pairs
from headway.tasks.chapters.tokens.merge import merge
from headway.tasks.chapters.tokens.mistakes import (
    ACROSS_BORDERS,
    ANOTHER_RESULT,
    COUNTS_AFTER_THE_MERGE,
    EMPTY_OR_SINGLE,
    EQUALS_IN_ANOTHER_ORDER,
    FIRST_PLACE_ONLY,
    NEW_SYMBOL,
    ONCE_A_WORD,
    OVERLAP_NOT_COUNTED,
    RAREST_FIRST,
    REVERSED,
    TIMES_IGNORED,
)
from headway.tasks.chapters.tokens.words import draw_texts, random_words, words_of
from headway.tasks.engine.compare import equal
from headway.tasks.engine.draw import draw_until, tells
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.requirements import ARGUMENTS_KEPT, arguments_kept
from headway.tasks.engine.task import Case, Task


def train(words, count):
    """The pairs that are merged, in their order; the k-th makes the id 256 + k."""
    words, merges = list(words), []
    while len(merges) < count:
        counts = count_pairs(words)
        if not counts or counts[0][2] < 2:
            break
        *pair, _ = counts[0]
        words = [(merge(ids, pair, 256 + len(merges)), times) for ids, times in words]
        merges.append(pair)
    return merges


def greatest_first(words):
    """`count_pairs` with the greatest of equals first."""
    return sorted(count_pairs(words), key=lambda row: (row[2], row[0], row[1]), reverse=True)


def seen_first(words):
    """`count_pairs` with the first seen of equals first."""
    seen = list(dict.fromkeys(pair for ids, _ in words for pair in pairwise(ids)))
    return sorted(count_pairs(words), key=lambda row: (-row[2], seen.index(tuple(row[:2]))))


CHOICE = "count_pairs(words)"
(without_overlap,) = changed(train, CHOICE, f"{count_apart.__name__}(words)")
(greatest_of_equals,) = changed(train, CHOICE, "greatest_first(words)")
(seen_of_equals,) = changed(train, CHOICE, "seen_first(words)")
STOP = "not counts or counts[0][2] < 2"
TOO_EARLY = any_of(
    changed(train, "< count", "< count - 256", "< count - 1"),
    changed(train, STOP, "not counts or counts[0][2] < 3", "not counts or counts[0][2] <= 3"),
    changed(train, CHOICE, f"[row for row in {CHOICE} if max(row[:2]) < 256]"),
    changed(train, "merges.append(pair)", "merges = [pair]; break"),
)


# What an answer may be right without; each costs a sixth of the points.
END, WORDS = "at least twice", "unusual words"


def train_cases(rng: np.random.Generator) -> list[Case]:
    def merges(words, count, how=train):
        return how(words, count)

    def plain(words):
        """The same whatever the conventions, and full of merges of merges."""
        right = merges(words, 4)
        nested = any(symbol >= 256 for pair in right for symbol in pair)
        ways = (without_overlap, greatest_of_equals, seen_of_equals)
        joined = merges(words, 4, _joined)
        return (
            len(right) == 4
            and nested
            and joined != right
            and all(merges(words, 4, how) == right for how in ways)
        )

    def tied(words):
        ways = (greatest_of_equals, seen_of_equals)
        right = merges(words, 3)
        apart = merges(words, 3, without_overlap)
        told = all(merges(words, 3, how) != right for how in ways)
        return told and apart == right and len(right) == 3

    def in_rows(words):
        return merges(words, 3, without_overlap) != merges(words, 3)

    def core():
        some = draw_until(plain, lambda: random_words(rng, 4, (7, 6, 5, 5, 4)))
        equals = draw_until(tied, lambda: random_words(rng, 4, (5, 5, 4, 4), most=2))
        return [
            Case("four merges", some, 4, core=True),
            Case("equally frequent pairs", equals, 3, core=True),
        ]

    def telling(cases):
        told = [mistake.name for mistake in (ONCE_A_WORD, FIRST_PLACE_ONLY, NEW_SYMBOL)]
        return tells(train_task, cases, *told) and all(
            any(how(*case.inputs) != train(*case.inputs) for case in cases) for how in TOO_EARLY
        )

    four, equals = draw_until(telling, core)
    rows = draw_until(in_rows, lambda: random_words(rng, 2, (7, 6, 6), most=4))
    a, b, c = (int(i) for i in rng.permutation(26)[:3] + ord("a"))
    return [
        four,
        equals,
        Case("the same symbol many times in a row", rows, 3, path=WORDS),
        Case("a word that occurs twice, and nothing else", [([a, b, c], 2)], 9, path=END),
        Case("no pair that occurs twice", [([a, b, c, b], 1), ([c, a], 1)], 9, path=END),
        Case("one symbol, eight times", [([a] * 8, 1)], 9, path=END),
        Case("no merges asked for", four.inputs[0][::-1], 0, path=WORDS),
        Case("words of one symbol, and of none", [([a], 9), ([], 2), ([b, a], 2)], 3, path=WORDS),
        Case("no words", [], 3, path=WORDS),
        Case(
            "pieces of twelve docstrings, forty merges",
            words_of(draw_texts(rng, 12)),
            40,
            path=WORDS,
        ),
        arguments_kept([([a, b, a, b], 2), ([b, a], 3)], 2),
    ]


def _counted_once(words, count):
    """Merges by the counts of the start; pairs that a merge has broken are merged all the same."""
    return [pair for *pair, times in count_pairs(words)[:count] if times > 1]


def _by_words(words):
    """As `count_pairs`, with a pair counted once a word however often it stands there."""
    counts = Counter()
    for ids, times in words:
        for pair in set(pairwise(ids)):
            counts[pair] += times
    return [[*pair, n] for pair, n in sorted(counts.items(), key=lambda x: (-x[1], x[0]))]


def _joined(words, count):
    return train([([i for ids, times in words for i in list(ids) * times], 1)], count)


def _first_of_each(ids, pair, new):
    for place in range(len(ids) - 1):
        if list(ids[place : place + 2]) == list(pair):
            return [*ids[:place], new, *ids[place + 2 :]]
    return ids


def _in_place(words, count):
    merges = []
    while len(merges) < count:
        counts = count_pairs(words)
        if not counts or counts[0][2] < 2:
            break
        for ids, _ in words:
            ids[:] = merge(ids, counts[0][:2], 256 + len(merges))
        merges.append(counts[0][:2])
    return merges


MADE = "256 + len(merges)"

train_task = Task(
    id="05-tokens/train",
    title="Training, merge by merge",
    kind="build",
    points=2,
    minutes=12,
    answer="train",
    cases=train_cases,
    reference=train,
    misconceptions=(
        OVERLAP_NOT_COUNTED.by(without_overlap),
        EQUALS_IN_ANOTHER_ORDER.by(greatest_of_equals, seen_of_equals),
        TIMES_IGNORED.by(
            changed(train, CHOICE, "count_pairs([(ids, 1) for ids, _ in words])"),
        ),
        ONCE_A_WORD.by(changed(train, CHOICE, "_by_words(words)")),
        ACROSS_BORDERS.by(_joined),
        RAREST_FIRST.by(changed(train, CHOICE, f"{CHOICE}[::-1]")),
        COUNTS_AFTER_THE_MERGE.by(_counted_once, changed(train, "words = [(", "_ = [(")),
        Misconception(
            "stops-too-early-or-late",
            any_of(
                changed(train, STOP, "not counts", "not counts or counts[0][2] < 1"),
                changed(train, "< count", "<= count"),
                TOO_EARLY,
            ),
            "Your list of merges ends too early or goes on too long. How often must a pair occur "
            "to be merged, and how many merges are asked for?",
        ),
        NEW_SYMBOL.by(
            changed(train, MADE, "257 + len(merges)", "255 + len(merges)", "len(merges)", "256"),
            changed(
                train,
                MADE,
                "1 + max((i for ids, _ in words for i in ids), default=255)",
            ),
        ),
        FIRST_PLACE_ONLY.by(changed(train, "merge(ids", "_first_of_each(ids")),
        EMPTY_OR_SINGLE.by(
            changed(train, STOP, "counts[0][2] < 2"),
        ),
        ANOTHER_RESULT.by(
            changed(train, "return merges", "return [256 + k for k in range(len(merges))]"),
            changed(train, "return merges", "return [ids for ids, _ in words]"),
            changed(train, "merges.append(pair)", "merges.append(counts[0])"),
        ),
        REVERSED.by(changed(train, "merges.append(pair)", "merges.insert(0, pair)")),
        ARGUMENTS_KEPT.by(_in_place),
    ),
    compare=equal(),
)
