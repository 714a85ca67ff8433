"""Right answers to assignment 12 that are written in other ways than the reference."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.masked_model.classify import Classifier
from headway.tasks.chapters.masked_model.sentiment import RIGHT, trained
from headway.tasks.chapters.masked_model.sentiment_model import by_hand

# --- masking ---------------------------------------------------------------------------------


def mask_with_one_draw(ids, special, mask_id, size, seed, share=0.15):
    """How far a draw is below the share says what becomes of the word."""
    rng = np.random.default_rng(seed)
    words = np.array(sorted(set(range(size)) - set(special)))
    draw = np.where(np.isin(ids, special), 2.0, rng.random(ids.shape))
    inputs, labels = ids.copy(), np.full(ids.shape, -100)
    labels[draw < share] = ids[draw < share]
    others = words[(rng.random(ids.shape) * len(words)).astype(int)]
    inputs[draw < 0.9 * share] = others[draw < 0.9 * share]
    inputs[draw < 0.8 * share] = mask_id
    return inputs, labels


def mask_in_torch(ids, special, mask_id, size, seed, share=0.15):
    draw = torch.Generator().manual_seed(seed)
    text = torch.as_tensor(ids)
    may = ~torch.isin(text, torch.tensor(special))
    chosen = torch.bernoulli(share * may.double(), generator=draw).bool()
    fates = torch.multinomial(
        torch.tensor([0.8, 0.1, 0.1]), text.numel(), replacement=True, generator=draw
    ).reshape(text.shape)
    even = torch.ones(size)
    even[special] = 0
    words = torch.multinomial(even, text.numel(), replacement=True, generator=draw)
    inputs = text.clone()
    inputs[chosen & (fates == 0)] = mask_id
    replaced = chosen & (fates == 1)
    inputs[replaced] = words.reshape(text.shape)[replaced].to(inputs.dtype)
    return [inputs, text.masked_fill(~chosen, -100)]


# --- classification --------------------------------------------------------------------------


class TextByText(Classifier):
    """Each text alone, without its padding."""

    def forward(self, ids):
        logits = []
        for row in ids:
            words = row[row != self.padding] if self.pool == "mean" else row
            if not len(words):
                logits.append(self.output.bias)
                continue
            x = self.word(words)[None]
            mask = (words != self.padding)[None, None, None]
            x = x + self.attention(self.norm(x), mask=mask)
            logits.append(self.output(x[0].mean(0) if self.pool == "mean" else x[0, 0]))
        return torch.stack(logits)


class FilledWithNothing(nn.Module):
    """Padding set to zero before the sum; made anew, without the course's class."""

    def __init__(self, words, width, heads, classes, padding=0, pool="mean"):
        super().__init__()
        self.padding, self.first = padding, pool == "first"
        self.word = nn.Embedding(words, width)
        self.norm = nn.LayerNorm(width)
        self.attention = MultiHeadAttention(width, heads)
        self.output = nn.Linear(width, classes)

    def forward(self, ids):
        out = ids == self.padding
        e = self.word(ids)
        x = (e + self.attention(self.norm(e), mask=~out.unsqueeze(1).unsqueeze(1))).double()
        if self.first:
            return self.output(x.select(1, 0).float())
        total = x.masked_fill(out.unsqueeze(-1), 0).sum(1)
        counts = (~out).sum(1)
        counts[counts == 0] = 1
        return self.output((total / counts.unsqueeze(1)).float())


# --- patches ---------------------------------------------------------------------------------


class PatchesByLoops:
    def __init__(self, p, q):
        self.size = p, q

    def cut(self, images):
        (p, q), (_, h, w, _) = self.size, images.shape
        if h % p != 0 or w % q != 0:
            raise ValueError("some pixels are left over")
        corners = [(i, j) for i in range(0, h, p) for j in range(0, w, q)]
        return np.stack([self._flat(images[:, i : i + p, j : j + q]) for i, j in corners], axis=1)

    def _flat(self, cell):
        return cell.reshape(len(cell), -1)

    def join(self, patches, h, w):
        (p, q), c = self.size, patches.shape[2] // math.prod(self.size)
        images = np.empty((len(patches), h, w, c), patches.dtype)
        for place, (i, j) in enumerate((i, j) for i in range(0, h, p) for j in range(0, w, q)):
            images[:, i : i + p, j : j + q] = patches[:, place].reshape(-1, p, q, c)
        return images


