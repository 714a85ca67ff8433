"""Build the measure of how unevenly experts are used, layer by layer, over the words."""

import numpy as np
import torch

from headway.tasks.chapters.experts.draw import CLOSE, draw_scores, draw_words
from headway.tasks.chapters.experts.mistakes import (
    OTHER_EXPERTS_CHOSEN,
    PADDING_TAKES_PART,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


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
    def draw(L, B, T, E, k, padded=False):
        return 2 * draw_scores(rng, L, B, T, E), k, draw_words(rng, B, T, padded)

    def sure(E, k, *favorites):
        """All words want the same experts, in each layer others."""
        scores = draw_scores(rng, len(favorites), 2, 4, E)
        for layer, favorite in zip(scores, favorites, strict=True):
            layer[..., favorite] += 30
        return scores, k, draw_words(rng, 2, 4, False)

    return [
        Case("three layers, two of five experts", *draw(3, 2, 4, 5, 2), core=True),
        Case("texts with padding", *draw(2, 3, 5, 4, 2, padded=True), core=True),
        Case("one of each token", *draw(2, 2, 4, 4, 1)),
        Case("all experts", *draw(2, 2, 3, 4, 4, padded=True)),
        Case("a favorite in each layer, always another", *sure(4, 1, 2, 0)),
        Case("experts that nobody chooses", *draw(1, 1, 2, 9, 2)),
        Case("a single token", *draw(2, 1, 1, 5, 2)),
    ]


ITS, CHOSEN = "its = layer[words]", "its.topk(k, dim=-1).indices"
SHARE, LIKELY = "share = count / len(its)", "likely = its.softmax(-1).mean(0)"
LOSS = "loss = loss + E * (share * likely).sum()"
RETURN = "return loss, torch.stack(counts)"

pooled = changed(
    balance,
    RETURN,
    """
    counts = torch.stack(counts)
    pool = scores[:, words].flatten(0, 1)
    shared = (counts.sum(0) / len(pool) * pool.softmax(-1).mean(0)).sum()
    return E * shared, counts""",
    """
    counts = torch.stack(counts)
    pool = scores[:, words].flatten(0, 1)
    shared = (counts.sum(0) / len(pool) * pool.softmax(-1).mean(0)).sum()
    return len(scores) * E * shared, counts""",
    """
    counts = torch.stack(counts)
    pool = scores[:, words].flatten(0, 1)
    shared = (counts.sum(0) / len(pool) * pool.softmax(-1).mean(0)).sum()
    return E * shared, counts.sum(0)""",
)
texts_apart = changed(
    balance,
    LOSS,
    """
        apart = [layer[b][words[b]] for b in range(len(words))]
        shares = [
            torch.bincount(s.topk(k).indices.flatten(), minlength=E) / len(s) for s in apart
        ]
        each = [(f * s.softmax(-1).mean(0)).sum() for f, s in zip(shares, apart, strict=True)]
        loss = loss + E * sum(each) / len(each)""",
    """
        apart = [layer[b][words[b]] for b in range(len(words))]
        shares = [
            torch.bincount(s.topk(k).indices.flatten(), minlength=E) / len(s) for s in apart
        ]
        each = [(f * s.softmax(-1).mean(0)).sum() for f, s in zip(shares, apart, strict=True)]
        loss = loss + E * sum(each)""",
)

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
            any_of(pooled),
            "You throw the tokens of all layers together before you count. If layer 0 asks expert "
            "0 only and layer 1 expert 1 only, would you notice?",
        ),
        Misconception(
            "layers-averaged",
            changed(
                balance,
                "return loss,",
                "return loss / len(scores),",
                "return E * (share * likely).sum(),",
            ),
            "Your loss is the mean over the layers or that of one layer. What does the text do "
            "with the numbers of several layers?",
        ),
        Misconception(
            "counts-for-probabilities",
            any_of(
                changed(
                    balance,
                    SHARE,
                    "share = likely = its.softmax(-1).mean(0)",
                    "share = k * its.softmax(-1).mean(0)",
                ),
                changed(
                    balance,
                    "count = torch.bincount(chosen.flatten(), minlength=E)",
                    "count = its.softmax(-1).sum(0)",
                    "count = k * its.softmax(-1).sum(0)",
                ),
                changed(balance, LIKELY, "likely = share / k", "likely = share"),
            ),
            "Both of your factors are counts, or both are probabilities. Which one says how much "
            "an expert has to do, and which one has a slope?",
        ),
        Misconception(
            "first-choices-only",
            changed(balance, CHOSEN, "its.argmax(-1)"),
            "You count only the expert that each token likes best. How many does it ask?",
        ),
        Misconception(
            "shares-of-the-choices",
            changed(balance, "len(its)", "count.sum()"),
            "Your shares add up to one, whatever k is. A share of what is asked for: of the "
            "choices, or of the tokens?",
        ),
        Misconception(
            "number-of-experts-missing",
            changed(
                balance,
                LOSS,
                "loss = loss + (share * likely).sum()",
                "loss = loss + k * (share * likely).sum()",
                "loss = loss + E * (share * likely).mean()",
            ),
            "The factor in front of your sum is another one. If all experts get the same, what "
            "should your loss be, and what is it?",
        ),
        Misconception(
            "other-probabilities",
            changed(
                balance,
                LIKELY,
                "likely = torch.zeros_like(its).scatter(-1, chosen, "
                "its.gather(-1, chosen).softmax(-1)).mean(0)",
                "likely = torch.zeros_like(its).scatter(-1, chosen, "
                "its.softmax(-1).gather(-1, chosen)).mean(0)",
                "likely = its.mean(0).softmax(-1)",
            ),
            "Your probabilities are not the means of those that a softmax gives all experts. What "
            "does an expert get that nobody has chosen, and what comes first, softmax or mean?",
        ),
        Misconception(
            "counts-not-handed-back",
            changed(
                balance,
                "counts.append(count)",
                "counts.append(share)",
                "counts.append(likely)",
            ),
            "Your loss is right, but what you hand back beside it are no counts. What do they add "
            "up to in each layer?",
        ),
        Misconception(
            "texts-apart",
            any_of(texts_apart),
            "You balance each text by itself. May one text be about the weather, if the batch as "
            "a whole is even?",
        ),
        OTHER_EXPERTS_CHOSEN.by(
            changed(balance, CHOSEN, "its.topk(k, dim=-1, largest=False).indices"),
        ),
        RESULTS_IN_ANOTHER_ORDER.by(changed(balance, RETURN, "return torch.stack(counts), loss")),
    ),
    compare=CLOSE,
)
