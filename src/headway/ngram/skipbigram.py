"""Second order with skips: each earlier word, paired with the latest one, votes for the next.

A chain that looks back eight words needs V⁸ rows. A skip-bigram model keeps V² features
(earlier word, latest word), wherever the earlier word stands, and lets all features that are
present vote:

    votes(w) = Σ over features f present, mask(f)·P(w | f),     P(w | f) = count(f, w) / count(f)

The features of a prefix are a set: a word that stands there twice votes once, and the latest
word is no context of itself (it is, if it stood there before). What is summed are votes, not
probabilities. A mask says which features may vote. (Second-order model with skips and masks:
B. Rohrer, "Transformers from Scratch", 2021.)
"""

from collections.abc import Iterable, Sequence

import numpy as np

from headway.ngram.count_table import CountTable
from headway.ngram.markov import lay_out
from headway.ngram.transition import normalize
from headway.text.vocabulary import check_ids


class SkipBigrams:
    """Votes of word pairs for the next word, estimated by counting.

    Args:
        sentences: sequences of ids, each in 0 … V−1.
        size: V, the number of words. The id V stands for the end of a sentence among the next
            words, as in `MarkovChain`.
        reach: how many words before the latest one the earlier word may stand; None: any
            number. With reach 1 the pairs are adjacent, and the rows are those of a
            second-order chain.

    Attributes:
        pairs: int64 (F, 2), the features that were seen: earlier word, latest word.
        table: how often each next word followed each feature, F rows by V+1.

    Raises:
        ValueError: if `reach` is less than 1.
        IndexError: if an id is not in 0 … V−1.
    """

    def __init__(self, sentences: Iterable[Sequence[int]], size: int, reach: int | None = None):
        if reach is not None and reach < 1:
            raise ValueError(f"reach must be 1 word or more, got {reach}")
        self.size, self.reach = size, reach
        earlier, latest, following = triples(sentences, size, reach)
        self.table = CountTable(earlier * size + latest, following, size + 1)
        self.pairs = np.stack(np.divmod(self.table.contexts, size), axis=-1)

    def __len__(self) -> int:
        """F, the number of features that were seen."""
        return len(self.table)

    def votes(self) -> np.ndarray:
        """The vote table P(w | f), a row for each feature as in `pairs`: float64 (F, V+1)."""
        return normalize(self.table.dense(np.arange(len(self))))

    def features(self, prefix: Sequence[int]) -> np.ndarray:
        """The features that are present in a prefix, as row numbers of `pairs`.

        Args:
            prefix: int (T,), the words so far, the latest at the end.

        Returns:
            int64 (N,), N ≤ T−1, ascending; pairs that were never seen have no row and no vote.
        """
        prefix = check_ids(prefix, self.size)
        first = 0 if self.reach is None else max(0, len(prefix) - 1 - self.reach)
        earlier = np.unique(prefix[first:-1])
        rows = self.table.find(earlier * self.size + prefix[-1:])
        return rows[rows >= 0]

    def active(self, prefix: Sequence[int]) -> np.ndarray:
        """The same as a vector of zeros and ones: float64 (F,).

        `(active(prefix) * mask) @ votes()` is the prediction, as one matrix product.
        """
        vector = np.zeros(len(self))
        vector[self.features(prefix)] = 1.0
        return vector

    def predict(self, prefix: Sequence[int], mask: np.ndarray | None = None) -> np.ndarray:
        """Sum of the votes of the features that are present and that the mask lets vote.

        Args:
            prefix: int (T,).
            mask: bool (F,), True for features that may vote; None lets all vote.

        Returns:
            float64 (V+1,); all zero where no feature votes (in a prefix of one word, for one).

        Raises:
            ValueError: if the mask is not boolean with one entry for each feature.
        """
        rows = self.features(prefix)
        if mask is not None:
            rows = rows[self._check(mask)[rows]]
        where, cells = self.table.cells_of(rows)
        shares = self.table.counts[cells] / self.table.totals[rows][where]
        return np.bincount(self.table.outcomes[cells], weights=shares, minlength=self.size + 1)

    def information_gain(self) -> np.ndarray:
        """How much each feature tells beyond its latest word, in nats: float64 (F,).

            gain(f) = Σ_w P(w | f) ln (P(w | f) / P(w | latest word of f)) ≥ 0

        P(w | latest) is what all features with this latest word say together: their counts added
        up, and divided by the sum. So a place with n different words before it counts n times,
        and the gains, weighted by how often each feature was seen, average to the mutual
        information of earlier and next word. Zero for a feature whose row is P(w | latest).
        """
        rows = np.repeat(np.arange(len(self)), np.diff(self.table.starts))
        latest = self.pairs[rows, 1]
        beside = CountTable(
            np.repeat(latest, self.table.counts),
            np.repeat(self.table.outcomes, self.table.counts),
            self.size + 1,
        )
        given_both = self.table.counts / self.table.totals[rows]
        given_latest = beside.count(latest, self.table.outcomes) / beside.total(beside.find(latest))
        gain = np.bincount(rows, given_both * np.log(given_both / given_latest), len(self))
        return np.where(gain < 1e-12, 0.0, gain)

    def mask_by_gain(self, share: float = 0.5, at_least: int = 1) -> np.ndarray:
        """A mask that keeps the features that inform, found by measuring and not by hand.

        Of all features with the same latest word those stay whose gain is at least `share` of
        the largest; where no earlier word tells anything, all stay.

        Args:
            share: in 0 … 1; 0 keeps everything.
            at_least: how often a feature must have been counted; what was seen once or twice
                looks informative by chance.

        Returns:
            bool (F,).
        """
        gain = np.where(self.table.totals >= at_least, self.information_gain(), -1.0)
        best = np.full(self.size, -1.0)
        np.maximum.at(best, self.pairs[:, 1], gain)
        return (gain >= 0) & (gain >= share * best[self.pairs[:, 1]])

    def _check(self, mask: np.ndarray) -> np.ndarray:
        mask = np.asarray(mask)
        if mask.shape != (len(self),) or mask.dtype != bool:
            raise ValueError(
                f"a mask has one boolean for each feature, shape ({len(self)},); got {mask.dtype} "
                f"of shape {mask.shape}. Is it a mask over the {self.size} words, or the mask of "
                "another corpus?"
            )
        return mask


