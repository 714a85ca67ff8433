"""Build the measure of how unevenly experts are used, layer by layer, over the words."""

import numpy as np
import torch

from headway.tasks.chapters.experts.draw import CLOSE, draw_scores, draw_words
from headway.tasks.chapters.experts.mistakes import (
    OTHER_EXPERTS_CHOSEN,
    PADDING_TAKES_PART,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.draw import draw_telling, draw_until
from headway.tasks.engine.mistakes import Misconception, changed, seen
from headway.tasks.engine.probe.calls import call_for_slope
from headway.tasks.engine.task import Case, Task

SLOPE = "the slope of the sum"


def balance(scores, k, words):
    """The loss and the counts (L, E) of scores (L, B, T, E) at words (B, T)."""
    E = scores.shape[-1]
    loss, counts = 0.0, []
    for layer in scores:
        its = layer[words]  # (N, E)
        chosen = its.topk(k, dim=-1).indices
        count = torch.bincount(chosen.flatten(), minlength=E)
        share = count / len(its)
        likely = its.softmax(-1).mean(0)
        loss = loss + E * (share * likely).sum()
        counts.append(count)
    return loss, torch.stack(counts)


def balance_cases(rng: np.random.Generator) -> list[Case]:
    def draw(L, B, T, E, k, padded=False, last=True):
        """`last`: whether some token of each layer chooses the last expert."""
        words = draw_words(rng, B, T, padded)

        def suits(scores):
            chosen = (scores[:, words].topk(k).indices == E - 1).flatten(1).any(1)
            return bool(chosen.all()) == last

        return draw_until(suits, lambda: 2 * draw_scores(rng, L, B, T, E)), k, words

    def sure(E, k, *favorites):
        """All words want the same experts, in each layer others."""
        scores = draw_scores(rng, len(favorites), 2, 4, E)
        for layer, favorite in zip(scores, favorites, strict=True):
            layer[..., favorite] += 30
        return scores, k, draw_words(rng, 2, 4, False)

    return [
        Case("three layers, two of five experts", *draw(3, 2, 4, 5, 2), core=True),
        draw_telling(
            balance_task,
            lambda: Case("texts with padding", *draw(2, 3, 5, 4, 2, padded=True), core=True),
            "texts-apart",
            "padding-takes-part",
        ),
        Case("one of each token", *draw(2, 2, 4, 4, 1)),
        Case("all experts", *draw(2, 2, 3, 4, 4, padded=True)),
        Case("a favorite in each layer, always another", *sure(4, 1, 2, 0)),
        Case("experts that nobody chooses", *draw(1, 1, 2, 9, 2, last=False)),
        Case("a single token", *draw(2, 1, 1, 5, 2, last=False)),
        Case(SLOPE, *draw(2, 2, 4, 5, 2, padded=True), verb=call_for_slope),
    ]


def off_by_a_size(got, expected, case) -> bool:
    """Whether the counts are right, and the loss but for a factor: k, E or L, or E / k."""
    scores, k, _ = case.inputs
    L, E = scores.shape[0], scores.shape[-1]
    off = (CLOSE(got[0] * factor, expected[0], case) for factor in (k, 1 / k, E, E / k, L))
    return CLOSE(got[1], expected[1], case) is None and None in off


ITS, CHOSEN = "its = layer[words]", "its.topk(k, dim=-1).indices"
LIKELY = "likely = its.softmax(-1).mean(0)"
LOSS = "loss = loss + E * (share * likely).sum()"
RETURN = "return loss, torch.stack(counts)"
POOLED = """
    counts = torch.stack(counts)
    pool = scores[:, words].flatten(0, 1)
    loss = E * (counts.sum(0) / len(pool) * pool.softmax(-1).mean(0)).sum()
    return loss, counts"""
BY_TEXT = """
        texts = [layer[b][words[b]] for b in range(len(words))]
        picks = [torch.bincount(its.topk(k).indices.flatten(), minlength=E) for its in texts]
        f = torch.stack([pick / len(its) for pick, its in zip(picks, texts, strict=True)])
        P = torch.stack([its.softmax(-1).mean(0) for its in texts])
        loss = loss + E * """

balance_task = Task(
    id="18-experts/balance",
    title="How uneven it is",
    kind="build",
    points=3,
    minutes=22,
    answer="balance",
    cases=balance_cases,
    reference=balance,
    misconceptions=(
        PADDING_TAKES_PART.by(
            changed(balance, ITS, "its = layer.flatten(0, 1)"),
            changed(balance, ITS, "its = (layer * words[..., None]).flatten(0, 1)"),
            changed(balance, "len(its)", "words.numel()"),
            changed(balance, LIKELY, "likely = layer.softmax(-1).mean((0, 1))"),
            changed(balance, LIKELY, "likely = its.softmax(-1).sum(0) / words.numel()"),
        ),
        Misconception(
            "layers-pooled",
            changed(balance, RETURN, POOLED, f"{POOLED}.sum(0)"),
            "You throw the tokens of all layers together before you count. If layer 0 asks expert "
            "0 only and layer 1 expert 1 only, would you notice?",
        ),
        seen(
            "off-by-a-size",
            "Your counts are right, and your sum is off by a factor: k, or the number of experts "
            "or layers. If all experts are used alike, each layer should add k: what does yours?",
            off_by_a_size,
        ),
        Misconception(
            "other-factors",
            changed(
                balance,
                LIKELY,
                "likely = share / k",
                "likely = share",
                "share = likely = its.softmax(-1).mean(0)",
                "likely = its.mean(0).softmax(-1)",
                "likely = torch.zeros_like(its).scatter(-1, chosen, "
                "its.gather(-1, chosen).softmax(-1)).mean(0)",
                "likely = torch.zeros_like(its).scatter(-1, chosen, "
                "its.softmax(-1).gather(-1, chosen)).mean(0)",
            ),
            "Your two factors aren't those of the formula. Which of them counts, which has a "
            "slope, and what does the softmax give an expert that nobody has chosen?",
        ),
        seen(
            "counts-not-handed-back",
            "Your loss is right, but what you hand back beside it are no counts. What do they add "
            "up to in each layer?",
            lambda got, expected, case: (
                CLOSE(got[0], expected[0], case) is None
                and CLOSE(got[1], expected[1], case) is not None
            ),
        ),
        Misconception(
            "texts-apart",
            changed(
                balance,
                LOSS,
                f"{BY_TEXT}(f * P).sum(1).mean()",
                f"{BY_TEXT}(f.mean(0) * P.mean(0)).sum()",
            ),
            "You take text by text, and then the mean. Is a word of a short text worth more than "
            "one of a long text, and may one text be uneven if the batch as a whole is even?",
        ),
        seen(
            "slope-lost",
            "Your numbers are right, but the scores get no slope from your sum, or another one. "
            "Which step leaves PyTorch, or gives a number that forgets where it came from?",
            only_at=(SLOPE,),
        ),
        OTHER_EXPERTS_CHOSEN.by(
            changed(balance, CHOSEN, "its.argmax(-1)", "its.topk(k, dim=-1, largest=False).indices")
        ),
        RESULTS_IN_ANOTHER_ORDER.by(changed(balance, RETURN, "return torch.stack(counts), loss")),
    ),
    compare=CLOSE,
)
