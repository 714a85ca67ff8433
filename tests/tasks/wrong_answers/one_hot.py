"""Wrong answers to assignment 01, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

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


def one_hot_for_the_sentence(ids, size):
    vectors = np.zeros((*ids.shape, int(np.max(ids)) + 1 if ids.size else 0))
    np.put_along_axis(vectors, ids[..., None], 1.0, axis=-1)
    return vectors


def matmul_of_rows(A, B):
    if A.shape[1] != B.shape[1]:
        raise ValueError
    return [[sum(x * y for x, y in zip(a, b, strict=True) if x) for b in B] for a in A]


def look_up_from_the_end(ids, table):
    if (np.asarray(ids) >= table.shape[0]).any():
        raise IndexError
    return np.take(table, ids, axis=0)


def encode_falsy(sentence, words):
    ids = {word: i for i, word in enumerate(dict.fromkeys(words))}
    return [ids[w] if ids.get(w) else len(ids) for w in sentence.lower().split()]


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


WRONG_ANSWERS = {
    "of no length": ("dot", 1, None),
    "words as they come": ("vocabulary", GrowingVocabulary, "ids-not-sorted"),
    "up to the largest id": ("one-hot", one_hot_for_the_sentence, "sized-by-text"),
    "rows with rows": ("matmul", matmul_of_rows, "wrong-partners"),
    "from the end": ("lookup", look_up_from_the_end, "negative-wraps"),
    "an id of zero": ("encoder", encode_falsy, "zero-taken-for-unknown"),
    "a line over arrivals": ("by-code", price_on_a_line_of_arrivals, "ids-not-sorted"),
    "a line again": ("by-one-hot", price_on_the_line, "codes-and-one-hot-confused"),
    "numbered anew": ("by-one-hot", price_numbered_anew, None),
    "in a circle": ("pairs", pairs_in_a_circle, "not-neighbors"),
    "codes of all eight": ("by-code", price_by_all_eight, None),
    "a line about the mean": ("by-code", about_the_mean(price_on_the_line), "argument-changed"),
    "weights about the mean": (
        "by-one-hot",
        about_the_mean(predict_by_one_hot),
        "argument-changed",
    ),
}
