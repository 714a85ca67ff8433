"""What a student makes of the lines of chapter 1, and what is then still missing."""

import numpy as np


def vocabulary(file):
    class Vocabulary:
        def __init__(self, words):
            self.words = file["vocabulary"](words)

        def __len__(self):
            return len(self.words)

        def encode(self, words):
            return file["encode"](" ".join(words), self.words)

        def decode(self, ids):
            return [self.words[i] for i in ids]

    return Vocabulary


def one_hot(file):
    return file["one_hot"]


def matrix_product(file):
    return lambda A, B: A @ B


def lookup_by_product(file):
    return lambda ids, table: file["one_hot"](ids, len(table)) @ table


def rows_by_ids(file):
    return lambda ids, table: table[ids]


def encoder(file):
    return lambda sentence, words: file["encode"](sentence.lower(), words)


def prices_by_number(file):
    """Chapter 1's numbers, and its least squares, on a single column."""

    def answer(makers, prices, new_makers):
        number = {maker: i for i, maker in enumerate(file["vocabulary"](makers))}
        old, new = (np.array([[number[one]] for one in part]) for part in (makers, new_makers))
        return new @ np.linalg.lstsq(old, prices)[0]

    return answer


def prices_by_one_hot(file):
    def answer(makers, prices, new_makers):
        words = file["vocabulary"](makers)
        old, new = (
            file["one_hot"](file["encode"](" ".join(part), words), len(words))
            for part in (makers, new_makers)
        )
        return new @ np.linalg.lstsq(old, prices)[0]

    return answer


def pairs_by_least_squares(file):
    """Chapter 1's `learn`: which row goes best with a word, so that the next one comes out."""
    return lambda ids, size: np.linalg.lstsq(
        file["one_hot"](ids[:-1], size), file["one_hot"](ids[1:], size)
    )[0]


def dot_products_of_neighbors(file):
    return lambda ids, size: file["one_hot"](ids[:-1], size) @ file["one_hot"](ids[1:], size).T


ANSWERS = [
    ("01-one-hot/vocabulary", vocabulary, "unknown-misplaced"),
    ("01-one-hot/one-hot", one_hot, "one-shape-only"),
    ("01-one-hot/matmul", matrix_product, "zero-times-infinity"),
    ("01-one-hot/lookup", lookup_by_product, "one-shape-only"),
    ("01-one-hot/lookup", rows_by_ids, "negative-wraps"),
    ("01-one-hot/encoder", encoder, "unknown-shares-an-id"),
    ("01-one-hot/by-code", prices_by_number, "start-and-slope-confused"),
    ("01-one-hot/by-code", prices_by_one_hot, "codes-and-one-hot-confused"),
    ("01-one-hot/by-one-hot", prices_by_one_hot, "another-number-for-mean"),
    ("01-one-hot/pairs", pairs_by_least_squares, "counts-ignored"),
    ("01-one-hot/pairs", dot_products_of_neighbors, "places-for-words"),
]
