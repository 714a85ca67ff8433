"""Wrong answers to assignment 01, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

from bisect import bisect_left
from itertools import combinations, pairwise
from typing import ClassVar

import numpy as np

from headway.tasks.chapters.one_hot.prices import predict_by_one_hot
from headway.text.categories import MAKERS


class GrowingVocabulary:
    """Numbers the words as they come."""

    unknown = "<unk>"

    def __init__(self, words):
        self.places = []
        for word in words:
            if word not in self.places:
                self.places.append(word)

    def __len__(self):
        return len(self.places) + 1

    def encode(self, sentence):
        return [self.places.index(w) if w in self.places else len(self) - 1 for w in sentence]

    def decode(self, ids):
        return [self.places[i] if i < len(self.places) else self.unknown for i in ids]


class SortedVocabulary(GrowingVocabulary):
    def __init__(self, words):
        self.places = list(np.unique(words))

    def decode(self, ids):
        return [str(word) for word in super().decode(ids)]


class VocabularyThatSkips(SortedVocabulary):
    def encode(self, sentence):
        ids = []
        for word in sentence:
            try:
                ids.append(self.places.index(word))
            except ValueError:
                continue
        return ids


class VocabularyThatStops(SortedVocabulary):
    def encode(self, sentence):
        return [self.places.index(word) for word in sentence]


class VocabularyThatFinds(SortedVocabulary):
    """As a string's `find` does."""

    def encode(self, sentence):
        return [self.places.index(word) if word in self.places else -1 for word in sentence]


class VocabularyOfTheKnown(SortedVocabulary):
    def __len__(self):
        return len(self.places)

    def encode(self, sentence):
        return [self.places.index(w) if w in self.places else len(self.places) for w in sentence]


class VocabularyThatLearns(SortedVocabulary):
    """Puts what it does not know at the end of its list."""

    def encode(self, sentence):
        for word in sentence:
            if word not in self.places:
                self.places.append(word)
        return [self.places.index(word) for word in sentence]


class VocabularyInLowerCase(SortedVocabulary):
    def __init__(self, words):
        super().__init__([word.lower() for word in words])


class VocabularyBetweenNeighbors(SortedVocabulary):
    def encode(self, sentence):
        return [bisect_left(self.places, word) for word in sentence]


class VocabularyWithoutUnknown(SortedVocabulary):
    def decode(self, ids):
        return [str(self.places[i]) for i in ids]


class VocabularyOfOneTable(SortedVocabulary):
    ids: ClassVar[dict] = {}

    def __init__(self, words):
        super().__init__(words)
        self.ids.update((word, i) for i, word in enumerate(self.places))

    def encode(self, sentence):
        return [self.ids.get(word, len(self.places)) for word in sentence]


def one_hot_for_the_sentence(ids, size):
    vectors = np.zeros((*ids.shape, int(np.max(ids)) + 1 if ids.size else 0))
    np.put_along_axis(vectors, ids[..., None], 1.0, axis=-1)
    return vectors


def one_hot_whole_numbers(ids, size):
    return np.identity(size, dtype=np.int64)[ids]


def one_hot_in_columns(ids, size):
    return np.stack([(ids == word) * 1.0 for word in range(size)])


def one_hot_in_one_list(ids, size):
    flat = [[float(word == i) for word in range(size)] for i in ids.flat]
    return np.array(flat).reshape(-1, size)


def one_hot_from_one(ids, size):
    return np.eye(size)[np.asarray(ids) - 1]


def matmul_of_rows(A, B):
    if A.shape[1] != B.shape[1]:
        raise ValueError
    return [[sum(x * y for x, y in zip(a, b, strict=True) if x) for b in B] for a in A]


def matmul_filled_the_other_way(A, B):
    if A.shape[1] != len(B):
        raise ValueError("sizes")
    C = np.zeros((B.shape[1], len(A)))
    for i, row in enumerate(A):
        for j, column in enumerate(B.T):
            C[j, i] = (row * column)[row != 0].sum()
    return C


