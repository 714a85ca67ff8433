"""Build the writer: sentences drawn step by step from a table of counts."""

import random

import numpy as np

from headway.tasks.chapters.markov.mistakes import (
    ACROSS_BOUNDARIES,
    BOUNDARY_MISSING,
    COLUMNS_FOR_ROWS,
    CONTEXT_IGNORED,
    COUNTS_IGNORED,
    EMPTY_SENTENCE_DROPPED,
    NOT_NORMALIZED,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def sample(counts, seed, count, longest):
    """`count` sentences from one generator; one number is drawn for each step."""
    rng, boundary, sentences = np.random.default_rng(seed), len(counts) - 1, []
    for _ in range(count):
        sentence, now = [], boundary
        while len(sentence) < longest:
            now = first_above(counts[now], rng.random())
            if now == boundary:
                break
            sentence.append(now)
        sentences.append(sentence)
    return sentences


def by_choices(counts, seed, count, longest):
    """As the page writes: Python's own generator, and no sentence is cut off."""
    rng, boundary, sentences = random.Random(seed), len(counts) - 1, []
    for _ in range(count):
        sentence, now = [], boundary
        while not sentence or now != boundary:
            (now,) = rng.choices(range(len(counts)), counts[now].tolist())
            sentence.append(now)
        sentences.append(sentence[:-1])
    return sentences


def first_above(row, u):
    """The first symbol whose share, with those of all before it, is greater than u."""
    reached = np.cumsum(row) / row.sum()
    return int(np.searchsorted(reached, u, side="right"))


def sample_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size, end=2):
        counts = rng.integers(1, 6, (size + 1, size + 1)) * rng.integers(0, 2, (size + 1, size + 1))
        counts[np.arange(size + 1), rng.permutation(size + 1)] += 1
        counts[:, 0] += 1
        counts[0, 1:3] += 2
        counts[:, -1] = end
        return counts

    def seed():
        return int(rng.integers(1, 10_000))

    ring = np.zeros((4, 4), dtype=int)
    ring[[3, 0, 1, 2], [0, 1, 2, 0]] = 5000 * rng.integers(1, 5, 4)
    ring[:3, 3] = 1
    rare = draw(3, end=1)
    rare[:, 1] = 60
    return [
        Case("five sentences", draw(5), seed(), 5, 2000, core=True),
        Case("many sentences", draw(3), seed(), 30, 2000, core=True),
        Case("one sentence", draw(6), seed(), 1, 2000),
        Case("counts that differ much", rare, seed(), 6, 2000),
        Case("sentences cut off", draw(4, end=1), seed(), 12, 3),
        Case("sentences that hardly ever end", ring, seed(), 2, 7),
        Case("no sentence", draw(3), seed(), 0, 10),
    ]


START, DRAWN = "sentence, now = [], boundary", "first_above(counts[now], rng.random())"

DROPPED = "sentences += [sentence] if sentence else []"

(numbers_ahead,) = changed(sample, START, f"{START}; numbers = iter(rng.random(longest))")
(never_cut_off,) = changed(sample, "while len(sentence) < longest:", "while True:")

sampling = Task(
    id="02-markov/sample",
    title="Sentences drawn from counts",
    kind="build",
    points=2,
    minutes=15,
    answer="sample",
    cases=sample_cases,
    reference=sample,
    misconceptions=(
        NOT_NORMALIZED.by(
            changed(
                sample,
                DRAWN,
                "int(np.argmax(np.cumsum(counts[now]) > rng.random()))",
                "int((np.cumsum(counts[now]) / counts.sum() <= rng.random())[:-1].sum())",
            )
        ),
        WINNER_TAKES_ALL.by(changed(sample, DRAWN, "int(counts[now].argmax())")),
        COUNTS_IGNORED.by(changed(sample, "counts[now]", "counts[now] > 0")),
        COLUMNS_FOR_ROWS.by(changed(sample, "counts[now]", "counts[:, now]")),
        CONTEXT_IGNORED.by(changed(sample, "counts[now]", "counts[boundary]")),
        ACROSS_BOUNDARIES.by(
            changed(
                sample,
                START,
                "sentence, now = [], boundary\n"
                "        if sentences and len(sentences[-1]) == longest:\n"
                "            now = sentences[-1][-1]",
            )
        ),
        Misconception(
            "random-numbers-thrown-away",
            any_of(
                changed(numbers_ahead, "rng.random())", "next(numbers))"),
                changed(
                    never_cut_off,
                    "if now == boundary:",
                    "if now == boundary or len(sentence) == longest:",
                ),
                changed(never_cut_off, "append(sentence)", "append(sentence[:longest])"),
            ),
            "You draw numbers that no sentence uses. How many does a sentence need, and which one "
            "should the next sentence begin with?",
        ),
        Misconception(
            "another-generator",
            any_of(
                changed(sample, START, f"{START}; rng = np.random.default_rng(seed)"),
                changed(sample, "rng.random()", "np.random.default_rng(seed).random()"),
                changed(sample, "np.random.default_rng(seed)", "np.random.RandomState(seed)"),
                by_choices,
                changed(by_choices, "sentence[:-1]", "sentence[:-1][:longest]"),
            ),
            "Your random numbers don't all come from the one generator that the task describes. "
            "Which kind is it, and how often is it made from the seed?",
        ),
        BOUNDARY_MISSING.by(
            changed(sample, START, "sentence, now = [0], 0", "sentence, now = [], 0"),
        ),
        EMPTY_SENTENCE_DROPPED.by(
            changed(sample, "sentences.append(sentence)", DROPPED),
            changed(
                *changed(sample, "sentences.append(sentence)", DROPPED),
                "for _ in range(count)",
                "while len(sentences) < count",
            ),
        ),
        Misconception(
            "longest-missed",
            any_of(changed(sample, "< longest:", "<= longest:", "< longest - 1:"), never_cut_off),
            "A sentence that should be cut off has a word too many or too few, or goes on. How "
            "many words does it have when you decide whether to stop?",
        ),
        Misconception(
            "boundary-kept",
            any_of(
                changed(sample, "break\n", "sentence.append(now)\n                break\n"),
                changed(
                    sample, "sentences.append(sentence)", "sentences.append([boundary, *sentence])"
                ),
            ),
            "Your sentences contain a boundary, at the start or at the end. Is it one of their "
            "words?",
        ),
    ),
    compare=equal(),
)