class PatchesByUnfold:
    """Torch's windows, moved by their own size."""

    def __init__(self, p, q):
        self.p, self.q = p, q

    def cut(self, images):
        x = torch.as_tensor(images)
        h, w = x.shape[1:3]
        if (h % self.p, w % self.q) != (0, 0):
            raise ValueError((h, w))
        x = x.unfold(1, self.p, self.p).unfold(2, self.q, self.q)  # (B, rows, columns, c, p, q)
        return x.permute(0, 1, 2, 4, 5, 3).flatten(3).flatten(1, 2)

    def join(self, patches, h, w):
        rows = torch.as_tensor(patches).unflatten(1, (h // self.p, w // self.q))
        cells = rows.unflatten(3, (self.p, self.q, -1))
        return cells.swapaxes(2, 3).flatten(1, 2).flatten(2, 3)


# --- the loss --------------------------------------------------------------------------------


def loss_of_torch(batches):
    logits = torch.cat([logits.flatten(0, 1) for logits, _ in batches if logits.shape[2]])
    return functional.cross_entropy(logits, torch.cat([labels.flatten() for _, labels in batches]))


def loss_one_by_one(batches):
    costs = []
    for logits, labels in batches:
        for scores, label in zip(logits.flatten(0, 1).tolist(), labels.flatten(), strict=True):
            if label != -100:
                most = max(scores)
                rest = math.fsum(math.exp(score - most) for score in scores)
                costs.append(most + math.log(rest) - scores[label])
    return sum(costs) / len(costs)


# --- reviews ---------------------------------------------------------------------------------


def sentiment_by_the_last_word(ids, positive, vocabulary):
    torch.manual_seed(1)
    arrangement = {"places": "v", "sees": "earlier v", "pool": "last of v"}
    return trained(ids, positive, vocabulary, arrangement)


def sentiment_by_hand_from_the_first(ids, positive, vocabulary):
    weights = {name: weight.numpy() for name, weight in by_hand(vocabulary).items()}
    return RIGHT | {"pool": "first of v"}, weights


# --- spans -----------------------------------------------------------------------------------


def spans_of_a_band(start, end, passage, longest):
    """All pairs as a table, of which a band is left."""
    T = start.shape[1]
    band = torch.ones(T, T, dtype=torch.bool).triu().tril(longest - 1)
    may = band & passage[:, :, None] & passage[:, None, :]
    may[:, 0, 0] = True
    scores = (start[:, :, None] + end[:, None, :]).masked_fill(~may, -torch.inf).flatten(1)
    best = scores.argmax(1)
    share = (scores.max(1).values - scores.logsumexp(1)).exp()
    return torch.stack(torch.unravel_index(best, (T, T)), dim=1), share


def spans_one_by_one(start, end, passage, longest):
    spans, shares = [], []
    for first, last, here in zip(start.tolist(), end.tolist(), passage.tolist(), strict=True):
        found = {(0, 0): first[0] + last[0]}
        for i in range(len(first)):
            for j in range(i, min(i + longest, len(first))):
                if here[i] and here[j]:
                    found[i, j] = first[i] + last[j]
        best = max(found, key=found.__getitem__)
        spans.append(best)
        shares.append(1 / math.fsum(math.exp(score - found[best]) for score in found.values()))
    return np.array(spans), np.array(shares)


VARIANTS = {
    "12-masked-model/drawn": {
        "fractions": [36.0, 28.8, 32.1, 3.9],
        "array": np.array([36, 28.8, 32.1, 3.9]),
    },
    "12-masked-model/labels": {
        "array": np.array(
            [
                [1, 14, 9, 27, 3, 14, 14, 22, 2],
                [-100, -100, 9, -100, 8, -100, 30, -100, -100],
            ]
        ),
        "tensors": [
            torch.tensor([1, 14, 9, 27, 3, 14, 14, 22, 2]),
            torch.tensor([-100, -100, 9, -100, 8, -100, 30, -100, -100]),
        ],
    },
    "12-masked-model/patches": {
        "floats": [15.0, 192.0, 8.0, 140.0],
        "array": np.array([15, 192, 8, 140]),
    },
    "12-masked-model/mask-tokens": {
        "one draw for both": mask_with_one_draw,
        "torch": mask_in_torch,
    },
    "12-masked-model/classify": {
        "text by text": TextByText,
        "padding set to zero": FilledWithNothing,
    },
    "12-masked-model/patchify": {
        "loops": PatchesByLoops,
        "unfold": PatchesByUnfold,
    },
    "12-masked-model/faulty-line": {
        "float": 4.0,
        "numpy": np.int64(4),
    },
    "12-masked-model/repair": {
        "torch": loss_of_torch,
        "one by one": loss_one_by_one,
    },
    "12-masked-model/sentiment": {
        "the last word, looking back": sentiment_by_the_last_word,
        "by hand, from the first word": sentiment_by_hand_from_the_first,
    },
    "12-masked-model/span": {
        "a band": spans_of_a_band,
        "one by one": spans_one_by_one,
    },
}