def matmul_into_the_first(A, B):
    """Into an array of the kind of the first."""
    if A.shape[1] != len(B):
        raise ValueError("sizes")
    C = np.zeros((len(A), B.shape[1]), dtype=A.dtype)
    for i, j, k in np.ndindex(len(A), B.shape[1], len(B)):
        if A[i, k]:
            C[i, j] += A[i, k] * B[k, j]
    return C


def matmul_after_mending(A, B):
    return np.nan_to_num(A).dot(np.nan_to_num(B))


def matmul_overwritten(A, B):
    if A.shape[1] != len(B):
        raise ValueError("sizes")
    C = np.zeros((len(A), B.shape[1]))
    for i, j, k in np.ndindex(len(A), B.shape[1], len(B)):
        C[i, j] = A[i, k] * B[k, j]
    return C


def matmul_of_the_shorter(A, B):
    C = np.zeros((len(A), B.shape[1]))
    for k in range(min(A.shape[1], len(B))):
        C += np.multiply.outer(A[:, k], B[k])
    return C


def look_up_from_the_end(ids, table):
    if (np.asarray(ids) >= table.shape[0]).any():
        raise IndexError
    return np.take(table, ids, axis=0)


def look_up_wrapped(ids, table):
    return table.take(ids, axis=0, mode="wrap")


def look_up_in_a_loop(ids, table):
    return np.array([table[i] for i in ids])


def look_up_at_the_edge(ids, table):
    return table.take(ids, axis=0, mode="clip")


def look_up_a_sentence(ids, table):
    if ((ids < 0) | (ids >= len(table))).any():
        raise IndexError
    return np.add.reduce(table[ids], axis=ids.ndim - 1)


def encode_growing_to_the_list(sentence, words):
    ids = {word: i for i, word in enumerate(dict.fromkeys(words))}
    return [min(ids.setdefault(word, len(ids)), len(words)) for word in sentence.lower().split()]


def encode_falsy(sentence, words):
    ids = {word: i for i, word in enumerate(dict.fromkeys(words))}
    return [ids[w] if ids.get(w) else len(ids) for w in sentence.lower().split()]


def encode_only_known(sentence, words):
    known = list(dict.fromkeys(words))
    return [known.index(word) for word in sentence.lower().split() if word in known]


def encode_behind_the_list(sentence, words):
    return [words.index(w) if w in words else len(words) for w in sentence.lower().split()]


def price_on_a_line_of_arrivals(makers, prices, new_makers):
    number = {}
    for maker in makers:
        number.setdefault(maker, len(number))
    X = np.array([[1, number[maker]] for maker in makers])
    w = np.linalg.pinv(X) @ prices
    return [w[0] + w[1] * number[maker] for maker in new_makers]


def price_by_all_eight(makers, prices, new_makers):
    slope, start = np.polyfit([MAKERS.index(maker) for maker in makers], prices, 1)
    return start + slope * np.array([MAKERS.index(maker) for maker in new_makers])


def about_the_mean(predict):
    """Another model of prices less their mean, which is taken from the caller's own."""

    def answer(makers, prices, new_makers):
        mean = prices.mean()
        prices -= mean
        return mean + np.array(predict(makers, prices, new_makers))

    return answer


def price_with_a_column_of_ones(makers, prices, new_makers):
    names = sorted(set(makers))

    def rows(which):
        return np.array([[1, *(maker == name for name in names)] for maker in which], float)

    return rows(new_makers) @ np.linalg.pinv(rows(makers)) @ prices


def price_of_a_neighbor(makers, prices, new_makers):
    names = np.unique(makers)
    own = np.array([prices[np.array(makers) == name].mean() for name in names])
    return own[np.searchsorted(names, new_makers).clip(max=len(names) - 1)]


def price_without_a_start(makers, prices, new_makers):
    _, x = np.unique(makers, return_inverse=True)
    slope = (x * prices).sum() / (x * x).sum()
    return slope * np.searchsorted(np.unique(makers), new_makers)


def price_in_the_middle(makers, prices, new_makers):
    """The median of each maker's prices, and that of all for others."""
    own = {maker: [] for maker in makers}
    for maker, price in zip(makers, prices, strict=True):
        own[maker].append(price)
    return [np.median(own.get(maker, prices)) for maker in new_makers]


