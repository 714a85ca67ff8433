"""What a student makes of the lines of chapter 19, and what is then still missing."""

import numpy as np
import torch
from torch import nn

# The page joins no parts, and multiplies no numbers that aren't weights.
NO_ANSWER = {"19-cheaper/join", "19-cheaper/product"}


def quantize(file):
    """The file's rounded weights, and the scale and the numbers that it makes on the way."""

    def answer(weights, bits, block):
        layer = nn.Module()
        layer.weight = nn.Parameter(weights.reshape(1, -1).clone())
        meant = file["quantized"](layer, bits, block).weight.detach().view_as(weights)
        blocks = weights.view(*weights.shape[:-1], -1, block)
        scales = blocks.abs().amax(-1, keepdim=True).clamp(min=1e-9) / (2 ** (bits - 1) - 1)
        return (blocks / scales).round(), scales[..., 0].half(), meant

    return answer


def add_keys(masked):
    """The loop's lines on the page, which knows no masks; with one, where that is put in."""

    def of_file(file):
        def answer(largest, total, mixed, query, key, value, mask):
            scores = query @ key.mT / query.shape[-1] ** 0.5
            if masked:
                scores = scores.masked_fill(~mask, -torch.inf)
            new = torch.maximum(largest, scores.amax(-1, keepdim=True))
            weights, shrunk = (scores - new).exp(), (largest - new).exp()
            total = shrunk * total + weights.sum(-1, keepdim=True)
            return new, total, shrunk * mixed + weights @ value

        return answer

    return of_file


def rounds(file):
    """A round of the file's `speculate`, text by text: no text ends in it."""

    def answer(p, q, drafts, chances, redraws, end):
        texts = []
        for P, Q, guesses, numbers, u in zip(p, q, drafts, chances, redraws, strict=True):
            kept = 0
            while kept < len(Q) and numbers[kept] * Q[kept][guesses[kept]] < P[kept, guesses[kept]]:
                kept += 1
            left = (P[kept] - Q[kept] if kept < len(Q) else P[kept]).clamp(min=0)
            own = (left.cumsum(0) / left.sum() <= u).sum()
            texts.append([*guesses[:kept].tolist(), int(own)])
        return texts

    return answer


def draft(file):
    """The chain, chapter 19's first draft, that looks back two words."""

    def answer(texts, V, temperature, begun):
        counts = np.full((V, V, V), 0.1)
        np.add.at(counts, (texts[:, :-2], texts[:, 1:-1], texts[:, 2:]), 1)
        P = np.stack([counts[ids[-2], ids[-1]] for ids in begun]) ** (1 / temperature)
        return P / P.sum(axis=1, keepdims=True)

    return answer


ANSWERS = [
    ("19-cheaper/quantize", quantize, "last-block-mistaken"),
    ("19-cheaper/add-keys", add_keys(False), "hidden-keys-counted"),
    ("19-cheaper/add-keys", add_keys(True), "nothing-seen-is-nan"),
    ("19-cheaper/rounds", rounds, "end-misread"),
    ("19-cheaper/draft", draft, "last-two-words-only"),
]
