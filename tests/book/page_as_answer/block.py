"""What a student makes of the lines of chapter 10, and what is then still missing."""

from functools import partial
from types import SimpleNamespace

import torch
from torch import nn

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.block.deep import trained


def rms_norm_by_hand(file):
    return lambda x, gain, shift, eps=1e-5: x / x.square().mean().sqrt()


def rms_norm(file):
    return lambda x, gain, shift, eps=1e-5: nn.RMSNorm(x.shape[-1])(x).detach()


def layer_norm(file):
    return lambda x, gain, shift, eps=1e-5: nn.LayerNorm(x.shape[-1])(x).detach()


def feed_forward(file):
    """The file's class, whose gate is left open."""

    def answer(x, W_1, b_1, W_2, b_2, keep=None, p=0.0):
        layers = SimpleNamespace(
            gate=lambda x: x @ W_1 + b_1, up=lambda x: 1, down=lambda hidden: hidden @ W_2 + b_2
        )
        return file["FeedForward"].forward(layers, x)

    return answer


def stack_of_blocks(file):
    """The file's way through a block and the stack of its program, in the task's parts."""

    class OneBlock(nn.Module):
        forward = file["Block"].forward

        def __init__(self, width, heads, hidden):
            super().__init__()
            self.attention = MultiHeadAttention(width, heads)
            self.attention_norm, self.feed_forward_norm = nn.LayerNorm(width), nn.LayerNorm(width)
            self.expand, self.contract = nn.Linear(width, hidden), nn.Linear(hidden, width)

        def norm1(self, x):
            return self.attention_norm(x)

        def norm2(self, x):
            return self.feed_forward_norm(x)

        def feed_forward(self, x):
            return self.contract(self.expand(x).relu())

    class Stack(nn.Module):
        def __init__(self, width, heads, hidden, depth, pre=True):
            super().__init__()
            self.blocks = nn.ModuleList(OneBlock(width, heads, hidden) for _ in range(depth))
            self.norm = nn.LayerNorm(width) if pre else nn.Identity()

        def forward(self, x, mask=None):
            for block in self.blocks:
                x = block(x)
            return self.norm(x)

    return Stack


def cost_of_block(file):
    """The page's formulas."""

    def answer(width, heads, key_value_heads, hidden, length, bias=True):
        C, T = width, length
        return 4 * C * C + 8 * C * C, 24 * T * C * C + 4 * T * T * C

    return answer


def deep(file, **arrangement):
    """An arrangement of the page, trained a little."""

    def answer(ids, answers, words, depth):
        torch.manual_seed(0)
        return trained(ids, answers, words, depth, arrangement, steps=60)

    return answer


ANSWERS = [
    ("10-block/layer-norm", rms_norm_by_hand, "wrong-numbers-together"),
    ("10-block/layer-norm", rms_norm, "not-centered"),
    ("10-block/layer-norm", layer_norm, "gain-and-shift-misused"),
    ("10-block/feed-forward", feed_forward, "curve-misplaced"),
    ("10-block/block", stack_of_blocks, "one-order-only"),
    ("10-block/cost", cost_of_block, "feed-forward-miscounted"),
    ("10-block/deep", partial(deep, keep=1.0, add=1.0, norm=False), "updates-too-loud"),
]
NO_ANSWER = {
    # Who has heard of whom: the page shows nothing of the kind.
    "10-block/repair",
}