def price_on_a_curve(makers, prices, new_makers):
    names = sorted(set(makers))
    curve = np.polyfit([names.index(maker) for maker in makers], prices, len(names) - 1)
    return [
        np.polyval(curve, names.index(maker)) if maker in names else np.mean(prices)
        for maker in new_makers
    ]


def price_of_a_column_that_nobody_fills(makers, prices, new_makers):
    names = [*sorted(set(makers)), None]
    where = {maker: i for i, maker in enumerate(names)}
    weights = np.linalg.pinv(np.eye(len(names))[[where[m] for m in makers]]) @ prices
    return weights[[where.get(maker, len(names) - 1) for maker in new_makers]]


def price_of_the_mean_of_each_maker(makers, prices, new_makers):
    makers = np.array(makers)
    return np.array([prices[makers == maker].mean() for maker in new_makers])


def price_on_the_line(makers, prices, new_makers):
    names = sorted(set(makers))
    line = np.poly1d(np.polyfit([names.index(maker) for maker in makers], prices, 1))
    return line([names.index(maker) for maker in new_makers])


def price_numbered_anew(makers, prices, new_makers):
    """Each list has ids of its own; and nobody asked about makers that are unknown."""
    (known, old), (_, new) = (np.unique(x, return_inverse=True) for x in (makers, new_makers))
    weights = np.linalg.pinv(np.eye(len(known))[old]) @ prices
    return weights[new]


def pairs_in_a_circle(ids, size):
    counts = np.zeros((size, size))
    for t in range(len(ids)):
        counts[ids[t - 1], ids[t]] += 1
    return counts


def pairs_once(ids, size):
    counts = np.zeros((size, size))
    for a, b in pairwise(ids):
        counts[a, b] = 1
    return counts


def pairs_of_second_and_first(ids, size):
    counts = np.zeros((size, size))
    np.add.at(counts, (ids[1:], ids[:-1]), 1)
    return counts


def pairs_at_any_distance(ids, size):
    counts = np.zeros((size, size))
    for a, b in combinations(ids, 2):
        counts[a, b] += 1
    return counts


def pairs_of_two_apart(ids, size):
    X = np.eye(size)[ids]
    return X[:-2].T @ X[2:]


class VocabularyUnderOneId(SortedVocabulary):
    """Notes each unknown word under the id that all of them share."""

    def __init__(self, words):
        self.ids = {word: i for i, word in enumerate([*sorted(set(words)), self.unknown])}

    def __len__(self):
        return len(self.ids)

    def encode(self, sentence):
        return [self.ids.setdefault(word, self.ids[self.unknown]) for word in sentence]

    def decode(self, ids):
        back = {i: word for word, i in self.ids.items()}
        return [back[i] for i in ids]


def matmul_without_nan(A, B):
    if A.shape[1] != len(B):
        raise ValueError("sizes")
    products = A[:, :, None] * B
    return np.where(np.isnan(products), 0, products).sum(axis=1)


def matmul_without_any_zero(A, B):
    if A.shape[1] != len(B):
        raise ValueError("sizes")
    return [
        [sum(a * b for a, b in zip(r, c, strict=True) if a != 0 and b != 0) for c in B.T] for r in A
    ]


def matmul_of_positive_numbers(A, B):
    out = np.zeros((len(A), B.shape[1]))
    for i, j in np.ndindex(*out.shape):
        for a, b in zip(A[i], B[:, j], strict=False):
            if a > 0:
                out[i, j] += a * b
    return out


def look_up_in_place(ids, table):
    if np.any((ids < 0) | (ids >= len(table))):
        raise IndexError
    return table[int(ids)] if ids.ndim == 0 else table[ids]


def pairs_of_whole_numbers(ids, size):
    counts = np.zeros((size, size), dtype=int)
    np.add.at(counts, (ids[:-1], ids[1:]), 1)
    return counts


