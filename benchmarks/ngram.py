"""Markov chains and skip-bigrams beside plain dicts of dicts, on five megabytes of text.

    python benchmarks/ngram.py

The text is sentences of the standard library's docstrings, repeated in a new order until they
are five megabytes. A ratio below 1 means that `headway` is faster; both sides get the same words,
as arrays and as lists of ids. The notes are the megabytes that a result keeps in memory.
"""

import random
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import accumulate

import numpy as np
from measure import Case, Side, report

from headway.ngram.markov import MarkovChain
from headway.ngram.skipbigram import SkipBigrams
from headway.text.corpus.split import generator, shuffled
from headway.text.corpus.standard_library import docstrings
from headway.text.vocabulary import Vocabulary

BYTES = 5_000_000
ROUNDS = 5
TARGET = 0.1


def text() -> tuple[list[list[int]], list[np.ndarray], int]:
    """Five megabytes of sentences as lists and as arrays of ids, and the number of words."""
    sentences = [s for d in docstrings() for s in " ".join(d.split()).split(". ") if s]
    rng, chosen, size = generator(0), [], 0
    while size < BYTES:
        for sentence in shuffled(rng, sentences):
            chosen.append(sentence.split()[:40])
            size += len(sentence) + 2
            if size >= BYTES:
                break
    vocabulary = Vocabulary((word for s in sentences for word in s.split()), specials=())
    arrays = [vocabulary.encode(words) for words in chosen]
    return [array.tolist() for array in arrays], arrays, len(vocabulary)


def count_plainly(sentences, size, order):
    """The peer of `MarkovChain`: context → following word → count."""
    counts = defaultdict(lambda: defaultdict(int))
    for words in sentences:
        padded = [size] * order + words + [size]
        for t in range(order, len(padded)):
            counts[tuple(padded[t - order : t])][padded[t]] += 1
    return counts


def sample_plainly(counts, size, order, number, longest=100):
    """The peer of `MarkovChain.sample`, with running sums made ready for each context."""
    ready = {c: (list(row), list(accumulate(row.values()))) for c, row in counts.items()}
    rng, sentences = random.Random(0), []
    for _ in range(number):
        words = [size] * order
        while len(words) < order + longest:
            following, running = ready[tuple(words[len(words) - order :])]
            word = rng.choices(following, cum_weights=running)[0]
            if word == size:
                break
            words.append(word)
        sentences.append(words[order:])
    return sentences


def pair_plainly(sentences, size):
    """The peer of `SkipBigrams`: (earlier, latest) → following word → count."""
    counts = defaultdict(lambda: defaultdict(int))
    for words in sentences:
        seen = set()
        for t in range(1, len(words)):
            seen.add(words[t - 1])
            following = words[t + 1] if t + 1 < len(words) else size
            for earlier in seen:
                counts[earlier, words[t]][following] += 1
    return counts


def held(run: Side) -> int:
    """Megabytes that the result of a run keeps in memory."""
    tracemalloc.start()
    result = run()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del result
    return round(size / 1e6)


def case(name: str, ours: Side, theirs: Side) -> Case:
    """Ours beside dicts, with what both keep in memory."""
    notes = {"ours_mb": held(ours), "peer_mb": held(theirs)}
    return Case(name, ours, {"dict of dicts": theirs}, TARGET, ROUNDS, notes)


def cases(lists: list[list[int]], arrays: list[np.ndarray], size: int) -> Iterator[Case]:
    """Counting at several orders, sampling, and skip-bigrams."""
    for order in (1, 2, 3):
        yield case(
            f"count, order {order}",
            partial(MarkovChain, arrays, size, order),
            partial(count_plainly, lists, size, order),
        )
    chain, counts = MarkovChain(arrays, size, 2), count_plainly(lists, size, 2)
    yield case(
        "sample 50,000 sentences, order 2",
        lambda: chain.sample(generator(0), 50_000),
        lambda: sample_plainly(counts, size, 2, 50_000),
    )
    # Pairs grow with the square of a sentence's length: a tenth of the text.
    tenth = len(arrays) // 10
    yield case(
        "skip-bigrams, 0.5 MB",
        partial(SkipBigrams, arrays[:tenth], size),
        partial(pair_plainly, lists[:tenth], size),
    )


if __name__ == "__main__":
    lists, arrays, size = text()
    words = sum(map(len, lists))
    title = f"{words:,} words, {size:,} different, {len(lists):,} sentences"
    report("ngram", title, cases(lists, arrays, size))
