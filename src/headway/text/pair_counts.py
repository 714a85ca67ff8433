"""How often each pair of neighboring tokens stands in a text, kept true while pairs are merged.

Training a byte pair encoding asks one question again and again: which pair is the most frequent
*now*? Counting all pairs after each merge would cost (length of the text) × (number of merges).
But a merge changes counts only in the words that hold the pair, and a word that stands in the text
a thousand times is counted once, with weight 1,000.

Two conventions, on which implementations can differ:

- Pairs are counted with overlap: `aaa` holds (a, a) twice, though only one merge fits in.
- Of pairs with equal counts the smallest is chosen: the smaller id on the left, and if these are
  equal, the smaller id on the right. This is Hugging Face's rule; another one can be given
  (`headway.text.byte_pair.TIES` has subword-nmt's).

Source: Sennrich et al. 2016, algorithm 1, and its section on efficient counting.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

Pair = tuple[int, int]


def merge_pair(ids: Sequence[int], pair: Pair, new: int) -> list[int]:
    """Put the id `new` in the place of every occurrence of `pair`, from left to right.

    `merge_pair([1, 1, 1, 2], (1, 1), 9) == [9, 1, 2]`

    Args:
        ids: T ids.
        pair: the two neighbors to replace.
        new: the id that stands for both.

    Returns:
        list of between T/2 and T ids.
    """
    left, right = pair
    merged, i, last = [], 0, len(ids) - 1
    while i <= last:
        if ids[i] == left and i < last and ids[i + 1] == right:
            merged.append(new)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


class PairCounts:
    """The pairs of a text with their counts, the most frequent one at hand.

    `holders` remembers which words hold (or once held) a pair. `queue` is a heap of (−count, place
    among equal counts, pair); a count in it may be out of date, but only too high, so the true
    maximum never lies behind: a pair that comes to the front with an old count goes back in with
    the new one.

    Args:
        words: how often each word, a tuple of ids, stands in the text.
        tie: pair → its place among pairs with equal counts, of which the lowest is chosen.
    """

    def __init__(
        self, words: Mapping[tuple[int, ...], int], tie: Callable[[Pair], tuple] = lambda pair: pair
    ):
        self.tie = tie
        self.words = [list(word) for word in words]
        self.times = list(words.values())
        self.counts: Counter[Pair] = Counter()
        self.holders: defaultdict[Pair, set[int]] = defaultdict(set)
        for number, (word, times) in enumerate(zip(self.words, self.times, strict=True)):
            for pair in pairwise(word):
                self.counts[pair] += times
                self.holders[pair].add(number)
        self.queue = [self._queued(pair) for pair in self.counts]
        heapq.heapify(self.queue)

    def most_frequent(self) -> tuple[Pair | None, int]:
        """The pair with the largest count and that count; (None, 0) if there is no pair."""
        while self.queue:
            queued, _, pair = self.queue[0]
            count = self.counts[pair]
            if count == -queued:
                return (pair, count) if count else (None, 0)
            heapq.heapreplace(self.queue, self._queued(pair))
        return None, 0

    def _queued(self, pair: Pair) -> tuple[int, tuple, Pair]:
        return -self.counts[pair], self.tie(pair), pair

    def merge(self, pair: Pair, new: int) -> None:
        """Make `pair` the one id `new` in all words, and bring the counts up to date."""
        counts, grown = self.counts, set()
        for number in self.holders.pop(pair, ()):
            word, times = self.words[number], self.times[number]
            merged = self.words[number] = merge_pair(word, pair, new)
            for old in pairwise(word):
                counts[old] -= times
            for made in pairwise(merged):
                counts[made] += times
                if new in made:
                    self.holders[made].add(number)
                    grown.add(made)
        for made in grown:
            heapq.heappush(self.queue, self._queued(made))
