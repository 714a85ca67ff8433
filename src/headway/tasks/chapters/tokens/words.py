"""What the cases of the chapter are made of: words of ids, texts, and merges learned from them."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from headway.text.corpus.standard_library import docstrings
from headway.text.pair_counts import Pair, PairCounts
from headway.text.pieces import pieces

BYTES = 256
Words = list[tuple[list[int], int]]


def random_words(rng: np.random.Generator, alphabet: int, lengths: Iterable[int], most=9) -> Words:
    """Words of the given lengths over a few letters, each with how often it stands in a text."""
    letters = rng.permutation(26)[:alphabet] + ord("a")
    return [
        ([int(i) for i in rng.choice(letters, length)], int(rng.integers(1, most + 1)))
        for length in lengths
    ]


def words_of(texts: Iterable[str]) -> Words:
    """The pieces of texts as bytes, each with how often it stands there."""
    counts = Counter(piece for text in texts for piece in pieces(text))
    return [(list(piece.encode()), times) for piece, times in counts.items()]


def learn(words: Words, count: int) -> list[Pair]:
    """At most `count` merges, as `train` gives them, but fast: counts are kept while merging."""
    counted = Counter()
    for ids, times in words:
        counted[tuple(ids)] += times
    pairs, merges = PairCounts(counted), []
    while len(merges) < count:
        pair, times = pairs.most_frequent()
        if times < 2:
            break
        pairs.merge(pair, BYTES + len(merges))
        merges.append(pair)
    return merges


@lru_cache
def short_docstrings() -> tuple[str, ...]:
    """Docstrings of one line."""
    return tuple(text for text in docstrings() if "\n" not in text and 20 < len(text) < 90)


def draw_texts(rng: np.random.Generator, count: int) -> list[str]:
    """Different docstrings of one line."""
    texts = short_docstrings()
    return [texts[i] for i in rng.permutation(len(texts))[:count]]
