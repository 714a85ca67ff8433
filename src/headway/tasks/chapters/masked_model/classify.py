"""Build: a classifier of texts that looks at their words and not at what fills them up."""

import numpy as np
import torch
from torch import nn

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.masked_model.mistakes import (
    ARGUMENT_NOT_READ,
    BATCH_MIXED,
    MEAN_MISCOUNTED,
    PADDING_POOLED,
    PADDING_SEEN,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.probe.calls import forward
from headway.tasks.engine.task import Case, Task

ARGUMENTS = 14, 8, 2, 3  # words, C, H, K


class Classifier(nn.Module):
    """Attention over a text, one vector of it, and a linear layer: ids (B, T) → logits (B, K)."""

    def __init__(self, words, width, heads, classes, padding=0, pool="mean"):
        super().__init__()
        self.word = nn.Embedding(words, width)
        self.norm = nn.LayerNorm(width)
        self.attention = MultiHeadAttention(width, heads)
        self.output = nn.Linear(width, classes)
        self.padding, self.pool = padding, pool

    def forward(self, ids):
        here = ids != self.padding
        mask = here[:, None, None]
        x = self.word(ids)
        x = x + self.attention(self.norm(x), mask=mask)
        if self.pool == "first":
            vector = x[:, 0]
        else:
            total = (x * here[..., None]).sum(dim=1)
            vector = total / here.sum(dim=1, keepdim=True).clamp(min=1)
        return self.output(vector)


def weights(rng: np.random.Generator, *arguments) -> dict[str, torch.Tensor]:
    """Gaussian numbers for all parameters, by their names; those of the norm around 1."""
    drawn = {}
    for name, value in Classifier(*arguments).state_dict().items():
        numbers = torch.from_numpy(rng.normal(size=value.shape)).float()
        around = 1.0 if name == "norm.weight" else 0.0
        drawn[name] = around + (1.5 if name == "word.weight" else 0.6) * numbers
    return drawn


def cases(rng: np.random.Generator) -> list[Case]:
    def ask(label, lengths, width, padding=0, pool="mean", side="right", **options):
        arguments = (*ARGUMENTS, padding, pool) if (padding, pool) != (0, "mean") else ARGUMENTS
        drawn = rng.integers(1, ARGUMENTS[0], (len(lengths), width))
        ids = (drawn + padding) % ARGUMENTS[0]  # every id but that of the padding
        columns = np.arange(width)
        for row, length in enumerate(lengths):
            here = columns < length if side == "right" else columns >= width - length
            if side == "between":
                here = rng.permutation(here)
            ids[row, ~here] = padding
        return Case(label, arguments, weights(rng, *arguments), (torch.from_numpy(ids),), **options)

    first = {"pool": "first", "path": "the first token"}
    return [
        ask("texts of different lengths", [7, 3, 5], 7, core=True),
        ask("texts without padding", [4, 4], 4),
        ask("the first token for the text", [3, 6, 2, 5], 6, **first),
        ask("the first token of texts without padding", [5, 5], 5, **first),
        ask("another id for the padding", [2, 5, 4], 5, padding=9),
        ask("padding on the left", [2, 6, 4], 6, side="left", path="padding elsewhere"),
        ask("padding between the words", [3, 6, 2], 7, side="between", path="padding elsewhere"),
        ask("as many texts as columns", [2, 4, 3, 1], 4),
        ask("filled up further than the longest", [2, 3], 9),
        ask("one token", [1], 1),
        ask("a text without any word", [4, 0, 2], 5),
    ]


ATTEND = "x = x + self.attention(self.norm(x), mask=mask)"
MASK, HERE = "here[:, None, None]", "ids != self.padding"
TOTAL, COUNT = "(x * here[..., None]).sum(dim=1)", "here.sum(dim=1, keepdim=True).clamp(min=1)"
MEAN, RETURN = f"vector = total / {COUNT}", "return self.output(vector)"
FIRST, POOL = "x[:, 0]", 'self.pool == "first"'


def other(*changes: tuple[str, str]) -> AnyOf:
    """Classifiers with other code in one place or several."""
    wrong = AnyOf([Classifier])
    for at, becomes in changes:
        wrong = changed(*wrong, at, becomes)
    return wrong


NO_MASK = (MASK, "None")
ALL_COLUMNS = (MEAN, "vector = x.mean(dim=1)")

classify_task = Task(
    id="12-masked-model/classify",
    title="A classifier that ignores padding",
    kind="build",
    points=3,
    minutes=20,
    answer="Classifier",
    verb=forward,
    cases=cases,
    reference=Classifier,
    misconceptions=(
        PADDING_SEEN.by(
            other(NO_MASK),
            other((MASK, "here[:, None, :, None]")),
            other(NO_MASK, ALL_COLUMNS),
            other(NO_MASK, (COUNT, "ids.shape[1]")),
            other((MASK, "here[:, None, :, None]"), ALL_COLUMNS),
        ),
        PADDING_POOLED.by(
            other(ALL_COLUMNS),
            other((COUNT, "ids.shape[1]")),
            other((TOTAL, "x.sum(dim=1)")),
            other((MASK, "here[:, None, None] & here[:, None, :, None]"), (TOTAL, "x.sum(dim=1)")),
        ),
        Misconception(
            "causal-mask-left-on",
            any_of(
                other((ATTEND, ATTEND.replace("mask=mask", "mask=mask, causal=True"))),
                other((ATTEND, ATTEND.replace("mask=mask", "causal=True"))),
                other((ATTEND, ATTEND.replace("mask=mask", "causal=True")), ALL_COLUMNS),
            ),
            "Each word sees itself and those before it, as in a language model. Is anything of "
            "this text still to be written?",
        ),
        Misconception(
            "mask-inverted",
            any_of(
                other((MASK, "~here[:, None, None]")),
                other((HERE, "ids == self.padding")),
                other((TOTAL, "(x * ~here[..., None]).sum(dim=1)")),
            ),
            "Padding is looked at or pooled, and words are not. What does True stand for in your "
            "mask?",
        ),
        MEAN_MISCOUNTED.by(
            other((MEAN, "vector = total")),
            other((COUNT, "here.sum()")),
            other((COUNT, "here.sum(dim=1).max()")),
            other((COUNT, "len(ids)")),
            other((COUNT, "(here.sum(dim=1, keepdim=True) + 1)")),
            other((COUNT, "here.sum(dim=1, keepdim=True).float().mean()")),
        ),
        Misconception(
            "probabilities-for-logits",
            any_of(
                other((RETURN, "return self.output(vector).softmax(dim=-1)")),
                other((RETURN, "return self.output(vector).log_softmax(dim=-1)")),
                other((RETURN, "return self.output(vector).argmax(dim=-1)")),
                other((RETURN, "return self.output(vector).sigmoid()")),
            ),
            "You have gone a step further than the logits, to probabilities or to a class. Which "
            "step of yours is not in the formula?",
        ),
        BATCH_MIXED.by(
            other((MEAN, MEAN + "; vector = vector.mean(0) + 0 * vector")),
        ),
        Misconception(
            "pooled-in-another-way",
            any_of(
                other((POOL, "False")),
                other((POOL, "True")),
                other((POOL, 'self.pool == "cls"')),
                other((POOL, 'self.pool != "first"')),
                other((FIRST, "x[:, -1]")),
                other((FIRST, "x[:, 1]")),
                other((FIRST, "x[0]")),
                other((FIRST, "x[torch.arange(len(ids)), here.sum(1).clamp(min=1) - 1]")),
                other((FIRST, "self.word(ids)[:, 0]")),
                other((MEAN, "vector = x.masked_fill(~here[..., None], -1e9).amax(dim=1)")),
                other((MEAN, "vector = x.amax(dim=1)")),
            ),
            "The vector of the text is not the one that is asked for. Which argument says how to "
            "pool, and what does each of its values take?",
        ),
        ARGUMENT_NOT_READ.by(other((HERE, "ids != 0"))),
        Misconception(
            "empty-text-divides-by-zero",
            any_of(
                other((COUNT, "here.sum(dim=1, keepdim=True)")),
                other(
                    (
                        MEAN,
                        "vector = torch.stack([row[i].mean(dim=0) for row, i in zip(x, here)])",
                    )
                ),
            ),
            "A text without any word gives no numbers. What does the text ask for then?",
        ),
        Misconception(
            "block-rebuilt",
            any_of(
                other((ATTEND, "x = self.attention(self.norm(x), mask=mask)")),
                other((ATTEND, "x = x + self.attention(x, mask=mask)")),
                other((ATTEND, "x = self.norm(x + self.attention(x, mask=mask))")),
                other((ATTEND, "x = self.norm(x) + self.attention(self.norm(x), mask=mask)")),
                other((ATTEND, "x = self.norm(x + self.attention(self.norm(x), mask=mask))")),
                other((ATTEND, "pass")),
            ),
            "The stream is not that of the formula: the norm, the attention or the skip "
            "connection is missing or misplaced. What is added to what?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
