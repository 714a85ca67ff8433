"""Build sampling: temperature, then top-k, then top-p, and one random number for each row."""

import numpy as np

from headway.tasks.chapters.decoding.draw import CLEAR, draw_logits, softmax
from headway.tasks.chapters.decoding.drawn import gives, how_tokens_are_drawn, ids_of
from headway.tasks.chapters.decoding.mistakes import (
    EXCLUDED_MISTAKEN,
    FILTER_IGNORED,
    LIKELIEST_ALWAYS,
    ORDER_NOT_UNDONE,
    SOME_NUMBERS,
    STEPS_IN_ANOTHER_ORDER,
    SUMMED_IN_ANOTHER_ORDER,
    TEMPERATURE_MISPLACED,
    TEMPERATURE_UPSIDE_DOWN,
    TEMPERATURE_WITHOUT_EFFECT,
    TIES_BROKEN_OTHERWISE,
)
from headway.tasks.chapters.decoding.top_k import top_k
from headway.tasks.chapters.decoding.top_p import NEAR, top_p
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.requirements import LARGE_NUMBERS
from headway.tasks.engine.task import Case, Task

COLD, EQUALS = "temperature zero", "temperature zero, equals"
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
        Case(EQUALS, tied, 0, None, None, 5, path=COLD),
        Case("top-k and top-p", *draw(80, 8, 1.0, 4, 0.75), path=BOTH),
        Case("everything at once", *wide, path=BOTH),
        Case("everything at once, hot", *draw(80, 9, 2.0, 4, 0.6, 2.5), path=BOTH),
        Case("tokens that are excluded already", *excluded),
        Case("a low temperature and large logits", *draw(20, 6, 0.05, scale=60.0)),
    ]


TEMPERED = "softmax(logits / T)"
NUMBERS = "np.random.default_rng(seed).random(len(logits))"
DRAWN = "(weights.cumsum(axis=1) <= numbers[:, None]).sum(axis=1)"
TOP_K = "    if k is not None:\n        weights = top_k(weights, k)\n"
TOP_P = "    if p is not None:\n        weights = top_p(weights, p)\n"


def right_probabilities(case: Case) -> tuple[np.ndarray, float]:
    """What is drawn from, (B, V), and the temperature, which is not 0."""
    logits, T, k, p, _ = case.inputs
    weights = softmax(logits / T)
    weights = weights if k is None else top_k(weights, k)
    return weights if p is None else top_p(weights, p), T


def in_another_order(got, expected, case) -> bool:
    """Whether sums from the likeliest, the least likely or the last token explain the ids."""
    (weights, _), seed = right_probabilities(case), case.inputs[-1]
    numbers = np.random.default_rng(seed).random((len(weights), 1))
    keys = (-weights, weights, -np.arange(weights.shape[1]) + 0 * weights)
    orders = (np.argsort(key, axis=1, kind="stable") for key in keys)
    return any(
        np.array_equal(
            np.take_along_axis(
                order,
                (np.take_along_axis(weights, order, axis=1).cumsum(axis=1) <= numbers).sum(
                    axis=1, keepdims=True
                ),
                axis=1,
            )[:, 0],
            ids_of(got, expected),
        )
        for order in orders
    )


def another_of_equals(got, expected, case) -> bool:
    logits, T = case.inputs[:2]
    return T == 0 and np.array_equal(
        np.take_along_axis(logits, ids_of(got, expected)[:, None], axis=1)[:, 0], logits.max(axis=1)
    )


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
        TIES_BROKEN_OTHERWISE.by(
            changed(
                sample,
                "logits.argmax(axis=1)",
                "logits.shape[1] - 1 - logits[:, ::-1].argmax(axis=1)",
            ),
            shows=another_of_equals,
        ),
        Misconception(
            "temperature-zero-divides",
            changed(sample, "if T == 0:\n        return logits.argmax(axis=1)", "T = max(T, 0.1)"),
            "It goes wrong at temperature 0. Do you divide by it, or by something close to it, "
            "or draw as usual? What does the text say about T = 0?",
            only_at=(
                "temperature zero",
                "temperature zero, filters given",
                EQUALS,
            ),
        ),
        LARGE_NUMBERS.by(
            changed(sample, TEMPERED, "softmax(logits) ** (1 / T)"),
            only_at=("a low temperature and large logits",),
        ),
        EXCLUDED_MISTAKEN.by(only_at=("tokens that are excluded already",)),
        SOME_NUMBERS.by(only_at=("no filter", "a high temperature")),
        TEMPERATURE_UPSIDE_DOWN.by(
            changed(sample, TEMPERED, "softmax(logits * T)"),
            shows=gives(sample, lambda T, k, p: (1 / T, k, p)),
        ),
        TEMPERATURE_WITHOUT_EFFECT.by(
            changed(sample, TEMPERED, "softmax(logits)"),
            shows=gives(sample, lambda T, k, p: (1.0, k, p)),
        ),
        TEMPERATURE_MISPLACED.by(
            changed(sample, TEMPERED, "softmax(softmax(logits) / T)"),
            shows=gives(sample, lambda T, k, p: (T * T, k, p)),
        ),
        LIKELIEST_ALWAYS.by(
            changed(sample, DRAWN, "weights.argmax(axis=1)"),
            shows=gives(sample, lambda T, k, p: (0, k, p)),
        ),
        FILTER_IGNORED.by(
            changed(sample, TOP_K, ""),
            shows=gives(
                sample,
                lambda T, k, p: (T, None, p),
                lambda T, k, p: (T, k, None),
                lambda T, k, p: (T, None, None),
            ),
        ),
        STEPS_IN_ANOTHER_ORDER.by(
            changed(sample, TOP_K + TOP_P, TOP_P + TOP_K),
            only_at=("top-k and top-p", "everything at once", "everything at once, hot"),
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
            shows=in_another_order,
        ),
        *how_tokens_are_drawn(
            right_probabilities,
            changed(sample, NUMBERS, "np.full(len(logits), np.random.default_rng(seed).random())"),
            changed(sample, NUMBERS, "np.random.RandomState(seed).random(len(logits))"),
        ),
    ),
    compare=equal(),
)
