"""Wrong answers to assignment 11, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

from functools import cache, partial

import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.language_model.assemble import new_block
from headway.tasks.chapters.language_model.byte_counts import scores
from headway.tasks.chapters.language_model.generate import read
from headway.tasks.chapters.language_model.sort import written
from headway.tasks.chapters.language_model.sorting import (
    ARRANGEMENT,
    questions,
    recorded,
    trained,
)


class Parts(nn.Module):
    def __init__(self, vocabulary, context, width, heads, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(context, width)
        self.blocks = nn.ModuleList([new_block(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.embedding.weight.data.normal_(0, 0.02)
        self.positions.weight.data.normal_(0, 0.02)

    def start(self, ids):
        if ids.size(1) > self.positions.num_embeddings:
            raise ValueError("the text is too long")
        return self.embedding(ids) + self.positions(torch.arange(ids.size(1)))

    def end(self, x):
        return functional.linear(x, self.embedding.weight)


class NoMask(Parts):
    def forward(self, ids):
        x = self.start(ids)
        for block in self.blocks:
            x = block(x)
        return self.end(self.norm(x))


def loss_without_a_shift(logits, ids, lengths, prompt=1):
    targets = ids.clone()
    for b in range(len(ids)):
        targets[b, lengths[b] :] = -100
        targets[b, :prompt] = -100
    return functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


def cut(stream, length, size, step):
    rows = []
    for start in range(0, len(stream) - length, step):
        rows.append((stream[start : start + length], stream[start + 1 : start + length + 1]))
    pairs = []
    for i in range(0, len(rows), size):
        xs, ys = zip(*rows[i : i + size], strict=True)
        pairs.append((torch.tensor(xs), torch.tensor(ys)))
    return pairs


def batches_without_ends(texts, length, size, end):
    return cut([token for text in texts for token in text], length, size, length)


def replies_with_the_end(votes, prompts, steps, end):
    out = []
    for prompt in prompts:
        ids = list(prompt)
        for _ in range(steps):
            ids.append(int(read(votes, torch.tensor([ids[-len(votes) :]]))[0, -1].argmax()))
            if ids[-1] == end:
                break
        out.append(ids[len(prompt) :])
    return out


def filled(prompts, replies, end, padding):
    texts = [[*p, *r, end] for p, r in zip(prompts, replies, strict=True)]
    width = max(map(len, texts))
    ids = torch.full((len(texts), width), padding)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
    return texts, ids


def examples_without_padding_ids(prompts, replies, end, padding):
    """What looks like padding is not asked for."""
    texts, ids = filled(prompts, replies, end, padding)
    targets = ids[:, 1:].clone()
    for row, (prompt, text) in enumerate(zip(prompts, texts, strict=True)):
        targets[row, : len(prompt) - 1] = -100
        ids[row, len(text) - 1] = padding
    targets[targets == padding] = -100
    return ids[:, :-1], targets


def as_trained(**options):
    """What a real training gives."""

    made = cache(partial(trained, 0, **options))

    def sorter(ids):
        arrangement, weights = made()
        return arrangement, written(weights, ids)

    return sorter


def downwards(ids):
    """Learned from answers in the other order: the digits are told apart by their ids alone."""
    return ARRANGEMENT, written(recorded(), torch.cat([ids[:10].flip(0), ids[10:]]))


def shaken(ids):
    """Weights far off, whose replies are no order at all."""
    draw = torch.Generator().manual_seed(0)
    weights = recorded()
    off = {at: w + w.std() * torch.randn(w.shape, generator=draw) for at, w in weights.items()}
    return ARRANGEMENT, written(off, ids)


def of_forty_eight(ids):
    return trained(0, {"width": 48, "heads": 4, "layers": 2}, steps=2)


def scores_of_a_single_window(ids):
    if len(ids) > 32:
        raise IndexError("index out of range in self")
    return scores(ids)


WRONG_ANSWERS = {
    "no mask": ("assemble", NoMask, "future-visible"),
    "no shift": ("loss", loss_without_a_shift, "targets-unshifted"),
    "no ends": ("batches", batches_without_ends, "texts-not-parted"),
    "the end said": ("generate", replies_with_the_end, "reply-cut-out-wrongly"),
    "padding by its id": ("repair", examples_without_padding_ids, "padding-guessed-from-the-ids"),
    "unshifted in training": ("sort", as_trained(shift=0, steps=300), "targets-unshifted"),
    "two steps on": ("sort", as_trained(shift=2, steps=300), "shifted-wrongly"),
    "a few steps": ("sort", as_trained(steps=150, draw=questions), "half-trained"),
    "no rate to speak of": ("sort", as_trained(steps=100, rate=1e-5), "not-trained"),
    "far off": ("sort", shaken, "replies-not-in-order"),
    "two of ten missing": (
        "sort",
        lambda ids: ({**ARRANGEMENT, "width": 10}, written(recorded(), ids)),
        "weights-of-another-model",
    ),
    "the weights alone": ("sort", lambda ids: recorded(), "no-arrangement-or-no-weights"),
    "the ids that it learned": (
        "sort",
        lambda ids: (ARRANGEMENT, recorded()),
        "ids-of-the-notebook",
    ),
    "the other way": ("sort", downwards, "from-the-highest-down"),
    "as large as the page's": ("sort", of_forty_eight, "model-too-large"),
    "one window": ("docstrings", scores_of_a_single_window, "context-overrun"),
}
