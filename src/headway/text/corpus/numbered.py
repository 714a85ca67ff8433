"""Sentences as numbers: some of them held out, the words counted off by how often they come."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from headway.text.corpus.split import hold_out
from headway.text.vocabulary import UNKNOWN


class Numbered(NamedTuple):
    """Sentences as ids, in two parts that share no sentence.

    Attributes:
        train, held_out: lists of sentences, each a list of ids in 0 … V−1.
        words: the word of each id; id 0 stands for all words that are not among them.
    """

    train: list[list[int]]
    held_out: list[list[int]]
    words: tuple[str, ...]


def number_sentences(
    rng: np.random.Generator, sentences: Sequence[str], size: int, share: float
) -> Numbered:
    """Hold some sentences out, and number the words by how often the others use them.

    Args:
        rng: decides which sentences are held out.
        sentences: texts, words parted by white space.
        size: V, the number of ids, the one for unknown words included; the most frequent words
            of the sentences that are kept have ids of their own, fewer if there are fewer.
        share: of the distinct sentences that is held out, in 0 … 1.

    Raises:
        ValueError: if `share` is not in 0 … 1, or there is no room for the unknown words.
    """
    if size < 1:
        raise ValueError(f"size counts the id for unknown words and must be 1 or more, got {size}")
    kept, held_out = hold_out(rng, sentences, share)
    counts = Counter(word for sentence in kept for word in sentence.split())
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[: size - 1]
    ids = {word: i for i, word in enumerate(frequent, start=1)}
    train, test = (
        [[ids.get(word, 0) for word in sentence.split()] for sentence in part]
        for part in (kept, held_out)
    )
    return Numbered(train, test, (UNKNOWN, *frequent))
