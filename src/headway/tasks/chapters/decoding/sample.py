"""Build sampling: temperature, then top-k, then top-p, and one random number for each row."""

import numpy as np

from headway.tasks.chapters.decoding.draw import CLEAR, draw_logits, softmax
from headway.tasks.chapters.decoding.mistakes import (
    CHANCE_FROM_ELSEWHERE,
    FILTER_IGNORED,
    LIKELIEST_ALWAYS,
    ONE_PLACE_OFF,
    ORDER_NOT_UNDONE,
    ROWS_MIXED,
    STEPS_IN_ANOTHER_ORDER,
    SUMMED_IN_ANOTHER_ORDER,
    TEMPERATURE_MISPLACED,
    TEMPERATURE_UPSIDE_DOWN,
    TEMPERATURE_WITHOUT_EFFECT,
)
from headway.tasks.chapters.decoding.top_k import top_k
from headway.tasks.chapters.decoding.top_p import NEAR, top_p
from headway.tasks.engine.compare import equal
from headway.tasks.engine.duties import LARGE_NUMBERS
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

COLD = "temperature zero"
BOTH = "two filters at once"


def sample(logits, T, k, p, seed):
    """Token ids (B,): T = 0 is greedy; k and p may be None."""
    numbers = np.random.default_rng(seed).random(len(logits))
    if T == 0:
        return logits.argmax(axis=1)
    weights = softmax(logits / T)
    if k is not None:
        weights = top_k(weights, k)
    if p is not None:
        weights = top_p(weights, p)
    return (weights.cumsum(axis=1) <= numbers[:, None]).sum(axis=1)


def sample_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, V, T, k=None, p=None, scale=1.5):
        """No choice hangs by a hair."""
        while True:
            logits, seed = draw_logits(rng, B, V, scale=scale), int(rng.integers(10_000))
            weights = softmax(logits / T) if T else softmax(logits)
            if k is not None:
                weights = top_k(weights, k)
            if p is not None:
                sums = -np.sort(-weights, axis=1).cumsum(axis=1)
                if abs(abs(sums) - p).min() < NEAR / 10:
                    continue
                weights = top_p(weights, p)
            numbers = np.random.default_rng(seed).random(B)[:, None]
            alike = len(set(logits.round(2).flatten().tolist())) < 3
            if not alike and abs(weights.cumsum(axis=1) - numbers).min() > CLEAR / B:
                return logits, T, k, p, seed

    tied = draw_logits(rng, 6, 5)
    tied[np.arange(6), rng.integers(0, 5, 6)] = tied[np.arange(6), rng.integers(0, 5, 6)] = 7.5
    excluded = draw(30, 6, 0.8)
    excluded[0][np.arange(30), rng.integers(0, 6, 30)] = -np.inf
    wide = draw(40, 9, 0.6, 5, 0.8, 2.0)
    return [
        Case("a low temperature", *draw(60, 6, 0.5), core=True),
        Case("top-k alone", *draw(60, 8, 1.0, k=3), core=True),
        Case("top-p alone", *draw(60, 8, 1.0, p=0.7), core=True),
        Case("no filter", *draw(40, 6, 1.0)),
        Case("a high temperature", *draw(60, 6, 3.0)),
        Case("temperature zero", *draw(8, 7, 0), path=COLD),
        Case("temperature zero, filters given", *draw(8, 7, 0, 4, 0.9), path=COLD),
        Case("temperature zero, equals", tied, 0, None, None, 5, path=COLD),
        Case("top-k and top-p", *draw(80, 8, 1.0, 4, 0.75), path=BOTH),
        Case("everything at once", *wide, path=BOTH),
        Case("everything at once, hot", *draw(80, 9, 2.0, 4, 0.6, 2.5), path=BOTH),
        Case("tokens that are excluded already", *excluded),
        Case("a low temperature and large logits", *draw(20, 6, 0.05, scale=60.0)),
    ]


TEMPERED = "softmax(logits / T)"
NUMBERS = "np.random.default_rng(seed).random(len(logits))"
DRAWN = "(weights.cumsum(axis=1) <= numbers[:, None]).sum(axis=1)"
ZERO = "if T == 0:\n        return logits.argmax(axis=1)"
TOP_K = "    if k is not None:\n        weights = top_k(weights, k)\n"
TOP_P = "    if p is not None:\n        weights = top_p(weights, p)\n"


