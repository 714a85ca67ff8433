"""Look-ups in a library of keys and values, one query at a time: the right one and wrong ones."""

import math

import numpy as np


def scaled(query, keys):
    """q · k / √D for each key, (S,)."""
    return keys @ query / np.sqrt(len(query))


def softmax(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def asked_for(weigh=lambda q, K: softmax(scaled(q, K)), mix=lambda weights, K, V: weights @ V):
    """A class that looks up: weigh(query, keys) → weights (S,), mix(weights, keys, values)."""

    class Library:
        def __init__(self, keys, values):
            self.keys, self.values = keys, values

        def look_up(self, query):
            weights = weigh(query, self.keys)
            return mix(weights, self.keys, self.values), weights

    return Library


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def among(seen):
    """Weights among the keys that are seen only: seen(scores) → booleans."""

    def weigh(query, keys):
        scores = scaled(query, keys)
        exponentials = np.where(seen(scores), np.exp(scores - scores.max()), 0)
        return exponentials / max(exponentials.sum(), 1e-300)

    return weigh


def too_large(query, keys):
    """Nothing is subtracted, and `math.exp` raises."""
    exponentials = np.array([math.exp(score) for score in scaled(query, keys)])
    return exponentials / exponentials.sum()


def changing_values(weights, keys, values):
    values *= weights[:, None]
    return values.sum(axis=0)


class KeysDivided:
    """The scale goes into the keys that are kept, at every question again."""

    def __init__(self, keys, values):
        self.keys, self.values = np.array(keys), values

    def look_up(self, query):
        self.keys /= np.sqrt(len(query))
        weights = softmax(self.keys @ query)
        return weights @ self.values, weights


class Swapped(asked_for()):
    def look_up(self, query):
        return super().look_up(query)[::-1]


class AddedUp(asked_for()):
    """The mixture is kept in the library and never begins anew."""

    def __init__(self, keys, values):
        super().__init__(keys, values)
        self.mixed = np.zeros(values.shape[1])

    def look_up(self, query):
        mixed, weights = super().look_up(query)
        self.mixed = self.mixed + mixed
        return self.mixed, weights


class MixtureAlone(asked_for()):
    def look_up(self, query):
        return super().look_up(query)[0]


class WithScores(asked_for()):
    def look_up(self, query):
        return super().look_up(query)[0], scaled(query, self.keys)


def shifted_by(least):
    """A softmax that subtracts least(scores), whatever is left."""

    def weigh(query, keys):
        scores = scaled(query, keys)
        exponentials = np.exp(scores - least(scores))
        return exponentials / exponentials.sum()

    return weigh
