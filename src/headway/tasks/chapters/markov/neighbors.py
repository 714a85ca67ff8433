"""Debug: counts that run from one sentence into the next."""

from itertools import pairwise

import numpy as np

from headway.tasks.chapters.markov.mistakes import (
    BOUNDARY_MISSING,
    BOUNDARY_TWICE,
    COLUMNS_FOR_ROWS,
    COUNTS_IGNORED,
    EMPTY_SENTENCE_DROPPED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

B = "<b>"


def count_neighbors(sentences):
    """How often each symbol follows each; a boundary stands around and between the sentences."""
    words = [B, *f" {B} ".join(sentences).split(), B]
    counts = {}
    for word, after in pairwise(words):
        row = counts.setdefault(word, {})
        row[after] = row.get(after, 0) + 1
    return counts


# The faulty function that the notebook hands out.
(given_neighbors,) = changed(count_neighbors, 'f" {B} "', '" "')


def _has_a_pair_twice(sentences) -> bool:
    return any(count > 1 for row in count_neighbors(sentences).values() for count in row.values())


def neighbor_cases(rng: np.random.Generator) -> list[Case]:
    words = ["show", "find", "me", "my", "the", "old", "files", "photos", "please", "now"]

    def draw():
        return [" ".join(rng.choice(words, length)) for length in rng.permutation([2, 3, 4, 5])]

    mixed = draw_until(_has_a_pair_twice, draw)
    asked = ["où sont mes photos", "où est été", "mes photos"]
    return [
        Case("four sentences", mixed, core=True),
        Case("a sentence that comes twice", [mixed[0], mixed[1], mixed[0]]),
        Case("one sentence", ["check whether the program ran please"]),
        Case("sentences of one word", ["stop", "go", "stop", "stop"]),
        Case("a sentence of no words", [mixed[2], "", mixed[0]]),
        Case("accents", [asked[i] for i in rng.permutation(3)]),
    ]


TEXT, PAIRS = '[B, *f" {B} ".join(sentences).split(), B]', "pairwise(words)"
BY_SENTENCE = "[pair for s in sentences for pair in pairwise({})]"

neighbors = Task(
    id="02-markov/neighbors",
    title="Repair a counter",
    kind="debug",
    points=2,
    minutes=8,
    answer="count_neighbors",
    cases=neighbor_cases,
    reference=count_neighbors,
    given=given_neighbors,
    misconceptions=(
        BOUNDARY_TWICE.by(changed(count_neighbors, 'f" {B} "', 'f" {B} {B} "')),
        Misconception(
            "cut-elsewhere",
            any_of(
                changed(count_neighbors, 'f" {B} "', "B", 'f" {B}"', 'f"{B} "'),
                changed(count_neighbors, "split()", 'split(" ")'),
            ),
            "Some of your words are glued to a boundary, or have no letters. Print the words: "
            "where is the text cut?",
        ),
        BOUNDARY_MISSING.by(
            changed(
                count_neighbors,
                PAIRS,
                BY_SENTENCE.format("[*s.split(), B]"),
                BY_SENTENCE.format("[B, *s.split()]"),
                BY_SENTENCE.format("s.split()"),
            ),
            changed(
                count_neighbors,
                TEXT,
                '[B, *" </s> ".join([*sentences, ""]).split()]',
                '[*f" {B} ".join(sentences).split(), B]',
                '[B, *f" {B} ".join(sentences).split()]',
                'f" {B} ".join(sentences).split()',
            ),
        ),
        Misconception(
            "earlier-counts-forgotten",
            any_of(
                changed(count_neighbors, "join(sentences)", "join(sentences[-1:])"),
                changed(
                    count_neighbors, "row[after] =", "counts[word] = {}; counts[word][after] ="
                ),
            ),
            "Only what came last is left of your counts. What happened to the earlier ones?",
        ),
        COUNTS_IGNORED.by(
            changed(count_neighbors, "row.get(after, 0) + 1", "1"),
            changed(count_neighbors, "join(sentences)", "join(dict.fromkeys(sentences))"),
        ),
        EMPTY_SENTENCE_DROPPED.by(
            changed(count_neighbors, "join(sentences)", "join(filter(None, sentences))")
        ),
        COLUMNS_FOR_ROWS.by(
            changed(count_neighbors, "for word, after in", "for after, word in"),
        ),
    ),
    compare=equal(),
)
