"""Build cross-attention: the target asks, the source answers."""

import math

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import draw_tensor, near, visible
from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    ANOTHER_SUM,
    CAUSAL_ON_THE_SOURCE,
    MASK_AXES,
    MASK_INVERTED,
    NOTHING_VISIBLE,
    ONE_SENTENCE_ONLY,
    OUT_OF_RANGE,
    PADDING_ON_THE_RIGHT,
    PADDING_SEEN,
    SOME_SIZES,
    SOURCE_ASKS,
    WRONG_AXIS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, changed, seen
from headway.tasks.engine.task import Case, Task


def cross_attention(x, memory, W_q, W_k, W_v, memory_mask):
    """softmax(Q Kᵀ / √D) V with Q = x W_q (B, T, D), K = memory W_k, V = memory W_v (B, S, ·)."""
    query, key, value = x @ W_q, memory @ W_k, memory @ W_v
    visible = memory_mask[:, None, :]
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~visible, -torch.inf).softmax(-1).nan_to_num(0.0)
    return weights @ value, weights


SIZES = "other numbers of sentences and tokens"
SIZE_LABELS = (
    "a target longer than its source",
    "a target as long as its source",
    "a source of one token",
    "a target of one token",
    "as many sentences as source and target tokens",
)
FAR = "words with scores far below zero, beside padding"


def cross_cases(rng: np.random.Generator) -> list[Case]:
    def draw(T, lengths, S, C=6, D=3, E=4):
        B = len(lengths)
        x, memory = draw_tensor(rng, B, T, C), draw_tensor(rng, B, S, C)
        weights = draw_tensor(rng, C, D), draw_tensor(rng, C, D), draw_tensor(rng, C, E)
        return x, memory, *weights, visible(*lengths, width=S)

    *given, _ = draw(3, [4, 4], 4)
    asking, *others = draw(6, [1] * 5, 3)
    scattered = torch.tensor([[True, False, True, True], [False, True, False, True]])
    return [
        Case("one sentence without padding", *draw(3, [5], 5), core=True),
        Case("shorter sources, padded", *draw(4, [2, 6, 3], 6), core=True),
        *(
            Case(label, *draw(*sizes), path=SIZES)
            for label, sizes in zip(
                SIZE_LABELS,
                [(6, [2, 3], 3), (4, [4, 3], 4), (3, [1], 1), (1, [4, 2], 4), (3, [3, 1, 2], 3)],
                strict=True,
            )
        ),
        Case("a source of padding only", *draw(2, [3, 0], 3)),
        Case("nothing but padding in the batch", *draw(3, [0, 0], 2)),
        Case("padding anywhere in the source", *given, scattered),
        Case(FAR, 20 * asking, *others),
    ]


MASK = "memory_mask[:, None, :]"
EVERYTHING = "torch.tensor(True)"
HIDE_AND_SHARE = "scores.masked_fill(~visible, -torch.inf).softmax(-1)"

(with_nan,) = changed(cross_attention, ".nan_to_num(0.0)", "")
(unmasked,) = changed(cross_attention, ".masked_fill(~visible, -torch.inf)", "")
(by_exponentials,) = changed(
    cross_attention,
    "weights = " + HIDE_AND_SHARE,
    "raised = scores.exp() * visible\n"
    "    weights = (raised / raised.sum(-1, keepdim=True).clamp(min=1e-9))",
)
(source_asks,) = changed(
    cross_attention, "x @ W_q, memory @ W_k, memory @ W_v", "memory @ W_q, x @ W_k, x @ W_v"
)
(all_from_x,) = changed(cross_attention, "memory @ W_k, memory @ W_v", "x @ W_k, x @ W_v")


def weights_show(shows):
    """By shows(weights, right weights, where words are, scores), all (B, T, S)."""

    def shown(got, expected, case) -> bool:
        x, memory, W_q, W_k, _, mask = case.inputs
        scores = ((x @ W_q) @ (memory @ W_k).mT / math.sqrt(W_q.shape[1])).numpy()
        words = np.broadcast_to(mask.numpy()[:, None], scores.shape)
        same = got[1].shape == scores.shape
        return bool(
            same and not near(got[1], expected[1]) and shows(got[1], expected[1], words, scores)
        )

    return shown


def sharpness(weights, among, scores) -> float | None:
    """The factor of the scores whose softmax the weights are, but for a factor of each row."""
    told = among & (weights > 1e-30)
    if not told.any():
        return None
    logs = np.log(np.where(told, weights, 1.0))
    top = np.where(told, scores, -np.inf).argmax(-1)[..., None]
    a, b = (np.where(told, y - np.take_along_axis(y, top, -1), 0) for y in (logs, scores))
    factor = float((a * b).sum() / (b * b).sum())
    return factor if np.allclose(a, factor * b, rtol=1e-3, atol=1e-2) else None


def asked_by_the_source(got, expected, case) -> bool:
    B, T, S = expected[1].shape
    return T != S and got[1].shape == (B, S, T) and not near(got[1], expected[1].mT)


def within_one_sentence(got, expected, case) -> bool:
    B, T, S = expected[1].shape
    return T != S and got[1].shape in ((B, T, T), (B, S, S))


def wrong_without_words(got, expected, case) -> bool:
    """Every row that is wrong has nothing but padding to look at."""
    wrong = ~np.isclose(got[1], expected[1], rtol=1e-3, atol=1e-4).all(-1)
    return bool(wrong.any() and not (wrong & case.inputs[-1].any(1).numpy()[:, None]).any())


