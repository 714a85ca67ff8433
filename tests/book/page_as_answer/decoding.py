"""What a student makes of the lines of chapter 14, and what is then still missing."""

import math
from functools import partial

import numpy as np
import torch


def sorted_row(file):
    """Chapter 14's lines work on the sorted row, and hand it back so."""

    def answer(weights, k):
        p = torch.tensor(weights).double().sort(descending=True).values
        p[:, k:] = 0
        return (p / p.sum(-1, keepdim=True)).numpy()

    return answer


def sorted_nucleus(file):
    def answer(weights, p):
        shares = of_one(torch.tensor(weights).double()).sort(descending=True).values
        shares[shares.cumsum(-1) - shares >= p] = 0
        return (shares / shares.sum(-1, keepdim=True)).numpy()

    return answer


def nucleus(file, shares=lambda weights: weights):
    """Put back to where it was."""

    def answer(weights, p):
        sorted_shares, order = shares(torch.tensor(weights).double()).sort(descending=True)
        sorted_shares[sorted_shares.cumsum(-1) - sorted_shares >= p] = 0
        left = torch.zeros_like(sorted_shares).scatter(1, order, sorted_shares)
        return (left / left.sum(-1, keepdim=True)).numpy()

    return answer


def of_one(weights):
    return weights / weights.sum(-1, keepdim=True)


def drawn_down_the_order(file):
    """Chapter 14's lines, with the task's numbers in the place of `multinomial`."""

    def answer(logits, T, k, p, seed):
        logits = torch.tensor(logits)
        if T == 0:
            ids = torch.zeros(len(logits), 1, dtype=torch.long)
            return file["greedy"](lambda ids: logits[:, None], ids, 1)[:, -1].numpy()
        logits, order = (logits / T).sort(descending=True, stable=True)
        shares = logits[:, :k].softmax(-1)
        shares[shares.cumsum(-1) - shares >= (1.0 if p is None else p)] = 0
        numbers = torch.tensor(np.random.default_rng(seed).random(len(logits)))[:, None]
        place = (of_one(shares).cumsum(-1) <= numbers).sum(-1, keepdim=True)
        return order.gather(1, place)[:, 0].numpy()

    return answer


def drawn_at_a_temperature(file):
    def answer(logits, T, floor, numbers):
        sums = torch.tensor(logits / T).softmax(-1).cumsum(-1)
        return (sums <= torch.tensor(numbers)[:, None]).sum(-1).numpy()

    return answer


def hypotheses(file):
    """Of the file's `beam`, cut behind the end, and sorted by the page's formula."""

    def answer(table, start, K, steps, end, alpha):
        def model(ids):
            return torch.tensor(table[ids.shape[1] - 1, ids[:, -1].numpy()])[:, None]

        V = table.shape[-1]
        rows, ln_p = file["beam"](model, torch.tensor([[start]]), steps, min(K, V), end)
        texts = [row[: [*row, end].index(end) + 1] for row in rows[:, 1:].tolist()]
        pairs = zip(texts, ln_p.tolist(), strict=True)
        found = [[ids, p / len(ids) ** alpha] for ids, p in pairs if p > -math.inf]
        return sorted(found, key=lambda one: one[1], reverse=True)

    return answer


def asking(model):
    """A model of logits, from one that answers questions."""

    def read(ids):
        rows = [model(a, b) for a, b in ids[:, -2:].tolist()]
        return torch.tensor(np.array(rows))[:, None]

    return read


def greedy_words(file):
    def answer(model, V, start, steps, budget):
        return file["greedy"](asking(model), torch.tensor([start]), steps)[0, 2:].tolist()

    return answer


def beam_of_words(file):
    def answer(model, V, start, steps, budget):
        K = budget // steps
        ids, _ = file["beam"](asking(model), torch.tensor([start]), steps, K, end=-1)
        return ids[0, 2:].tolist()

    return answer


ANSWERS = [
    ("14-decoding/top-k", sorted_row, "order-not-undone"),
    ("14-decoding/top-p", sorted_nucleus, "order-not-undone"),
    ("14-decoding/top-p", nucleus, "counts-taken-for-shares"),
    ("14-decoding/top-p", partial(nucleus, shares=of_one), "equality-mistaken"),
    ("14-decoding/sample", drawn_down_the_order, "summed-in-another-order"),
    ("14-decoding/beam", hypotheses, "beam-of-another-width"),
    ("14-decoding/repair", drawn_at_a_temperature, "filter-ignored"),
    ("14-decoding/strategy", greedy_words, "greedy"),
    ("14-decoding/strategy", beam_of_words, "questions-asked-again"),
]
