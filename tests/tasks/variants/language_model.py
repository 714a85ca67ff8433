"""Right answers to assignment 11 that are written in other ways than the reference."""

import math
from functools import cache

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.language_model.assemble import new_block
from headway.tasks.chapters.language_model.byte_counts import (
    FIRST,
    pairs,
    scores,
)
from headway.tasks.chapters.language_model.generate import read
from headway.tasks.chapters.language_model.sort import sorter, written
from headway.tasks.chapters.language_model.sorting import ARRANGEMENT, recorded

# --- the model -------------------------------------------------------------------------------


class Functional(nn.Module):
    def __init__(self, vocabulary, context, width, heads, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(context, width)
        self.blocks = nn.ModuleList()
        for _ in range(layers):
            self.blocks.append(new_block(width, heads))
        self.norm = nn.LayerNorm(width)
        with torch.no_grad():
            self.embedding.weight.mul_(0.02)
            self.positions.weight.mul_(0.02)

    def forward(self, ids):
        B, T = ids.size()
        if self.positions.num_embeddings < T:
            raise ValueError("too long")
        places = torch.arange(T).expand(B, T)
        x = torch.add(self.embedding(ids), self.positions(places))
        for i in range(len(self.blocks)):
            x = self.blocks[i](x, causal=True)
        return functional.linear(self.norm(x), self.embedding.weight)


class OneByOne(Functional):
    """Each prefix read by itself, without a mask."""

    def forward(self, ids):
        if ids.shape[1] > len(self.positions.weight):
            raise ValueError
        logits = []
        for t in range(ids.shape[1]):
            x = self.embedding(ids[:, : t + 1]) + self.positions.weight[: t + 1]
            for block in self.blocks[: len(self.blocks)]:
                x = block(x, causal=True)
            logits.append(self.norm(x[:, -1]) @ self.embedding.weight.mT)
        return torch.stack(logits, dim=1)


# --- the loss --------------------------------------------------------------------------------


def loss_by_ignore_index(logits, ids, lengths, prompt=1):
    targets = ids.clone()
    for row, length in zip(targets, lengths.tolist(), strict=True):
        row[length:] = -100
    targets[:, :prompt] = -100
    if (targets[:, 1:] == -100).all():
        return logits.new_zeros(())
    return functional.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten())


def loss_in_numpy(logits, ids, lengths, prompt=1):
    scores_, ids, lengths = (np.asarray(x) for x in (logits.double(), ids, lengths))
    top = scores_.max(-1, keepdims=True)
    log_p = scores_ - top - np.log(np.exp(scores_ - top).sum(-1, keepdims=True))
    rows, places = np.nonzero(
        (np.arange(ids.shape[1]) >= prompt) & (np.arange(ids.shape[1]) < lengths[:, None])
    )
    return float(-log_p[rows, places - 1, ids[rows, places]].sum() / max(len(rows), 1))


# --- batches ---------------------------------------------------------------------------------


def batches_by_unfold(texts, length, size, end):
    stream = torch.tensor([token for text in texts for token in (*text, end)], dtype=torch.int64)
    if len(stream) <= length:
        return []
    cut = stream.unfold(0, length + 1, length)  # (pieces, T + 1), each begins at the last one's end
    return [(part[:, :-1], part[:, 1:]) for part in cut.split(size)]


def batches_in_numpy(texts, length, size, end):
    stream = np.array([token for text in texts for token in (*text, end)], dtype=int)
    pieces = (len(stream) - 1) // length
    places = np.arange(pieces)[:, None] * length + np.arange(length)
    return [
        [stream[places[i : i + size] + shift] for shift in (0, 1)] for i in range(0, pieces, size)
    ]


# --- replies ---------------------------------------------------------------------------------


def generate_recursively(votes, prompts, steps, end):
    def reply(tokens, left):
        if not left:
            return []
        token = read(votes, torch.tensor([tokens[-len(votes) :]]))[0, -1].argmax().item()
        return [] if token == end else [token, *reply([*tokens, token], left - 1)]

    return [reply(list(prompt), steps) for prompt in prompts]


