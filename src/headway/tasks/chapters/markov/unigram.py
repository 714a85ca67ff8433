"""Train: fit the unigram model by counting."""

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
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


def _counted(sentences, size, ends, added=1.0):
    words = np.concatenate([np.asarray(s, dtype=int) for s in sentences])
    counts = np.bincount(words, minlength=size + 1).astype(float)
    counts[size] = ends
    return (counts + added) / (counts + added).sum()


def _smoothed_after(sentences, size):
    return _counted(sentences, size, len(sentences), 0) + 1


def _sentences_for_words(sentences, size):
    return unigram([list(set(sentence)) for sentence in sentences], size)


def _end_not_in_total(sentences, size):
    words = sum(map(len, sentences))
    return unigram(sentences, size) * (words + len(sentences) + size + 1) / (words + size + 1)


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
    ]


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
        Misconception(
            "tail-lost",
            lambda s, size: _counted(s, size, 0),
            "The end of a sentence has no count of its own in your model. How often does the text "
            "end a sentence?",
        ),
        Misconception(
            "boundary-counted-twice",
            lambda s, size: _counted(s, size, 2 * len(s)),
            "You count the boundary before each sentence and the one behind it. Which of the two "
            "is ever predicted?",
        ),
        Misconception(
            "one-end-for-all",
            lambda s, size: _counted(s, size, 1),
            "You count a single end for the whole text. How many sentences end?",
        ),
        Misconception(
            "not-smoothed",
            lambda s, size: _counted(s, size, len(s), 0),
            "These are the plain shares. What would the perplexity of a sentence with a word be "
            "that was never counted?",
        ),
        Misconception(
            "smoothed-after-normalizing",
            _smoothed_after,
            "You add one to each probability, after dividing. What do they sum to?",
        ),
        Misconception(
            "sentences-for-words",
            _sentences_for_words,
            "You count in how many sentences a word stands. A word may stand in one several times.",
        ),
        Misconception(
            "end-not-in-the-total",
            _end_not_in_total,
            "Your numbers sum to more than one. Are the ends among what you divide by?",
        ),
        Misconception(
            "words-only",
            lambda s, size: _counted(s, size, 0)[:-1] / _counted(s, size, 0)[:-1].sum(),
            "Your model has a probability for each word. Which outcome is missing?",
        ),
        Misconception(
            "counts-for-probabilities",
            lambda s, size: _counted(s, size, len(s)) * (sum(map(len, s)) + len(s) + size + 1),
            "These are smoothed counts. What must a distribution sum to?",
        ),
        Misconception(
            "uniform",
            lambda s, size: np.full(size + 1, 1 / (size + 1)),
            "All symbols are equally likely in your model: it has not looked at the text.",
        ),
    ),
    compare=close(atol=1e-9),
)
