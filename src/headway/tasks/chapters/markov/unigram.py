"""Train: fit the unigram model by counting."""

import numpy as np

from headway.tasks.chapters.markov.mistakes import (
    BOUNDARY_MISSING,
    BOUNDARY_TWICE,
    COUNTS_IGNORED,
    EMPTY_SENTENCE_DROPPED,
    NOT_NORMALIZED,
    NOT_SMOOTHED,
    PROBABILITIES_SMOOTHED,
    SMOOTHING_MISCOUNTED,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import changed
from headway.tasks.engine.requirements import ARGUMENTS_KEPT, arguments_kept
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.numbered import number_sentences
from headway.text.corpus.standard_library import plain_sentences

SIZE = 400


def unigram(sentences, size):
    """Add-one shares of all symbols, the boundary last: as often as there are sentences."""
    counts = np.ones(size + 1)
    for sentence in sentences:
        for word in [*sentence, size]:
            counts[word] += 1
    return counts / counts.sum()


def unigram_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size, *lengths):
        return [[int(i) for i in rng.integers(0, size, length) ** 2 % size] for length in lengths]

    text = number_sentences(rng, plain_sentences(), SIZE, 0.5)
    return [
        Case("a few sentences", draw(6, 5, 2, 7, 3), 6, core=True),
        Case("sentences of docstrings", text.train, SIZE, core=True),
        Case("one sentence", [[2, 0, 2, 2, 3]], 5),
        Case("a sentence of no words", [[1, 1, 0], [], [2]], 3),
        Case("a word that never occurs", draw(4, 3, 6), 7),
        arguments_kept(
            draw(5, 4, 2),
            5,
        ),
    ]


def discounted(sentences, size):
    """As the page does it: something off each count, shared out among all symbols."""
    counts = np.zeros(size + 1)
    for sentence in sentences:
        for word in [*sentence, size]:
            counts[word] += 1
    kinds = np.count_nonzero(counts)
    return (np.maximum(counts - 0.75, 0) + 0.75 * kinds / (size + 1)) / counts.sum()


READ, SHARES = "[*sentence, size]", "counts / counts.sum()"

(plain_shares,) = changed(unigram, "np.ones", "np.zeros")

unigram_task = Task(
    id="02-markov/unigram",
    title="The unigram model",
    kind="train",
    points=2,
    minutes=8,
    answer="unigram",
    cases=unigram_cases,
    reference=unigram,
    misconceptions=(
        BOUNDARY_MISSING.by(
            changed(unigram, READ, "sentence"),
            changed(unigram, "return", "counts[size] = 2; return"),
            changed(unigram, SHARES, "counts[:-1] / counts[:-1].sum()"),
        ),
        BOUNDARY_TWICE.by(changed(unigram, READ, "[size, *sentence, size]")),
        NOT_SMOOTHED.by(plain_shares),
        COUNTS_IGNORED.by(
            changed(unigram, READ, "{*sentence, size}"),
            changed(unigram, "counts[word] += 1", "counts[word] = 2"),
            changed(unigram, SHARES, "np.full(size + 1, 1 / (size + 1))"),
        ),
        NOT_NORMALIZED.by(
            changed(
                unigram,
                "counts.sum()",
                "counts.max()",
                "len(sentences)",
                "(counts.sum() - len(sentences))",
            ),
            changed(unigram, SHARES, "counts"),
        ),
        SMOOTHING_MISCOUNTED.by(
            changed(
                unigram,
                "counts.sum()",
                "(counts.sum() - size - 1)",
                "(counts.sum() - size)",
                "(counts.sum() - 1)",
            ),
            changed(plain_shares, SHARES, "(counts + 1 / (size + 1)) / (counts.sum() + 1)"),
            changed(plain_shares, "return", "counts = np.maximum(counts, 1); return"),
            discounted,
        ),
        PROBABILITIES_SMOOTHED.by(
            changed(plain_shares, SHARES, f"{SHARES} + 1", f"({SHARES} + 1) / (size + 2)"),
        ),
        ARGUMENTS_KEPT.by(
            changed(unigram, READ, "sentence.append(size) or sentence"),
        ),
        EMPTY_SENTENCE_DROPPED.by(changed(unigram, "in sentences:", "in filter(None, sentences):")),
    ),
    compare=close(atol=1e-9),
)
