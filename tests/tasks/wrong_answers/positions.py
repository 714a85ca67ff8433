"""Wrong answers to assignment 07, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.positions.look_back import look_back


def states_by_weights_of_layers(x, W, U, b):
    """As nn.Linear multiplies."""
    h, out = torch.zeros(len(x), len(b)), []
    for word in x.unbind(1):
        h = torch.tanh(functional.linear(word, W, b) + functional.linear(h, U))
        out.append(h)
    return torch.stack(out, 1)


def states_written_into_the_words(x, W, U, b):
    h = torch.zeros(x.shape[0], x.shape[2])
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        x[:, t] = h
    return x


def waves_asserted(positions, width, base=10_000.0):
    assert width % 2 == 0, "odd width"
    w = base ** (-np.arange(0, width, 2) / width)
    a = np.asarray(positions)[..., None] * w
    return np.stack((np.sin(a), np.cos(a)), -1).reshape(*np.shape(positions), width)


def fit(model, ids, first, new_ids, steps, rate=0.01):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(steps):
        rows = torch.randint(len(ids), (128,))
        loss = functional.binary_cross_entropy_with_logits(model(ids[rows]), first[rows].float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return model(new_ids)


class PooledFirst(nn.Module):
    """Words and places are averaged, and only then comes the network."""

    def __init__(self, words, length):
        super().__init__()
        self.word, self.place = nn.Embedding(words, 16), nn.Parameter(torch.randn(length, 16))
        self.network = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, ids):
        return self.network((self.word(ids) + self.place).mean(1))[:, 0]


class WordByWord(PooledFirst):
    def forward(self, ids):
        return self.network(self.word(ids) + self.place).mean(1)[:, 0]


def order_pooled_first(ids, person_first, new_ids, words):
    return fit(PooledFirst(words, ids.shape[1]), ids, person_first, new_ids, 20) > 0


def order_hardly_trained(ids, person_first, new_ids, words):
    return fit(WordByWord(words, ids.shape[1]), ids, person_first, new_ids, 85) > 0


def order_as_logits(ids, person_first, new_ids, words):
    return fit(WordByWord(words, ids.shape[1]), ids, person_first, new_ids, 1)


def order_turned_round(ids, person_first, new_ids, words):
    return fit(WordByWord(words, ids.shape[1]), ids, person_first, new_ids, 130, 0.03) < 0


def order_of_strangers(ids, person_first, new_ids, words):
    """Answers are drawn for other rows than the sentences."""
    mixed = person_first[torch.randperm(len(ids))]
    return fit(WordByWord(words, ids.shape[1]), ids, mixed, new_ids, 300) > 0


def turned_by(angle, strength):
    c, s = math.cos(angle), math.sin(angle)
    return [[strength * c, strength * s], [-strength * s, strength * c]]


def back_that_looks_ahead(back, length):
    w = math.pi / length
    return [w], turned_by(back * w, 10 / (1 - math.cos(w)))


def back_with_one_radian(back, length):
    return [1.0], turned_by(-back, 200)


def back_too_soft(back, length):
    w = 1 / length
    return np.array([w]), np.array(turned_by(-back * w, 25))


def back_one_further(back, length):
    w = math.pi / length
    return [w], turned_by(-(back + 1) * w, 1e7)


WRONG_ANSWERS = {
    "the speeds doubled": ("wave", [math.sin(2 * math.pi), 1, 0, -1, 1, 0], None),
    "as layers multiply": ("recurrent", states_by_weights_of_layers, "matrix-transposed"),
    "written into the words": ("recurrent", states_written_into_the_words, "argument-changed"),
    "an assertion": ("sinusoids", waves_asserted, "another-exception"),
    "the mean first": ("first-of-two", order_pooled_first, "order-blind"),
    "hardly trained": ("first-of-two", order_hardly_trained, "half-trained"),
    "logits": ("first-of-two", order_as_logits, "scores-for-answers"),
    "below zero for yes": ("first-of-two", order_turned_round, "answer-turned-round"),
    "answers of other rows": ("first-of-two", order_of_strangers, "no-better-than-a-guess"),
    "the answers that are known": (
        "first-of-two",
        lambda ids, first, new_ids, words: first,
        "answers-for-other-sentences",
    ),
    "a speed for each number": (
        "look-back",
        lambda back, length: (np.full(2, np.pi / length), look_back(back, length)[1]),
        "parts-of-another-form",
    ),
    "as firm as can be": (
        "look-back",
        lambda back, length: (np.full(1, np.pi / length), np.inf * np.eye(2)),
        "infinite-scores",
    ),
    "minus the cosine": (
        "look-back",
        lambda back, length: (look_back(back, length)[0], -look_back(back, length)[1]),
        "looks-elsewhere",
    ),
    "a key behind": ("look-back", back_that_looks_ahead, "turned-the-wrong-way"),
    "one radian": ("look-back", back_with_one_radian, "comes-round-again"),
    "too soft": ("look-back", back_too_soft, "weights-too-even"),
    "one further": ("look-back", back_one_further, "another-offset"),
}