def shared(weights):
    return weights / weights.sum(axis=1, keepdims=True)


sample_task = Task(
    id="14-decoding/sample",
    title="Temperature, filters, chance",
    kind="build",
    points=2,
    minutes=15,
    answer="sample",
    cases=sample_cases,
    reference=sample,
    excused=("lost-when-alone",),  # a row's random number depends on the rows before it
    misconceptions=(
        TEMPERATURE_UPSIDE_DOWN.by(changed(sample, TEMPERED, "softmax(logits * T)")),
        TEMPERATURE_MISPLACED.by(
            changed(sample, TEMPERED, "softmax(softmax(logits) / T)"),
        ),
        TEMPERATURE_WITHOUT_EFFECT.by(
            changed(sample, TEMPERED, "softmax(logits)"),
        ),
        Misconception(
            "temperature-zero-divides",
            any_of(
                changed(sample, ZERO, "T = T"),
                changed(sample, ZERO, "T = max(T, 0.1)", "T = T or 1.0", "T = max(T, 1e-9)"),
            ),
            "This is right but at temperature 0, where you divide by zero or by something close "
            "to it, or draw as usual. What does the text say about T = 0?",
        ),
        LIKELIEST_ALWAYS.by(changed(sample, DRAWN, "weights.argmax(axis=1)")),
        FILTER_IGNORED.by(
            changed(sample, TOP_K, ""),
            changed(sample, TOP_P, ""),
            changed(sample, "    if p is not None", "    elif p is not None"),
            changed(sample, TOP_K + TOP_P, ""),
        ),
        STEPS_IN_ANOTHER_ORDER.by(
            changed(
                *changed(sample, TEMPERED, "softmax(logits)"),
                "return (weights",
                "weights = shared(weights ** (1 / T))\n    return (weights",
            ),
            changed(sample, TOP_K + TOP_P, TOP_P + TOP_K),
            changed(
                sample,
                "weights = top_p(weights, p)",
                "weights = shared(np.where(top_p(softmax(logits / T), p) > 0, weights, 0.0))",
            ),
        ),
        ROWS_MIXED.by(
            changed(sample, NUMBERS, "np.full(len(logits), np.random.default_rng(seed).random())"),
        ),
        CHANCE_FROM_ELSEWHERE.by(
            changed(
                sample,
                NUMBERS,
                "np.random.RandomState(seed).random(len(logits))",
                "np.random.default_rng(seed).random(len(logits))[::-1]",
                "1 - np.random.default_rng(seed).random(len(logits))",
                "np.random.default_rng(seed).random(logits.shape)[:, 0]",
            ),
        ),
        LARGE_NUMBERS.by(
            changed(sample, TEMPERED, "shared(np.exp(logits / T))", "softmax(logits) ** (1 / T)")
        ),
        ONE_PLACE_OFF.by(
            changed(
                sample,
                DRAWN,
                "(weights.cumsum(axis=1) <= numbers[:, None]).sum(axis=1) - 1",
                "(weights.cumsum(axis=1) <= numbers[:, None]).sum(axis=1) + 1",
                "(weights.cumsum(axis=1) > numbers[:, None]).sum(axis=1)",
                "((weights.cumsum(axis=1) <= numbers[:, None]).sum(axis=1) - 1).clip(min=0)",
                "((weights.cumsum(axis=1) <= numbers[:, None]).sum(axis=1) + 1)"
                ".clip(max=weights.shape[1] - 1)",
            )
        ),
        ORDER_NOT_UNDONE.by(
            changed(
                sample,
                DRAWN,
                "((-np.sort(-weights, 1)).cumsum(axis=1) <= numbers[:, None]).sum(axis=1)",
            ),
        ),
        SUMMED_IN_ANOTHER_ORDER.by(
            changed(
                sample,
                DRAWN,
                "np.take_along_axis(order := np.argsort(-weights, 1, kind='stable'), "
                "(np.take_along_axis(weights, order, 1).cumsum(1) <= numbers[:, None])"
                ".sum(1)[:, None], 1)[:, 0]",
            ),
        ),
    ),
    compare=equal(),
)
