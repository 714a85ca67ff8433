"""Wrong answers to assignment 10, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.block.deep import loss_of, trained
from headway.tasks.chapters.block.deep_model import Deep
from tests.tasks.variants.block import Layers, StackOfGeneralSteps


def norm_by_std(x, gain, shift, eps=1e-5):
    mu, sigma = x.mean(-1, keepdim=True), torch.std(x, -1, keepdim=True)
    return (x - mu) / (sigma + eps) * gain + shift


def norm_like_batch_norm(x, gain, shift, eps=1e-5):
    axes = list(range(x.dim() - 1))
    mu = x.mean(axes, keepdim=True)
    var = x.var(axes, keepdim=True, unbiased=False)
    return gain * ((x - mu) / torch.sqrt(var + eps)) + shift


def network_linear(x, W_1, b_1, W_2, b_2, keep=None, p=0.0):
    out = (x @ W_1 + b_1) @ W_2 + b_2
    return torch.relu(out) if keep is None else torch.relu(out) * keep / (1 - p)


class NoWayAround(Layers):
    def forward(self, x, mask=None):
        if self.pre:
            x = self.attention(self.attention_norm(x), mask=mask)
            return self.network(self.feed_forward_norm(x))
        x = self.attention_norm(self.attention(x, mask=mask))
        return self.feed_forward_norm(self.network(x))


class StackWithoutWayAround(StackOfGeneralSteps):
    made = NoWayAround


def cost_no_output(width, heads, key_value_heads, hidden, length, bias=True):
    kv = width * key_value_heads // heads
    linears = [(width, width), (width, kv), (width, kv), (width, hidden), (hidden, width)]
    parameters = sum(a * b + bias * b for a, b in linears) + 4 * width
    flops = sum(2 * length * a * b for a, b in linears) + 4 * length**2 * width
    return parameters, flops


def cost_like_gpt2(width, heads, key_value_heads, hidden, length, bias=True):
    parameters = 12 * width**2 + (13 * width if bias else 4 * width)
    return parameters, 24 * length * width**2 + 4 * length**2 * width


def reach_without_the_word_itself(masks):
    held = torch.eye(masks[0].size(0))
    for m in masks:
        held = torch.matmul(m.float(), held).clamp(max=1)
    return held > 0


def learn(arrangement, rate=3e-3, steps=200, zero=True, target=loss_of):
    """A student's loop."""

    def learn_deep(ids, answers, words, depth):
        torch.manual_seed(1)
        model = Deep(words, depth, **arrangement)
        optimizer = torch.optim.Adam(model.parameters(), lr=rate)
        for _ in range(steps):
            if zero:
                optimizer.zero_grad()
            rows = torch.randint(len(ids), (16,))
            target(model, ids[rows], answers[rows]).backward()
            optimizer.step()
        return arrangement, model.state_dict()

    return learn_deep


def one_place_off(model, ids, answers):
    return functional.cross_entropy(model(ids)[:, :-1].flatten(0, 1), answers.flatten())


def next_token(model, ids, answers):
    return functional.cross_entropy(model(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


SMALL = {"keep": 1.0, "add": 0.02, "norm": True}


def products(units):
    """Weights made of hidden units (gate, up, down) for each term."""

    def multiplier(width, terms):
        gate = np.zeros((width, len(units) * len(terms)))
        up, down = np.zeros_like(gate), np.zeros_like(gate).T
        for n, (i, j, k, factor) in enumerate(terms):
            for m, (g, u, d) in enumerate(units):
                h = len(units) * n + m
                gate[i, h], up[j, h], down[h, k] = g, u, d * factor
        return gate, up, down

    return multiplier


def into_the_same_column(width, terms):
    gate, up, down = products([(1, 1, 1), (-1, -1, 1)])(width, terms)
    return gate, up, np.roll(down, 1, axis=1)


WRONG_ANSWERS = {
    "torch's own std": ("layer-norm", norm_by_std, "unbiased-variance"),
    "a norm over the batch": ("layer-norm", norm_like_batch_norm, None),
    "a ReLU at the end": ("feed-forward", network_linear, "curve-misplaced"),
    "no residual": ("block", StackWithoutWayAround, "skip-missing"),
    "no output projection": ("cost", cost_no_output, "output-forgotten"),
    "the formula of GPT-2": ("cost", cost_like_gpt2, "feed-forward-miscounted"),
    "no way around": ("repair", reach_without_the_word_itself, "skip-missing"),
    "updates of almost nothing": (
        "deep",
        learn({"keep": 1.0, "add": 1e-4, "norm": False}, steps=15),
        "updates-not-heard",
    ),
    "norms and no way around": (
        "deep",
        learn({"keep": 0.0, "add": 1.0, "norm": True}, steps=15),
        "skip-missing",
    ),
    "a tenth, and no norm": (
        "deep",
        learn({"keep": 1.0, "add": 0.1, "norm": False}, steps=15),
        "updates-too-loud",
    ),
    "a mean of both": (
        "deep",
        learn({"keep": 0.5, "add": 0.5, "norm": False}, steps=15),
        "way-around-that-fades",
    ),
    "the token at the place": (
        "deep",
        learn(SMALL, target=one_place_off, steps=60),
        "another-token",
    ),
    "the token to come": ("deep", learn(SMALL, target=next_token, steps=15), "not-trained"),
    "thirty steps": ("deep", learn(SMALL, steps=30), "half-trained"),
    "one block, whatever the depth": (
        "deep",
        lambda ids, answers, words, depth: trained(ids, answers, words, 1, steps=5),
        "another-stack",
    ),
    "the neighboring column": ("gated", into_the_same_column, "columns-mixed-up"),
}