def generate_side_by_side(votes, prompts, steps, end):
    """One batch, filled up on the right; each row reads its own last place."""
    N = len(votes)
    rows, replies, open_rows = [list(p) for p in prompts], [[] for _ in prompts], set()
    open_rows = set(range(len(prompts)))
    for _ in range(steps):
        if not open_rows:
            break
        latest = [row[-N:] for row in rows]
        longest = max(map(len, latest))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in latest])
        logits = read(votes, ids)
        for row in sorted(open_rows):
            token = int(logits[row, len(latest[row]) - 1].argmax())
            if token == end:
                open_rows.discard(row)
            else:
                rows[row].append(token)
                replies[row].append(token)
    return replies


# --- examples --------------------------------------------------------------------------------


def examples_from_lists(prompts, replies, end, padding):
    texts = [[*p, *r, end] for p, r in zip(prompts, replies, strict=True)]
    longest = max(len(text) for text in texts) - 1
    inputs, targets = [], []
    for prompt, text in zip(prompts, texts, strict=True):
        fill = longest - (len(text) - 1)
        inputs.append(text[:-1] + [padding] * fill)
        skipped = len(prompt) - 1
        targets.append([-100] * skipped + text[len(prompt) :] + [-100] * fill)
    return torch.tensor(inputs), torch.tensor(targets)


def examples_shifted_at_last(prompts, replies, end, padding):
    texts = [[*p, *r, end] for p, r in zip(prompts, replies, strict=True)]
    longest = max(map(len, texts))
    ids = torch.full((len(texts), longest), padding)
    labels = torch.full((len(texts), longest), -100)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
        labels[row, len(prompts[row]) : len(text)] = torch.tensor(text[len(prompts[row]) :])
        ids[row, len(text) - 1] = padding  # the end is never read
    return ids[:, :-1], labels[:, 1:]


# --- trained ---------------------------------------------------------------------------------


def sorter_in_numpy(ids):
    arrangement, weights = sorter(ids)
    return arrangement, {name: weight.numpy() for name, weight in weights.items()}


def sorter_turned(ids):
    """The hidden numbers of the feed-forward in another order."""
    weights = dict(recorded())
    order = torch.arange(4 * ARRANGEMENT["width"]).flip(0)
    for name in ("weight", "bias"):
        at = f"blocks.0.feed_forward.expand.{name}"
        weights[at] = weights[at][order]
    at = "blocks.0.feed_forward.contract.weight"
    weights[at] = weights[at][:, order]
    return ARRANGEMENT, written(weights, ids)


def scores_as_an_array(ids):
    return scores(ids).numpy().astype(np.float64) + 3.0


@cache
def pair_table():
    return pairs().log_softmax(-1)


def scores_mixed_with_pairs(ids):
    mine = scores(ids).log_softmax(-1)
    before = torch.cat([torch.tensor([FIRST]), ids[:-1]])
    return torch.logaddexp(mine + math.log(0.9), pair_table()[before] + math.log(0.1))


VARIANTS = {
    "11-language-model/positions": {
        "a tuple": (30, 20, 3),
        "an array": np.array([30, 20, 3]),
    },
    "11-language-model/parameters": {
        "an array": np.array([26_020, 36_020, 26_820]),
        "a tensor": torch.tensor([26_020, 36_020, 26_820]),
    },
    "11-language-model/perplexity": {
        "rounded": [2.3, 9.97, 0.83],
        "by powers of two": (1840 / 800, 2 ** (2.3 / math.log(2)), 2.3 * math.log2(math.e) / 4),
    },
    "11-language-model/assemble": {
        "tables made smaller": Functional,
        "one position after the other": OneByOne,
    },
    "11-language-model/loss": {
        "torch's loss with targets to skip": loss_by_ignore_index,
        "NumPy": loss_in_numpy,
    },
    "11-language-model/batches": {
        "windows that share a token": batches_by_unfold,
        "NumPy": batches_in_numpy,
    },
    "11-language-model/generate": {
        "recursion": generate_recursively,
        "one batch": generate_side_by_side,
    },
    "11-language-model/faulty-line": {
        "a float": 7.0,
        "a tensor": torch.tensor(7),
    },
    "11-language-model/repair": {
        "lists": examples_from_lists,
        "shifted at last": examples_shifted_at_last,
    },
    "11-language-model/sort": {
        "arrays": sorter_in_numpy,
        "hidden numbers turned": sorter_turned,
    },
    "11-language-model/docstrings": {
        "an array": scores_as_an_array,
        "mixed with the pairs": scores_mixed_with_pairs,
    },
}
