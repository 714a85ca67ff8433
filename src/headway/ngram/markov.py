"""Markov chains: the next word depends on the last n words and on nothing before them.

    P(w₁ … w_T) = Πₜ P(wₜ | wₜ₋ₙ … wₜ₋₁),      P(w | context) = (count + α) / (total + α·(V+1))

Words are ids 0 … V−1. One more id, V, is the *boundary*: n of them stand before each sentence,
so that its first words have a context too, and one stands after it, so that the chain learns
to stop. No count runs from one sentence into the next. Order 0 is the unigram model.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from headway.ngram.count_table import CountTable, position
from headway.ngram.transition import check_smoothing, normalize, row_entropy
from headway.text.vocabulary import check_ids

LARGEST_KEY = np.iinfo(np.int64).max


class MarkovChain:
    """A chain of order n over V words and the boundary, estimated by counting.

    Args:
        sentences: sequences of ids, each in 0 … V−1; lengths may differ and be zero.
        size: V, the number of words.
        order: n ≥ 0, how many words back the chain looks.
        smoothing: α ≥ 0, added to every count before rows are normalized.

    Attributes:
        contexts: int64 (K, n), the contexts that were seen, the oldest word first.
        table: their counts, K rows by V+1 outcomes.

    Raises:
        ValueError: if the order or α is negative, or no sentence is given.
        IndexError: if an id is not in 0 … V−1.
    """

    def __init__(
        self, sentences: Iterable[Sequence[int]], size: int, order: int = 1, smoothing: float = 0.0
    ):
        if order < 0:
            raise ValueError(f"the order must be 0 or more words, got {order}")
        self.size, self.order, self.smoothing = size, order, check_smoothing(smoothing)
        self._known: dict[int, np.ndarray] = {}
        contexts, following = windows(sentences, size, order)
        if not len(following):
            raise ValueError("there is no sentence to count in; did an iterator run out?")
        keys = self._keys(contexts, learn=True)
        self.table = CountTable(keys, following, size + 1)
        self.contexts = self._words(self.table.contexts)

    @property
    def boundary(self) -> int:
        """V, the id before and after each sentence."""
        return self.size

    def matrix(self) -> np.ndarray:
        """P, one row for each context that was seen, as in `contexts`: float64 (K, V+1)."""
        return normalize(self.table.dense(np.arange(len(self.table))), self.smoothing)

    def transition_matrix(self) -> np.ndarray:
        """P of a first-order chain, a row for every word: float64 (V+1, V+1).

        Row and column V are the boundary: its row holds the first words, its column the ends.
        The row of a word that was never seen is zero, or uniform with smoothing.

        Raises:
            ValueError: if the order is not 1; a matrix of order n has (V+1)ⁿ rows.
        """
        if self.order != 1:
            raise ValueError(
                f"a chain of order {self.order} has {self.size + 1}^{self.order} rows; "
                "matrix() gives those that were seen"
            )
        return self.predict(np.arange(self.size + 1)[:, None])

    def predict(self, contexts) -> np.ndarray:
        """Distribution of the next word.

        Args:
            contexts: int (..., n), the last n words, the latest at the end; the boundary's id
                stands in for words before the sentence.

        Returns:
            float64 (..., V+1). Unseen contexts give zeros, or uniform rows with smoothing.

        Raises:
            ValueError: if the last axis is not n long.
            IndexError: if an id is not in 0 … V.
        """
        rows = self.rows(contexts)
        counts = self.table.dense(rows.reshape(-1)).reshape(*rows.shape, self.size + 1)
        return normalize(counts, self.smoothing)

    def times_seen(self, contexts) -> np.ndarray:
        """How often each context was counted.

        Args:
            contexts: int (..., n), as for `predict`.

        Returns:
            int64 (...); zero for a context that was never seen.

        Raises:
            ValueError, IndexError: as `predict`.
        """
        return self.table.total(self.rows(contexts))

    def rows(self, contexts) -> np.ndarray:
        """Where each context stands in `contexts` and in the table.

        Args:
            contexts: int (..., n), as for `predict`.

        Returns:
            int64 (...); −1 for a context that was never seen.

        Raises:
            ValueError, IndexError: as `predict`.
        """
        contexts = check_ids(contexts, self.size + 1)
        if contexts.shape[-1:] != (self.order,):
            raise ValueError(
                f"contexts of a chain of order {self.order} have shape (..., {self.order}), got "
                f"{contexts.shape}. Is it a whole sentence? Cut it to its last words."
            )
        batch = contexts.shape[:-1]
        flat = contexts.reshape(math.prod(batch), self.order)
        return self.table.find(self._keys(flat)).reshape(batch)

    def log_likelihood(self, sentences: Iterable[Sequence[int]]) -> float:
        """ln P of all sentences together, ends included; −∞ if something has probability zero."""
        return self._score(sentences)[0]

    def perplexity(self, sentences: Iterable[Sequence[int]]) -> float:
        """exp of the mean of −ln P over all predictions: T words and one end for each sentence.

        Raises:
            ValueError: if no sentence is given.
        """
        total, predictions = self._score(sentences)
        if not predictions:
            raise ValueError("there is no sentence to measure; did an iterator run out?")
        return float(np.exp(-total / predictions))

    def entropy(self) -> np.ndarray:
        """Doubt about the next word after each seen context, in nats: float64 (K,)."""
        return row_entropy(self.matrix())

    def sample(self, rng: np.random.Generator, count: int, longest: int = 100) -> list[np.ndarray]:
        """Draw sentences word by word until the boundary comes.

        Args:
            rng: the source of chance.
            count: how many sentences.
            longest: where a sentence without an end is cut off.

        Returns:
            list of `count` int64 arrays of shapes (T,), T ≤ `longest`, without boundaries; slices
            of one array.
        """
        sentences = np.full((self.order + longest, count), self.boundary)  # a row for each step
        going = np.arange(count)  # the sentences that have not ended
        for t in range(self.order, self.order + longest):
            following = self._draw(rng, sentences[t - self.order : t, going].T)
            sentences[t, going] = following
            going = going[following != self.boundary]
            if not len(going):
                break
        words = sentences[self.order :].T
        written = words != self.boundary
        ends = np.cumsum(written.sum(axis=1)).tolist()
        text = words[written]
        return [text[start:end] for start, end in pairwise([0, *ends])]

    def _draw(self, rng: np.random.Generator, contexts: np.ndarray) -> np.ndarray:
        """One next word for each context (N, n): from its counts, or from the α that was added."""
        rows = self.table.find(self._keys(contexts))
        if not self.smoothing:
            return self.table.draw(rng, rows)
        totals = self.table.total(rows)
        added = self.smoothing * (self.size + 1)
        counted = rng.random(len(rows)) * (totals + added) < totals
        following = np.minimum((rng.random(len(rows)) * (self.size + 1)).astype(int), self.size)
        following[counted] = self.table.draw(rng, rows[counted])
        return following

    def _score(self, sentences: Iterable[Sequence[int]]) -> tuple[float, int]:
        """Sum of ln P, and the number of predictions."""
        contexts, following = windows(sentences, self.size, self.order)
        keys = self._keys(contexts)
        counts = self.table.count(keys, following) + self.smoothing
        totals = self.table.total(self.table.find(keys)) + self.smoothing * (self.size + 1)
        seen = counts > 0
        if not seen.all():
            return float("-inf"), len(following)
        return float(np.log(counts / totals).sum()), len(following)

    def _keys(self, contexts: np.ndarray, learn: bool = False) -> np.ndarray:
        """One number for each context (N, n): its ids as the digits of a number to base V+1.

        Before a number outgrows 64 bits (with the outcome to come as its last digit) it is
        replaced by its rank among the numbers in the training text: −1 if it is not there.
        """
        base = self.size + 1
        keys, bound = np.zeros(len(contexts), dtype=np.int64), 1
        for i in range(self.order):
            if bound * base > LARGEST_KEY // base:
                if learn:
                    self._known[i] = np.unique(keys)
                keys, bound = position(self._known[i], keys), len(self._known[i])
            keys = np.where(keys < 0, -1, keys * base + contexts[:, i])
            bound *= base
        return keys

    def _words(self, keys: np.ndarray) -> np.ndarray:
        """The contexts (N, n) of keys (N,): digit by digit, the latest word first."""
        contexts = np.empty((len(keys), self.order), dtype=np.int64)
        for i in reversed(range(self.order)):
            keys, contexts[:, i] = np.divmod(keys, self.size + 1)
            if i in self._known:
                keys = self._known[i][keys]
        return contexts


def windows(
    sentences: Iterable[Sequence[int]], size: int, order: int
) -> tuple[np.ndarray, np.ndarray]:
    """All contexts of n words in a list of sentences, and what follows each.

    Args:
        sentences: sequences of ids in 0 … V−1; N words altogether in S sentences.
        size: V; this id is the boundary that is put around sentences.
        order: n.

    Returns:
        contexts (N+S, n), following (N+S,), both int64.

    Raises:
        IndexError: if an id is not in 0 … V−1.
    """
    text, starts, lengths = lay_out(sentences, size, gap=max(order, 1))
    is_target = text != size
    is_target[starts + lengths] = True  # the end of each sentence
    targets = np.flatnonzero(is_target)
    contexts = np.empty((order, len(targets)), dtype=np.int64)  # a row for each step back
    for i in range(order):
        contexts[i] = text[targets + (i - order)]
    return contexts.T, text[targets]


def lay_out(
    sentences: Iterable[Sequence[int]], size: int, gap: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sentences in one row with `gap` boundaries before, between and after them.

    Returns:
        text: int64 (N + (S+1)·gap,); starts, lengths: int64 (S,), where each sentence begins in
        `text`, and its number of words.

    Raises:
        TypeError: if a sentence is a text or a single id.
        IndexError: if an id is not in 0 … V−1.
    """
    sentences = list(sentences)
    if sentences and (isinstance(sentences[0], str) or not hasattr(sentences[0], "__len__")):
        raise TypeError(
            f"expected sentences of word ids, got {sentences[0]!r} as the first of them. "
            "Encode texts first; put a single sentence into a list."
        )
    lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
    if not lengths.all():  # an empty list would count as an array of floats
        sentences = [sentence for sentence in sentences if len(sentence)]
    words = check_ids(np.concatenate(sentences) if sentences else [], size)
    text = np.full(len(words) + (len(lengths) + 1) * gap, size)
    starts = np.cumsum(lengths) - lengths + np.arange(1, len(lengths) + 1) * gap
    is_word = np.ones(len(text), dtype=bool)
    is_word[:gap] = False
    for i in range(gap):
        is_word[starts + lengths + i] = False
    text[is_word] = words
    return text, starts, lengths
