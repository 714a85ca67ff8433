"""What a student makes of the lines of chapter 4, and what is then still missing."""

import math
import random
from functools import partial

import numpy as np
import torch
from torch import nn


def plain_softmax(scores):
    """Chapter 4, by hand."""
    powers = [math.exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def row_by_row(scores, temperature=1.0, heated=False):
    """The same for any number of rows."""
    if np.ndim(scores) > 1:
        return np.array([row_by_row(row, temperature, heated) for row in scores])
    return plain_softmax(scores / temperature if heated else scores)


def softmax_by_rows(file, **options):
    return partial(row_by_row, **options)


def jacobian(file, softmax=lambda scores, temperature: plain_softmax(scores)):
    """Chapter 4, w_i (1[i = j] − w_j)."""

    def answer(scores, temperature=1.0):
        w = np.array(softmax(scores, temperature))
        return np.array([[w[i] * ((i == j) - w[j]) for j in range(len(w))] for i in range(len(w))])

    return answer


def jacobian_of_the_heated(file):
    return jacobian(file, partial(row_by_row, heated=True))


def cross_entropy(file, shared=lambda slopes: slopes):
    """Chapter 4, −ln p of the right word and p − y, row by row."""

    def answer(logits, targets):
        p = row_by_row(logits)
        losses = [-math.log(row[word]) for row, word in zip(p, targets, strict=True)]
        return sum(losses) / len(losses), shared(p - np.eye(logits.shape[1])[targets])

    return answer


def cross_entropy_of_the_mean(file):
    return cross_entropy(file, lambda slopes: slopes / len(slopes))


def word_features(file):
    """Chapter 4: a one for each wanted word, −1 for the bias, and a ReLU."""

    def answer(X, groups):
        W = np.zeros((X.shape[1] + 1, len(groups)))
        for f, (wanted, _) in enumerate(groups):
            W[list(wanted), f] = 1
            W[-1, f] = -1
        return W, np.maximum(np.append(X, np.ones((len(X), 1)), axis=1) @ W, 0)

    return answer


def word_features_of_any_size(file):
    def answer(X, groups):
        W = np.zeros((X.shape[1] + 1, len(groups)))
        for f, (wanted, _) in enumerate(groups):
            W[list(wanted), f] = 1
            W[-1, f] = 1 - len(wanted)
        return W, np.maximum(np.append(X, np.ones((len(X), 1)), axis=1) @ W, 0)

    return answer


def training_step(file):
    """Chapter 4: one example after the other, scores − rate · (p − y)."""

    def answer(W, ids, next_ids, rate):
        W, losses = np.array(W, dtype=float), []
        for word, after in zip(ids, next_ids, strict=True):
            p = np.array(plain_softmax(W[word]))
            losses.append(-math.log(p[after]))
            W[word] -= rate * (p - np.eye(len(W))[after])
        return sum(losses) / len(losses), W

    return answer


def training_step_of_all(file):
    def answer(W, ids, next_ids, rate):
        p, new = np.array([plain_softmax(W[word]) for word in ids]), np.array(W, dtype=float)
        new[ids] -= rate * (p - np.eye(len(W))[next_ids])
        return -np.log(p[range(len(ids)), next_ids]).mean(), new

    return answer


def loop(file):
    """The file's `learn`, which keeps what comes last."""

    def answer(ids, next_ids, size, steps, rate):
        W = torch.zeros(size, size, requires_grad=True)
        optimizer = torch.optim.SGD([W], lr=rate)
        for _ in range(steps):
            loss = nn.functional.cross_entropy(W[ids], next_ids)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return W.detach()

    return answer


def mix(file, there=lambda row, present: row):
    """The file's `chance` for each word, example by example."""

    def answer(scores, votes, features, present):
        rows = [there(row, here) for row, here in zip(features, present, strict=True)]
        return torch.stack([file["chance"](scores, row, votes[row]) for row in rows])

    return answer


def mix_of_those_present(file):
    return mix(file, lambda row, present: row[present])


def learn_mask(file, steps=500):
    """The file's `learn`, from the examples in the task's tensors."""

    def answer(votes, features, present, targets):
        examples = [
            (row[here], votes[row[here], word])
            for row, here, word in zip(features, present, targets, strict=True)
        ]
        scores = torch.zeros(len(votes), requires_grad=True)
        file["learn"](scores, examples, random.Random(0), steps)
        return scores.detach()

    return answer


ANSWERS = [
    ("04-soft-lookup/softmax", softmax_by_rows, "temperature-not-on-the-scores"),
    ("04-soft-lookup/softmax", partial(softmax_by_rows, heated=True), "exponentials-out-of-range"),
    ("04-soft-lookup/jacobian", jacobian, "temperature-not-on-the-scores"),
    ("04-soft-lookup/jacobian", jacobian_of_the_heated, "temperature-forgotten-in-the-slopes"),
    ("04-soft-lookup/cross-entropy", cross_entropy, "mean-miscounted"),
    ("04-soft-lookup/cross-entropy", cross_entropy_of_the_mean, "exponentials-out-of-range"),
    ("04-soft-lookup/word-features", word_features, "wrong-bias"),
    ("04-soft-lookup/word-features", word_features_of_any_size, "unwanted-words-misjudged"),
    ("04-soft-lookup/step", training_step, "table-changed-too-early"),
    ("04-soft-lookup/step", training_step_of_all, "repeats-count-once"),
    ("04-soft-lookup/loop", loop, "another-table-than-the-best"),
    ("04-soft-lookup/mix", mix, "padding-takes-weight"),
    ("04-soft-lookup/mix", mix_of_those_present, "empty-prefix"),
    ("04-soft-lookup/learn", learn_mask, "right-words-lost"),
]
