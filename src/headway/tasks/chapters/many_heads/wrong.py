"""Steps of multi-head attention that go wrong: methods that stand in for those of `MultiHead`."""

import math

import torch
from torch import nn

from headway.nn.attention import attend, masked_softmax
from headway.tasks.chapters.many_heads.heads import out_of_heads
from headway.tasks.chapters.many_heads.multi_head import MultiHead


def looking(weigh):
    """A look whose weights (B, H, T, S) come from scores and mask in another way."""

    def look(self, query, key, value, mask):
        scores = query @ key.mT / math.sqrt(query.shape[-1])
        return weigh(scores, mask) @ value

    return look


def scaled(by):
    def look(self, query, key, value, mask):
        return attend(query * by(self.heads, query.shape[-1]), key, value, mask)[0]

    return look


@looking
def mean_of_weights(scores, mask):
    return masked_softmax(scores, mask).mean(1, keepdim=True)


@looking
def first_for_all(scores, mask):
    return masked_softmax(scores, mask)[:, :1]


@looking
def over_heads_too(scores, mask):
    B, H, T, S = scores.shape
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    joint = scores.transpose(1, 2).reshape(B, T, H * S).softmax(-1).nan_to_num()
    return joint.reshape(B, T, H, S).transpose(1, 2)


@looking
def over_heads(scores, mask):
    shares = scores.softmax(1)
    return shares if mask is None else shares.masked_fill(~mask, 0)


@looking
def over_queries(scores, mask):
    shares = scores.softmax(-2)
    return shares if mask is None else shares.masked_fill(~mask, 0)


@looking
def over_queries_that_see(scores, mask):
    return (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-2)


@looking
def after_softmax(scores, mask):
    shares = scores.softmax(-1)
    return shares if mask is None else shares * mask


@looking
def zero_for_hidden(scores, mask):
    return (scores if mask is None else scores * mask).softmax(-1)


@looking
def nan(scores, mask):
    return (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)


@looking
def uniform(scores, mask):
    return (scores if mask is None else scores.masked_fill(~mask, -1e9)).softmax(-1)


def input_cut(self, x, asked):
    """Each head gets its columns of the input, and its block of the matrix."""

    def blocks(layer, given):
        D = given.shape[-1] // self.heads
        mask = torch.block_diag(*[torch.ones(D, D)] * self.heads)
        return nn.functional.linear(given, layer.weight * mask, layer.bias)

    parts = blocks(self.query, x), blocks(self.key, asked), blocks(self.value, asked)
    return tuple(self.split(part) for part in parts)


def output_per_head(self, mixed):
    D = mixed.shape[-1]
    mask = torch.block_diag(*[torch.ones(D, D)] * self.heads)
    return nn.functional.linear(out_of_heads(mixed), self.output.weight * mask, self.output.bias)


def added_and_copied(self, mixed):
    return self.output(mixed.sum(1).repeat(1, 1, self.heads))


def merge_by_view(self, mixed):
    B, H, T, D = mixed.shape
    return self.output(mixed.reshape(B, T, H * D))


def split_by_view(self, x):
    B, T, C = x.shape
    return x.reshape(B, self.heads, T, C // self.heads)


def interleaved(self, x):
    B, T, C = x.shape
    return x.reshape(B, T, C // self.heads, self.heads).permute(0, 3, 1, 2)


def unmoved(self, x):
    """(B, T, H, D): the heads of a token stand where its queries and keys should."""
    return x.unflatten(-1, (self.heads, -1))


def merge_unmoved(self, mixed):
    return self.output(mixed.flatten(2))


def uncut(self, x):
    return x[:, None]


def merge_uncut(self, mixed):
    return self.output(mixed[:, 0])


def masks_in_turn(self, mask):
    """All masks of the batch, and all of them again for the next head."""
    if mask is None:
        return None
    B, T, S = mask.shape
    return mask.repeat(self.heads, 1, 1).reshape(B, self.heads, T, S)


def zeros_at_the_end(self, x, memory=None, mask=None):
    output = MultiHead.forward(self, x, memory, mask)
    return output if mask is None else output * mask.any(-1, keepdim=True)
