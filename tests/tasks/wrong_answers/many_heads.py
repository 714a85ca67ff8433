"""Wrong answers to assignment 09, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.many_heads.learn import Reader, read_off, trained


def silent(x, off):
    return torch.stack([0 * x[:, h] if h in off else x[:, h] for h in range(x.shape[1])], 1)


def merge_and_silence_tokens(x, off):
    out = torch.cat(list(x.unbind(1)), -1)
    for h in off:
        out[:, h : h + 1] = 0
    return out


class Layers(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads:
            raise ValueError
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(width, width))
        self.width, self.heads = width, heads

    def cut(self, x):
        return torch.stack(x.chunk(self.heads, -1), 1)


def rotary_of_llama_weights(query, key, query_positions, key_positions, speeds):
    """Pairs side by side, as complex numbers."""

    def turned(x, p):
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
        z = z * torch.polar(torch.ones(len(p), len(speeds)), torch.outer(p.float(), speeds))
        return torch.view_as_real(z).flatten(-2)

    return turned(query, query_positions) @ turned(key, key_positions).mT


def look_back_gently(words, places, back):
    W_Q, W_K = np.zeros((2, words + places, places))
    for t in range(places):
        W_K[words + t][t] = 1.0
        if t - back >= 0:
            W_Q[words + t][t - back] = 1.0
    keep = np.eye(words + places, words)
    return W_Q, W_K, keep, keep.T


def three_back(T):
    return torch.tensor([[t - 3 < s <= t for s in range(T)] for t in range(T)])


def never_trained(x, y, new_x):
    return Reader(x.shape[-1], y.shape[-1], 2)(new_x) * 0.01


class Asserting(Layers):
    def __init__(self, width, heads):
        assert not width % heads
        super().__init__(width, heads)

    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        parts = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        mask = None if mask is None else mask[:, None]
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask).nan_to_num()
        return self.output(mixed.transpose(1, 2).flatten(2))


def _roles(roles, wanted, heads, size, firm):
    scores, W_O = np.zeros((heads, roles)), np.zeros((heads * size, len(wanted) * size))
    for h, k in enumerate(wanted[:heads]):
        scores[h, k] = firm
        for e in range(size):
            W_O[h * size + e, h * size + e] = 1
    return scores, W_O


def _places(words, places, back, first):
    W_Q, W_K = np.zeros((2, words + places, places))
    for t in range(places):
        W_K[words + t, t] = 1
        if t >= first:
            W_Q[words + t, t - back] = 100
    keep = np.eye(words + places, words)
    return W_Q, W_K, keep, keep.T


def look_back_and_at_itself(words, places, back):
    """Both places get the same score, whichever comes first."""
    W_Q, *others = _places(words, places, back, back)
    for t in range(places):
        W_Q[words + t, t] = 100
    return W_Q, *others


class MaskUnsqueezed(Asserting):
    """The caller's mask gets an axis more."""

    def __init__(self, width, heads):
        Layers.__init__(self, width, heads)

    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        parts = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        mask = None if mask is None else mask.unsqueeze_(1)
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask).nan_to_num()
        return self.output(mixed.transpose(1, 2).flatten(2))


def explained_in_place(predicted, target):
    predicted -= target
    target -= target.mean(0)
    return 1 - (predicted**2).sum() / (target**2).sum()


def learned_and_wiped(x, y, new_x):
    predicted = trained(x, y, new_x, heads=4)
    y *= 0
    return predicted


class Sharing(Layers):
    """Right but for what its children do with a mask, with the heads or in the end."""

    def shown(self, mask, memory):
        return None if mask is None else mask[:, None]

    def finish(self, mixed):
        return self.output(mixed.transpose(1, 2).flatten(2))

    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        parts = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        shown = self.shown(mask, memory)
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=shown)
        return self.finish(mixed.nan_to_num())


class MaskOfTheFirst(Sharing):
    def shown(self, mask, memory):
        return None if mask is None else mask[0]


def repaired_by(finish, x, W_Q, W_K, W_V, W_O, heads):
    """The way out of the heads in other words."""
    parts = [torch.stack((x @ W).chunk(heads, 2), 1) for W in (W_Q, W_K, W_V)]
    mask = three_back(x.shape[1])
    return finish(functional.scaled_dot_product_attention(*parts, attn_mask=mask)) @ W_O


def split_with_an_open_length(qkv, heads):
    if qkv.shape[2] // 3 % heads:
        raise ValueError
    parts = qkv.chunk(3, -1)
    return [part.reshape(*part.shape[:2], heads, -1).swapaxes(1, 2) for part in parts]


def look_back_from_place_one(words, places, back):
    W_Q, W_K, keep, out = look_back_gently(words, places, back)
    return 900 * W_Q, np.roll(W_K, -1, axis=1), keep, out


def bound_up_to_one(weights, wanted):
    heads = [a**2 / (a @ a) for a in weights]
    return float(np.mean([min(1, sum(share[k] for share in heads)) for k in wanted]))


def roles_of_minus_infinity(roles, wanted, heads, size):
    scores, W_O = _roles(roles, wanted, heads, size, 1.0)
    return np.where(scores > 0, 0.0, -np.inf), W_O


def one_vector_twice(x, y, new_x):
    first, _ = read_off(x, y, new_x).chunk(2, dim=1)
    return torch.cat([first, first], dim=1)


WRONG_ANSWERS = {
    "one vector twice": ("learn", one_vector_twice, "one-head-only"),
    "one vector alone": (
        "learn",
        lambda x, y, new_x: read_off(x, y, new_x).chunk(2, dim=1)[0],
        "far-off",
    ),
    "column by column, as a list": (
        "r-squared",
        lambda p, y: 1 - (p - y).square().sum(0) / (y - y.mean(0)).square().sum(0),
        "another-quotient",
    ),
    "a length left open": ("split", split_with_an_open_length, "open-length"),
    "a length left open on the way out": (
        "merge",
        lambda x, off: torch.einsum("bhtd->bthd", silent(x, off)).reshape(*x.shape[::2], -1),
        "open-length",
    ),
    "the first mask for all": ("attention", MaskOfTheFirst, "mask-not-spread-over-heads"),
    "places from one": ("look-back", look_back_from_place_one, "wrong-distance"),
    "everything from the last": (
        "repair",
        partial(repaired_by, lambda y: y.swapaxes(1, 2).flatten(2).flip(-1)),
        "heads-swapped",
    ),
    "one variance for all": (
        "r-squared",
        lambda p, t: 1 - functional.mse_loss(p, t) / t.var(),
        "compared-with-another-guess",
    ),
    "each role up to one": ("bound", bound_up_to_one, "heads-taken-alone"),
    "minus infinity": ("by-roles", roles_of_minus_infinity, "infinite-scores"),
    "measured in place": ("r-squared", explained_in_place, "argument-changed"),
    "targets wiped out": ("learn", learned_and_wiped, "argument-changed"),
    "a mask with an axis more": ("attention", MaskUnsqueezed, "argument-changed"),
    "two places at once": ("look-back", look_back_and_at_itself, None),
    "tokens for heads": ("merge", merge_and_silence_tokens, None),
    "pairs side by side": ("rotary", rotary_of_llama_weights, "another-layout"),
    "not trained": ("learn", never_trained, "no-better-than-the-mean"),
}
