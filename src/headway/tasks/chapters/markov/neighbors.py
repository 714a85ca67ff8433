"""Debug: counts that run from one sentence into the next."""

from itertools import pairwise

import numpy as np

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

B = "<b>"


def _count(pairs):
    counts = {}
    for word, after in pairs:
        row = counts.setdefault(word, {})
        row[after] = row.get(after, 0) + 1
    return counts


def _of_text(words):
    return _count(pairwise(words))


def _sentence_by_sentence(sentences, before=(B,), behind=(B,)):
    texts = ([*before, *sentence.split(), *behind] for sentence in sentences)
    return _count(pair for text in texts for pair in pairwise(text))


def given_neighbors(sentences):
    """The faulty function that the notebook hands out."""
    return _of_text([B, *" ".join(sentences).split(), B])


def repaired_neighbors(sentences):
    """The same with line 3 mended: a boundary between any two sentences."""
    return _of_text([B, *f" {B} ".join(sentences).split(), B])


def neighbor_cases(rng: np.random.Generator) -> list[Case]:
    sentences = ["show me my files please", "show photos", "find my files"]
    mixed = [sentences[i] for i in rng.permutation(3)]
    asked = ["où sont mes photos", "où est été", "mes photos"]
    return [
        Case("three sentences", mixed, core=True),
        Case("a sentence that comes twice", [mixed[0], mixed[1], mixed[0]], core=True),
        Case("one sentence", ["check whether the program ran please"]),
        Case("sentences of one word", ["stop", "go", "stop", "stop"]),
        Case("a sentence of no words", [mixed[2], "", mixed[0]]),
        Case("accents", [asked[i] for i in rng.permutation(3)]),
    ]


def _ones(counts):
    return {word: dict.fromkeys(row, 1) for word, row in counts.items()}


def _without_pair_of_boundaries(sentences):
    return repaired_neighbors([sentence for sentence in sentences if sentence])


def _last_after_only(sentences):
    counts = {}
    for word, after in pairwise([B, *f" {B} ".join(sentences).split(), B]):
        counts[word] = {after: counts.get(word, {}).get(after, 0) + 1}
    return counts


neighbors = Task(
    id="02-markov/neighbors",
    title="Repair a counter",
    kind="debug",
    points=2,
    minutes=8,
    answer="count_neighbors",
    cases=neighbor_cases,
    reference=repaired_neighbors,
    given=given_neighbors,
    misconceptions=(
        Misconception(
            "two-boundaries-between",
            lambda s: _of_text([B, *f" {B} {B} ".join(s).split(), B]),
            "Now a boundary follows a boundary after every sentence. Which sentence would begin "
            "with its own end?",
        ),
        Misconception(
            "boundary-glued",
            lambda s: _of_text([B, *B.join(s).split(), B]),
            "The last word of a sentence, the boundary and the first word of the next are one "
            "long word now. Print the words: where is the text cut?",
        ),
        Misconception(
            "start-lost",
            lambda s: _sentence_by_sentence(s, before=()),
            "The ends are right, but no sentence of yours has a start. What stands before a first "
            "word?",
        ),
        Misconception(
            "tail-lost",
            lambda s: _sentence_by_sentence(s, behind=()),
            "The starts are right, but no sentence of yours ever ends. What comes after a last "
            "word?",
        ),
        Misconception(
            "boundaries-lost",
            lambda s: _sentence_by_sentence(s, before=(), behind=()),
            "No count runs into the next sentence any more, but all the boundaries are gone. How "
            "would a chain know where to begin?",
        ),
        Misconception(
            "one-start-for-all",
            lambda s: _of_text([B, *(w for x in s for w in [*x.split(), "</s>"])]),
            "You end sentences with another symbol than the boundary. What comes before the first "
            "word of the second sentence now?",
        ),
        Misconception(
            "ends-go-on",
            lambda s: _of_text([B, *f" {B} ".join(s).split()]),
            "Between sentences all is well. What comes after the last word of the last one?",
        ),
        Misconception(
            "first-start-missing",
            lambda s: _of_text([*f" {B} ".join(s).split(), B]),
            "Between sentences all is well. What stands before the first word of the first one?",
        ),
        Misconception(
            "last-sentence-only",
            lambda s: _sentence_by_sentence(s[-1:]),
            "These are the counts of the last sentence alone. What became of the others?",
        ),
        Misconception(
            "seen-or-not",
            lambda s: _ones(repaired_neighbors(s)),
            "A pair that comes twice counts once. Does the counting stand where it stood?",
        ),
        Misconception(
            "row-overwritten",
            _last_after_only,
            "Each of your rows holds a single symbol. Where did the others go that were counted "
            "before it?",
        ),
        Misconception(
            "empty-sentence-dropped",
            _without_pair_of_boundaries,
            "A sentence of no words has left no trace. What does its start come right before?",
        ),
    ),
    compare=equal(),
)
