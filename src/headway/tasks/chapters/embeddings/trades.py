"""Sentences of some trades, whose words have categories, and how well vectors keep them apart."""

from typing import NamedTuple

import numpy as np

NEIGHBORS = 5
OTHER = -1  # the category of a word that has none
ADJECTIVES, ADVERBS, LINKS = 4, 4, 2


class Language(NamedTuple):
    """Sentences, and what their words are.

    Attributes:
        sentences: lists of ids in 0 … V−1.
        asks: for each sentence, whether it is a question.
        trades: (V,), the number of each noun's trade; OTHER for all other words.
        roles: (V,), 0 for those who do something and 1 for what something is done to; OTHER.
    """

    sentences: list[list[int]]
    asks: list[bool]
    trades: np.ndarray
    roles: np.ndarray

    @property
    def size(self) -> int:
        return len(self.trades)


def draw_language(
    rng: np.random.Generator, trades: int, nouns: int, verbs: int, clauses: int, asked: float = 0.5
) -> Language:
    """Clauses "cooks often stir" and "often stir hot soups" of some trades, linked at random.

    In a statement, who does something stands before a verb of the trade, and to what it is done
    stands after one; never both in one clause. In a question both change places. One verb in ten is
    that of any trade. The words are numbered anew.

    Args:
        asked: the share of sentences that are questions. If it is one half, who does something
            stands in the same places as to what it is done, for one that does not look at `asks`.
    """
    lengths = {"doers": nouns, "things": nouns, "verbs": verbs}
    size = trades * sum(lengths.values()) + ADJECTIVES + ADVERBS + LINKS
    numbers = iter(rng.permutation(size))

    def take(count):
        return [int(next(numbers)) for _ in range(count)]

    words = [{kind: take(count) for kind, count in lengths.items()} for _ in range(trades)]
    adjectives, adverbs, links = take(ADJECTIVES), take(ADVERBS), take(LINKS)

    def one_of(some):
        return some[int(len(some) * rng.random() ** 1.5)]

    def perhaps(some):
        return [one_of(some)] if rng.random() < 0.5 else []

    def clause(asks):
        trade = words[rng.integers(trades)]
        verb = one_of((trade if rng.random() < 0.9 else words[rng.integers(trades)])["verbs"])
        does = rng.random() < 0.5
        noun = [*perhaps(adjectives), one_of(trade["doers" if does else "things"])]
        if does != asks:
            return [*noun, *perhaps(adverbs), verb, *perhaps(adverbs)]
        return [*perhaps(adverbs), verb, *noun, *perhaps(adverbs)]

    sentences, asks = [], []
    for _ in range(clauses):
        if sentences and rng.random() < 0.5:
            sentences[-1] += [one_of(links), *clause(asks[-1])]
        else:
            asks.append(bool(rng.random() < asked))
            sentences.append(clause(asks[-1]))
    kinds = np.full((2, size), OTHER)
    for trade, kept in enumerate(words):
        for role, kind in enumerate(("doers", "things")):
            kinds[:, kept[kind]] = [[trade], [role]]
    return Language(sentences, asks, *kinds)


def neighbor_purity(vectors, labels, of=None) -> float:
    """The share of the five nearest words, by cosine, that have the label of the word itself.

    Args:
        vectors: (V, C).
        labels: (V,); words labeled OTHER neither ask nor answer.
        of: (V,) bool, which words ask; all if left out.
    """
    nouns = np.flatnonzero(labels != OTHER)
    lengths = np.linalg.norm(vectors[nouns], axis=1, keepdims=True)
    unit = vectors[nouns] / np.where(lengths == 0, 1, lengths)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :NEIGHBORS]
    same = labels[nouns][nearest] == labels[nouns, None]
    return float(same[slice(None) if of is None else of[nouns]].mean())