def triples(
    sentences: Iterable[Sequence[int]], size: int, reach: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every (earlier word, latest word, next word) of a list of sentences.

    A sentence of T words has T−1 prefixes with a word before the latest one, and a prefix of
    t words has up to t−1 pairs: work and memory grow with T² (with T·reach if `reach` is
    given). All sentences are taken together, one distance at a time.

    Returns:
        earlier, latest, following: int64 (N,). `following` is V at the end of a sentence.
    """
    text, starts, lengths = lay_out(sentences, size, gap=1)
    longest = int(lengths.max(initial=1)) - 1
    furthest = longest if reach is None else min(reach, longest)
    place = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    latest = np.repeat(starts, lengths) + place  # where in `text` each word stands
    again = next_occurrence(text)
    earlier_places, latest_places = [], []
    for distance in range(1, furthest + 1):
        inside = place >= distance
        place, latest = place[inside], latest[inside]
        # A word that comes again before the latest one votes from there, and once.
        votes = again[latest - distance] >= latest
        latest_places.append(latest[votes])
        earlier_places.append(latest[votes] - distance)
    if not latest_places:
        return (np.empty(0, dtype=np.int64),) * 3
    latest = np.concatenate(latest_places)
    return text[np.concatenate(earlier_places)], text[latest], text[latest + 1]


def next_occurrence(text: np.ndarray) -> np.ndarray:
    """For each place in a text, where the same word comes next; past the end if never.

    Places in other sentences count too: they lie beyond every prefix that is looked at.
    """
    order = np.argsort(text, kind="stable")
    again = np.full(len(text), len(text))
    same = text[order[:-1]] == text[order[1:]]
    again[order[:-1][same]] = order[1:][same]
    return again