def shared_by_queries(weights, right, words, scores) -> bool:
    """Columns sum to one, or all weights of a batch do, and rows don't."""
    totals = (weights.sum(axis) for axis in (-2, 0, (1, 2), None))
    ones = (np.nan_to_num(total).ravel() for total in totals)
    rows = near(weights.sum(-1), right.sum(-1))
    return not rows and any(
        (np.isclose(one, 1, atol=1e-3) | np.isclose(one, 0, atol=1e-3)).all() and (one > 0.5).any()
        for one in ones
    )


def in_a_triangle(weights, right, words, scores) -> bool:
    T, S = right.shape[1:]
    later = np.triu(np.ones((T, S), bool), 1) & words
    return bool(later.any() and not weights[later].any() and weights[~later & words].any())


cross = Task(
    id="13-translator/cross-attention",
    title="Cross-attention",
    kind="build",
    points=2,
    minutes=20,
    answer="cross_attention",
    cases=cross_cases,
    reference=cross_attention,
    misconceptions=(
        SOME_SIZES.by(only_at=SIZE_LABELS),
        PADDING_ON_THE_RIGHT.by(only_at=("padding anywhere in the source",)),
        SOURCE_ASKS.by(
            source_asks,
            changed(source_asks, MASK, "memory_mask[:, :, None]", EVERYTHING),
            shows=asked_by_the_source,
        ),
        ONE_SENTENCE_ONLY.by(
            all_from_x,
            changed(all_from_x, MASK, EVERYTHING),
            changed(cross_attention, "memory @ W_v", "x @ W_v"),
            shows=within_one_sentence,
        ),
        ANOTHER_FORM.by(
            changed(cross_attention, "weights @ value, weights", "weights, weights @ value"),
            shows=lambda got, expected, case: near(got[0], expected[1]),
        ),
        MASK_INVERTED.by(
            changed(cross_attention, "~visible", "visible"),
            shows=weights_show(
                lambda weights, right, words, scores: (
                    not (weights[words] > 0).any() and (words.all() or (weights[~words] > 0).any())
                )
            ),
        ),
        NOTHING_VISIBLE.by(
            with_nan,
            shows=wrong_without_words,
            only_at=("a source of padding only", "nothing but padding in the batch"),
        ),
        seen(
            "mix-and-weights-apart",
            "One of your mix and your weights is right, and the other isn't. Which vectors are "
            "weighed, and which of your steps ends with their weights?",
            lambda got, expected, case: near(got[0], expected[0]) or near(got[1], expected[1]),
        ),
        PADDING_SEEN.by(
            unmasked,
            shows=weights_show(
                lambda weights, right, words, scores: (
                    (weights[~words] > 0).any()
                    and near(weights.sum(-1), np.ones(right.shape[:2]))
                    and sharpness(weights, scores > -np.inf, scores)
                )
            ),
        ),
        Misconception(
            "padding-takes-weight",
            changed(
                cross_attention,
                HIDE_AND_SHARE,
                "(scores.softmax(-1) * visible)",
                "scores.masked_fill(~visible, -50.0).softmax(-1).masked_fill(~visible, 0.0)",
            ),
            "Padding takes part in the softmax, even where it adds nothing to the mix. Which "
            "score gets no share of the weight at all?",
            shows=weights_show(
                lambda weights, right, words, scores: (
                    (weights[~words] > 0).any()
                    or near(weights, words * torch.tensor(scores).softmax(-1).numpy())
                )
            ),
        ),
        OUT_OF_RANGE.by(by_exponentials, only_at=(FAR,)),
        CAUSAL_ON_THE_SOURCE.by(
            changed(
                cross_attention,
                MASK,
                f"{MASK} & torch.ones(x.shape[1], memory.shape[1]).bool().tril()",
            ),
            shows=weights_show(in_a_triangle),
        ),
        WRONG_AXIS.by(
            changed(cross_attention, "softmax(-1)", "softmax(-2)"),
            shows=weights_show(shared_by_queries),
        ),
        MASK_AXES.by(
            changed(cross_attention, MASK, "memory_mask", "memory_mask[:, :, None]"),
            changed(with_nan, MASK, "memory_mask", "memory_mask[:, :, None]"),
            shows=weights_show(
                lambda weights, right, words, scores: (
                    np.nan_to_num(weights).any(-1) < words.any(-1)
                ).any()
            ),
        ),
        Misconception(
            "wrong-scale",
            changed(cross_attention, "math.sqrt(query.shape[-1])", "1"),
            "Your weights are too sharp or too even. How many products are added up in one score, "
            "and what of that number keeps the spread of the scores near one?",
            shows=weights_show(
                lambda weights, right, words, scores: (
                    abs((sharpness(weights, words, scores) or 1) - 1) > 1e-3
                )
            ),
        ),
        ANOTHER_SUM.by(
            shows=weights_show(
                lambda weights, right, words, scores: not near(weights.sum(-1), right.sum(-1))
            )
        ),
        seen(
            "other-scores",
            "Your weights sum to one, and they aren't the softmax of the scores of the text. Which "
            "two vectors make a score, by which matrices, and what makes it a weight?",
            weights_show(
                lambda weights, right, words, scores: near(weights.sum(-1), right.sum(-1))
            ),
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),  # single precision will do
)
