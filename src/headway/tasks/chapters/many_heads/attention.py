"""Build multi-head attention: a module that weights are loaded into."""

import math

import torch
from torch import nn

from headway.nn.attention import masked_softmax
from headway.tasks.chapters.many_heads.attention_cases import attention_cases
from headway.tasks.chapters.many_heads.heads import into_heads, out_of_heads
from headway.tasks.chapters.many_heads.mistakes import (
    AXES_MIXED_UP,
    FURTHER_THAN_ASKED,
    HEADS_ADDED,
    HEADS_INTERLEAVED,
    HEADS_OF_ANOTHER_WIDTH,
    MASK_IGNORED,
    MASK_INVERTED,
    ONE_MAP_FOR_ALL_HEADS,
    OUTPUT_FORGOTTEN,
    QUERIES_KEYS_AND_VALUES_MIXED_UP,
    QUERY_AND_MEMORY_MIXED_UP,
    VIEW_REFUSED,
    VIEW_WITHOUT_TRANSPOSE,
    WIDTH_NOT_CHECKED,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.calls import forward
from headway.tasks.engine.task import Task


class MultiHead(nn.Module):
    """Queries from x (B, T, C), keys and values from the memory (B, S, C); mask (B, T, S)."""

    def __init__(self, width, heads):
        super().__init__()
        if width % heads:
            raise ValueError(f"a width of {width} does not divide into {heads} heads")
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def forward(self, x, memory=None, mask=None):
        asked = x if memory is None else memory
        parts = self.query(x), self.key(asked), self.value(asked)
        query, key, value = (into_heads(part, self.heads) for part in parts)
        shown = torch.tensor(True) if mask is None else mask[:, None]  # alike for all heads
        scores = query @ key.mT / math.sqrt(query.shape[-1])  # (B, H, T, S)
        weights = masked_softmax(scores, shown)
        return self.output(out_of_heads(weights @ value))


def _within_heads(layer, x, heads):
    """The layer, but that each head has its columns of x and its block of the matrix, no more."""
    D = x.shape[-1] // heads
    blocks = torch.block_diag(*[torch.ones(D, D)] * heads)
    return nn.functional.linear(x, layer.weight * blocks, layer.bias)


def _turned(x):
    """Neighbors turned by their places, as a language model of today does it."""
    places, pairs = torch.arange(x.shape[-2]), torch.arange(0, x.shape[-1] - 1, 2)
    angles = places[:, None] * 10_000.0 ** (-pairs / x.shape[-1])
    paired = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    turns = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(paired * turns).flatten(-2)


CUT = "into_heads(part, self.heads)"
JOINED = "out_of_heads(weights @ value)"
VIEWED = "part.reshape(len(part), self.heads, part.shape[1], -1)"
VIEWED_BACK = "(weights @ value).reshape(x.shape)"
SHOWN = "torch.tensor(True) if mask is None else mask[:, None]"
SCORES = "query @ key.mT"
PAST = "torch.ones(x.shape[1], asked.shape[1]).tril().bool()"
_causal = [
    # With the memory, or without; with a check of the width, or without.
    other
    for one in changed(MultiHead, SHOWN, PAST)
    for two in (one, *changed(one, "x if memory is None else memory", "x"))
    for other in (two, *changed(two, "if width % heads", "if False"))
]

attention = Task(
    id="09-many-heads/attention",
    title="Multi-head attention",
    kind="build",
    points=3,
    minutes=25,
    answer="MultiHead",
    verb=forward,
    cases=attention_cases,
    reference=MultiHead,
    misconceptions=(
        VIEW_WITHOUT_TRANSPOSE.by(
            changed(MultiHead, CUT, VIEWED),
            changed(MultiHead, JOINED, VIEWED_BACK),
            changed(*changed(MultiHead, CUT, VIEWED), JOINED, VIEWED_BACK),
        ),
        HEADS_INTERLEAVED.by(
            changed(MultiHead, CUT, "part.unflatten(-1, (-1, self.heads)).permute(0, 3, 1, 2)")
        ),
        AXES_MIXED_UP.by(
            changed(
                *changed(MultiHead, CUT, "part.unflatten(-1, (self.heads, -1))"),
                JOINED,
                "(weights @ value).flatten(2)",
            )
        ),
        HEADS_OF_ANOTHER_WIDTH.by(
            changed(MultiHead, "= heads", "= width // heads"),
            changed(*changed(MultiHead, CUT, "part[:, None]"), JOINED, "(weights @ value)[:, 0]"),
        ),
        Misconception(
            "scaled-otherwise",
            any_of(
                changed(MultiHead, "query.shape[-1]", "x.shape[-1]"),
                changed(MultiHead, " / math.sqrt(query.shape[-1])", ""),
                changed(MultiHead, "math.sqrt(query.shape[-1])", "query.shape[-1]"),
            ),
            "You divide the scores by another number than asked, or by none. How many products "
            "does a score of one head add up, and how does its spread grow with them?",
        ),
        OUTPUT_FORGOTTEN.by(
            changed(MultiHead, f"self.output({JOINED})", JOINED, f"{JOINED} @ self.output.weight.T")
        ),
        VIEW_REFUSED.by(
            changed(MultiHead, JOINED, "(weights @ value).transpose(1, 2).view(x.shape)")
        ),
        HEADS_ADDED.by(
            changed(MultiHead, JOINED, "(weights @ value).sum(1).repeat(1, 1, self.heads)")
        ),
        Misconception(
            "softmax-over-the-wrong-axis",
            changed(
                MultiHead,
                "masked_softmax(scores, shown)",
                # Over all heads together, over the heads, over the tokens that ask.
                "scores.masked_fill(~shown, -torch.inf).transpose(1, 2).flatten(2).softmax(-1)"
                ".nan_to_num().unflatten(2, (self.heads, -1)).transpose(1, 2)",
                "scores.softmax(1) * shown",
                "scores.softmax(-2) * shown",
                "scores.masked_fill(~shown, -torch.inf).softmax(-2)",
            ),
            "Your weights add up to one over something else than they should. Who shares out "
            "attention, and among whom?",
        ),
        ONE_MAP_FOR_ALL_HEADS.by(
            changed(
                MultiHead,
                "masked_softmax(scores, shown)",
                "masked_softmax(scores, shown)[:, :1]",
                "masked_softmax(scores, shown).mean(1, keepdim=True)",
            )
        ),
        Misconception(
            "own-columns-only",
            any_of(
                changed(
                    MultiHead,
                    "self.query(x), self.key(asked), self.value(asked)",
                    "[_within_heads(layer, given, self.heads) for layer, given in"
                    " [(self.query, x), (self.key, asked), (self.value, asked)]]",
                ),
                changed(
                    MultiHead,
                    f"self.output({JOINED})",
                    f"_within_heads(self.output, {JOINED}, self.heads)",
                ),
            ),
            "Each of your heads reads or writes its own columns of a token alone. What do heads "
            "share out: the token, or what the projection makes of it?",
        ),
        Misconception(
            "mask-not-spread-over-heads",
            changed(
                MultiHead,
                "mask[:, None]",
                "mask",
                "mask[:1, None]",
                "mask[:, :, None]",
                "mask.repeat(self.heads, 1, 1).unflatten(0, (-1, self.heads))",
            ),
            "Your mask meets the wrong axes: a head gets that of another sentence, or nothing "
            "fits. The scores have four axes: which of them does a mask lack, and where?",
        ),
        MASK_IGNORED.by(
            changed(MultiHead, "mask[:, None]", "torch.tensor(True)"),
            changed(MultiHead, "if mask is None", "if mask is None or memory is not None"),
            *_causal,
        ),
        MASK_INVERTED.by(changed(MultiHead, "mask[:, None]", "~mask[:, None]")),
        FURTHER_THAN_ASKED.by(
            changed(MultiHead, SCORES, "_turned(query) @ _turned(key).mT"),
            *(changed(each, SCORES, "_turned(query) @ _turned(key).mT") for each in _causal),
        ),
        Misconception(
            "hidden-word-takes-weight",
            changed(
                MultiHead,
                "masked_softmax(scores, shown)",
                "scores.softmax(-1) * shown",
                "(scores * shown).softmax(-1)",
            ),
            "Hidden tokens still take part in your softmax, and take weight from those that may be "
            "seen. Which score gets no weight at all?",
        ),
        Misconception(
            "nothing-visible",
            any_of(
                changed(
                    MultiHead,
                    "masked_softmax(scores, shown)",
                    "scores.masked_fill(~shown, -torch.inf).softmax(-1)",
                    "scores.masked_fill(~shown, -1e9).softmax(-1)",
                ),
                changed(
                    MultiHead,
                    f"self.output({JOINED})",
                    f"self.output({JOINED}) * shown.expand_as(scores).any(-1)[:, 0, :, None]",
                ),
            ),
            "All is right but for the query that may look nowhere. What should each of its heads "
            "bring back there, and what does the last layer make of that?",
        ),
        QUERIES_KEYS_AND_VALUES_MIXED_UP.by(
            changed(
                MultiHead,
                "self.query(x), self.key(asked), self.value(asked)",
                "self.query(x), self.query(asked), self.value(asked)",
                "self.key(x), self.key(asked), self.value(asked)",
                "self.key(x), self.query(asked), self.value(asked)",
                "self.query(x), self.key(asked), self.key(asked)",
                "self.query(x), self.value(asked), self.key(asked)",
            ),
            changed(MultiHead, "weights @ value", "weights @ key"),
        ),
        QUERY_AND_MEMORY_MIXED_UP.by(
            changed(MultiHead, "x if memory is None else memory", "x"),
            changed(
                MultiHead,
                "asked = x if memory is None else memory",
                "x, asked = (x, x) if memory is None else (memory, x)",
                "x = asked = x if memory is None else memory",
            ),
        ),
        Misconception(
            "memory-refused",
            changed(
                MultiHead,
                "(into_heads(part, self.heads) for part in parts)",
                "(part.reshape(*x.shape[:2], self.heads, part.shape[2] // self.heads)"
                ".transpose(1, 2) for part in parts)",
            ),
            "You ask a whole tensor whether it is true, or take the length of x for that of the "
            "memory. How can you tell that there is a memory?",
        ),
        WIDTH_NOT_CHECKED.by(
            changed(MultiHead, "if width % heads", "if False"),
            changed(MultiHead, "raise ValueError", "raise AssertionError"),
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
