"""Markov chains and skip-bigrams beside plain dicts of dicts, on five megabytes of text.

    python benchmarks/ngram.py

The text is sentences of the standard library's docstrings, repeated in a new order until they
are five megabytes. A ratio below 1 means that `headway` is faster; both sides of a row run
alternately and get the same lists of word ids. Prints one table and writes it to
`benchmarks/out/ngram.json`.
"""

import json
import random
import statistics
import tracemalloc
from collections import defaultdict
from itertools import accumulate
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

from headway.ngram.markov import MarkovChain
from headway.ngram.skipbigram import SkipBigrams
from headway.text.corpus.split import generator, shuffled
from headway.text.corpus.standard_library import docstrings
from headway.text.vocabulary import Vocabulary

BYTES = 5_000_000
ROUNDS = 3
TARGET = 0.1
OUT = Path(__file__).parent / "out" / "ngram.json"


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


def compared(name, ours, theirs):
    """A row: median seconds of both sides, the median of the ratios, and megabytes held."""
    mine, other = [], []
    for _ in range(ROUNDS):
        for run, seconds in ((ours, mine), (theirs, other)):
            start = perf_counter()
            run()
            seconds.append(perf_counter() - start)
    ratio = statistics.median(a / b for a, b in zip(mine, other, strict=True))
    row = {"name": name, "ours": statistics.median(mine), "peer": "dict of dicts"}
    row |= {"best_peer": statistics.median(other), "ratio": ratio, "target": TARGET}
    return row | {"ours_mb": held(ours), "peer_mb": held(theirs)}


def held(run) -> float:
    """Megabytes that the result of a run keeps in memory."""
    tracemalloc.start()
    result = run()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del result
    return size / 1e6


def main() -> None:
    lists, arrays, size = text()
    rows = []
    for order in (1, 2, 3):
        rows.append(
            compared(
                f"count, order {order}",
                lambda order=order: MarkovChain(arrays, size, order),
                lambda order=order: count_plainly(lists, size, order),
            )
        )
    chain, counts = MarkovChain(arrays, size, 2), count_plainly(lists, size, 2)
    rows.append(
        compared(
            "sample 50,000 sentences, order 2",
            lambda: chain.sample(generator(0), 50_000),
            lambda: sample_plainly(counts, size, 2, 50_000),
        )
    )
    # Pairs grow with the square of a sentence's length: a tenth of the text.
    tenth = len(arrays) // 10
    rows.append(
        compared(
            "skip-bigrams, 0.5 MB",
            lambda: SkipBigrams(arrays[:tenth], size),
            lambda: pair_plainly(lists[:tenth], size),
        )
    )
    words = sum(map(len, lists))
    table = Table(title=f"{words:,} words, {size:,} different, {len(lists):,} sentences")
    table.add_column("what")
    for name in ("headway, s", "dicts, s", "ratio", "target", "headway, MB", "dicts, MB"):
        table.add_column(name, justify="right")
    for row in rows:
        numbers = (row["ours"], row["best_peer"], row["ratio"], row["target"])
        memory = (f"{row['ours_mb']:,.0f}", f"{row['peer_mb']:,.0f}")
        table.add_row(row["name"], *(f"{n:.3f}" for n in numbers), *memory)
    Console(width=110).print(table)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