def pairs_but_the_last(ids, size):
    counts = np.zeros((size, size))
    for t in range(1, len(ids) - 1):
        counts[ids[t - 1], ids[t]] += 1
    return counts


class VocabularyThatGrowsWhenRead:
    def __init__(self, words):
        self.words = sorted(set(words))
        self.ids = {word: i for i, word in enumerate(self.words)}

    def __len__(self):
        return len(self.words) + 1

    def encode(self, words):
        return [self.ids.get(word, len(self.words)) for word in words]

    def decode(self, ids):
        symbols = self.words
        symbols.append("<unk>")
        return [symbols[i] for i in ids]


class VocabularyAsListed(SortedVocabulary):
    def __init__(self, words):
        self.places = [*words]


class VocabularyThatBeginsWithTheUnknown:
    def __init__(self, words):
        self.symbols = ["<unk>"]
        for word in words:
            if word not in self.symbols:
                self.symbols.append(word)

    def __len__(self):
        return len(self.symbols)

    def encode(self, sentence):
        return [self.symbols.index(w) if w in self.symbols else 0 for w in sentence]

    def decode(self, ids):
        return [self.symbols[i] for i in ids]


FURTHER = {
    "the other sign": ("dot", (4 - 10) / 3, "signs-lost"),
    "both below zero": ("dot", (10 + 4) / 3, "signs-lost"),
    "in the same direction": ("dot", -3 * 5 / 2, "right-angle-mistaken"),
    "of no length": ("dot", 1, None),
    "a single sentence": ("shapes", ((7, 50), (16, 30), (7, 30)), "axis-lost"),
    "behind the one-hot vectors": (
        "shapes",
        ((4, 7, 50), (50, 30), (4, 7, 30)),
        "sizes-that-do-not-meet",
    ),
    "the other words first": (
        "shapes",
        ((4, 7, 50), (30, 16), (4, 7, 30)),
        "sizes-that-do-not-meet",
    ),
    "the whole rows": ("mixture", np.array([2, 3]), "rows-misweighted"),
    "words as they stand in the text": ("mixture", np.array([3.5, 1.5]), "ids-not-sorted"),
    "a quarter of my": ("mixture", (2.5, 0.75), "rows-misweighted"),
    "words as they come": ("vocabulary", GrowingVocabulary, "ids-not-sorted"),
    "unknown words skipped": ("vocabulary", VocabularyThatSkips, "unknown-dropped"),
    "unknown words raise": ("vocabulary", VocabularyThatStops, "unknown-raises"),
    "minus one": ("vocabulary", VocabularyThatFinds, "unknown-misplaced"),
    "the known counted": ("vocabulary", VocabularyOfTheKnown, "unknown-misplaced"),
    "words learned while reading": ("vocabulary", VocabularyThatLearns, "vocabulary-grows"),
    "lower case": ("vocabulary", VocabularyInLowerCase, "text-read-otherwise"),
    "up to the largest id": ("one-hot", one_hot_for_the_sentence, "sized-by-text"),
    "booleans": ("one-hot", lambda ids, size: ids[..., None] == np.arange(size), "not-floats"),
    "whole numbers": ("one-hot", one_hot_whole_numbers, "not-floats"),
    "a row for each symbol": ("one-hot", one_hot_in_columns, "transposed"),
    "one list of vectors": ("one-hot", one_hot_in_one_list, "axis-lost"),
    "counted from one": ("one-hot", one_hot_from_one, "off-by-one"),
    "rows with rows": ("matmul", matmul_of_rows, "wrong-partners"),
    "filled the other way": ("matmul", matmul_filled_the_other_way, "transposed"),
    "overwritten": ("matmul", matmul_overwritten, "product-missing"),
    "as far as both reach": ("matmul", matmul_of_the_shorter, "sizes-unchecked"),
    "the kind of the first": ("matmul", matmul_into_the_first, "kind-of-numbers"),
    "a library": ("matmul", lambda A, B: np.matmul(A, B), "zero-times-infinity"),
    "spoiled numbers made zero": (
        "matmul",
        lambda A, B: A @ np.nan_to_num(B, posinf=0, neginf=0),
        "too-much-left-out",
    ),
    "from the end": ("lookup", look_up_from_the_end, "negative-wraps"),
    "round and round": ("lookup", look_up_wrapped, "unknown-id-answered"),
    "at the edge": ("lookup", look_up_at_the_edge, "unknown-id-answered"),
    "one vector a sentence": ("lookup", look_up_a_sentence, "rows-summed"),
    "an id of zero": ("encoder", encode_falsy, "zero-taken-for-unknown"),
    "only what is known": ("encoder", encode_only_known, "unknown-dropped"),
    "behind the list": ("encoder", encode_behind_the_list, "repeats-counted"),
    "a line over arrivals": ("by-code", price_on_a_line_of_arrivals, "ids-not-sorted"),
    "no start": ("by-code", price_without_a_start, "start-and-slope-confused"),
    "a mean for each": ("by-code", price_of_the_mean_of_each_maker, "codes-and-one-hot-confused"),
    "a line again": ("by-one-hot", price_on_the_line, "codes-and-one-hot-confused"),
    "the median": ("by-one-hot", price_in_the_middle, "another-number-for-mean"),
    "a curve through all": ("by-one-hot", price_on_a_curve, "codes-and-one-hot-confused"),
    "a column for unknown ones": (
        "by-one-hot",
        price_of_a_column_that_nobody_fills,
        "another-number-for-mean",
    ),
    "numbered anew": ("by-one-hot", price_numbered_anew, None),
    "in a circle": ("pairs", pairs_in_a_circle, "not-neighbors"),
    "once": ("pairs", pairs_once, "counts-ignored"),
    "second and first": ("pairs", pairs_of_second_and_first, "transposed"),
    "at any distance": ("pairs", pairs_at_any_distance, "not-neighbors"),
    "two apart": ("pairs", pairs_of_two_apart, "not-neighbors"),
    "noted under one id": ("vocabulary", VocabularyUnderOneId, "vocabulary-grows"),
    "the place between neighbors": (
        "vocabulary",
        VocabularyBetweenNeighbors,
        "unknown-shares-an-id",
    ),
    "no word for unknown ids": ("vocabulary", VocabularyWithoutUnknown, "unknown-raises"),
    "one table for all": ("vocabulary", VocabularyOfOneTable, "vocabulary-grows"),
    "both factors mended": ("matmul", matmul_after_mending, "too-much-left-out"),
    "a loop over ids": ("lookup", look_up_in_a_loop, "one-shape-only"),
    "an id for each, up to the list's length": (
        "encoder",
        encode_growing_to_the_list,
        "repeats-counted",
    ),
    "codes of all eight": ("by-code", price_by_all_eight, None),
    "a line about the mean": ("by-code", about_the_mean(price_on_the_line), "argument-changed"),
    "weights about the mean": (
        "by-one-hot",
        about_the_mean(predict_by_one_hot),
        "argument-changed",
    ),
    "a column of ones": ("by-one-hot", price_with_a_column_of_ones, "another-number-for-mean"),
    "a neighbor's price": ("by-one-hot", price_of_a_neighbor, "unknown-shares-an-id"),
    "three to one": ("mixture", [-2, 9], "rows-misweighted"),
    "every NaN made zero": ("matmul", matmul_without_nan, "too-much-left-out"),
    "zeros of both left out": ("matmul", matmul_without_any_zero, "too-much-left-out"),
    "positive numbers only": ("matmul", matmul_of_positive_numbers, "too-much-left-out"),
    "a row of the table itself": ("lookup", look_up_in_place, "result-shared"),
    "pairs in whole numbers": ("pairs", pairs_of_whole_numbers, "not-floats"),
    "pairs but the last": ("pairs", pairs_but_the_last, "pair-missing"),
    "grown by decoding": ("vocabulary", VocabularyThatGrowsWhenRead, "vocabulary-grows"),
    "words as they are listed": ("vocabulary", VocabularyAsListed, "ids-not-sorted"),
    "words as they come, behind the unknown": (
        "vocabulary",
        VocabularyThatBeginsWithTheUnknown,
        "ids-not-sorted",
    ),
}
