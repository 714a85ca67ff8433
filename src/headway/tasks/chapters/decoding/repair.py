"""Debug: a floor for what is likely, and weights that the temperature has changed."""

import numpy as np

from headway.tasks.chapters.decoding.draw import CLEAR, draw_logits
from headway.tasks.chapters.decoding.drawn import gives, how_tokens_are_drawn, ids_of
from headway.tasks.chapters.decoding.kept import likeliest
from headway.tasks.chapters.decoding.mistakes import (
    AT_AN_EDGE,
    EQUALITY_MISTAKEN,
    FILTER_IGNORED,
    LIKELIEST_ALWAYS,
    SOME_NUMBERS,
    TEMPERATURE_MISPLACED,
    TEMPERATURE_UPSIDE_DOWN,
    TEMPERATURE_WITHOUT_EFFECT,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def draw(logits, T, floor, numbers):
    """Ids (B,) of tokens drawn at temperature T, none much less likely than the likeliest."""
    logits = logits - logits.max(axis=1, keepdims=True)
    weights = np.exp(logits / T)
    weights = np.where(np.exp(logits) < floor, 0.0, weights)
    heights = weights.cumsum(axis=1)
    aims = numbers[:, None] * heights[:, -1:]
    return (heights <= aims).sum(axis=1)


LOW = "np.exp(logits) < floor"

# The faulty function that the notebook hands out.
(given_draw,) = changed(draw, LOW, "weights < floor")


def cases(rng: np.random.Generator) -> list[Case]:
    def one(B, V, T, floor, scale=1.5):
        while True:
            logits, numbers = draw_logits(rng, B, V, scale=scale), rng.random(B).round(4)
            shares = np.exp(logits - logits.max(axis=1, keepdims=True))
            shares = np.where(shares < floor, 0.0, shares) ** (1 / T)
            shares /= shares.sum(axis=1, keepdims=True)
            if abs(shares.cumsum(axis=1) - numbers[:, None]).min() > CLEAR / B:
                return logits, T, floor, numbers

    # The likeliest token comes twice, and weighs as much as the floor.
    twice, T, _, numbers = one(20, 6, 1.5, 0.0)
    first = rng.integers(0, 6, 20)
    twice[np.arange(20), first] = twice[np.arange(20), (first + rng.integers(1, 6, 20)) % 6] = 7.5
    numbers = np.where(abs(numbers - 0.5) < 0.01, 0.6, numbers)
    # A number of 0 aims at the first token that is left, and the first of all is not.
    low, *_ = one(5, 7, 1.0, 0.0)
    low[:, 0] = -9.0
    bare = "no floor"
    return [
        Case("cold, unlikely tokens excluded", *one(60, 7, 0.4, 0.3), core=True),
        Case("hot, unlikely tokens excluded", *one(60, 7, 3.0, 0.15), core=True),
        Case("a low temperature, no floor", *one(50, 6, 0.5, 0.0), path=bare),
        Case("a high temperature, no floor", *one(50, 6, 2.5, 0.0), path=bare),
        Case("temperature one", *one(40, 6, 1.0, 0.0), path="temperature one"),
        Case("temperature one, unlikely tokens excluded", *one(40, 7, 1.0, 0.2)),
        Case("tokens that weigh as much as the floor", twice, T, 1.0, numbers),
        Case("numbers of 0, the first token excluded", low, 1.0, 0.01, np.zeros(5)),
        Case("one text", *one(1, 30, 1.5, 0.05)),
        Case("only the likeliest is left", *one(12, 5, 2.0, 0.999)),
    ]


WEIGHTS = "weights = np.exp(logits / T)"
KEPT = "np.where(np.exp(logits) < floor, 0.0, weights)"


def right_probabilities(case: Case) -> tuple[np.ndarray, float]:
    """What is drawn from, (B, V), and the temperature."""
    logits, T, floor, _ = case.inputs
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = np.where(shares < floor, 0.0, shares ** (1 / T))
    return weights / weights.sum(axis=1, keepdims=True), T


def others_left_out(got, expected, case) -> bool:
    """Whether in each row some number of the likeliest tokens was left, and drawn from rightly."""
    logits, T, _, numbers = case.inputs
    ids = ids_of(got, expected)
    explained = ids == logits.shape[1]  # none was left, whatever the number
    if explained.all() or (explained.any() and numbers[explained].min() > 0.3):
        return False
    for count in range(1, logits.shape[1] + 1):
        left = np.where(likeliest(logits, np.full(len(logits), count)), logits, -np.inf)
        explained |= draw(left, T, 0.0, numbers) == ids
    return bool(explained.all())


repair_task = Task(
    id="14-decoding/repair",
    title="Repair the draw",
    kind="debug",
    points=2,
    minutes=12,
    answer="draw",
    cases=cases,
    reference=draw,
    given=given_draw,
    misconceptions=(
        EQUALITY_MISTAKEN.by(
            changed(draw, LOW, "np.exp(logits) <= floor"),
            only_at=("tokens that weigh as much as the floor",),
        ),
        AT_AN_EDGE.by(
            only_at=(
                "numbers of 0, the first token excluded",
                "a low temperature, no floor",
                "a high temperature, no floor",
                "one text",
                "only the likeliest is left",
            )
        ),
        SOME_NUMBERS.by(only_at=("temperature one", "temperature one, unlikely tokens excluded")),
        LIKELIEST_ALWAYS.by(
            changed(draw, "(heights <= aims).sum(axis=1)", "weights.argmax(axis=1)"),
            shows=lambda got, expected, case: np.array_equal(
                ids_of(got, expected), case.inputs[0].argmax(axis=1)
            ),
        ),
        FILTER_IGNORED.by(
            changed(draw, KEPT, "weights"), shows=gives(draw, lambda T, floor: (T, 0.0))
        ),
        TEMPERATURE_WITHOUT_EFFECT.by(
            changed(draw, WEIGHTS, "weights = np.exp(logits)"),
            shows=gives(draw, lambda T, floor: (1.0, floor)),
        ),
        TEMPERATURE_UPSIDE_DOWN.by(
            changed(draw, WEIGHTS, "weights = np.exp(logits * T)"),
            shows=gives(draw, lambda T, floor: (1 / T, floor)),
        ),
        TEMPERATURE_MISPLACED.by(
            changed(
                draw,
                KEPT,
                "np.where(np.exp(logits) < floor, 0.0, np.exp(np.exp(logits) / T))",
                "np.exp(np.where(np.exp(logits) < floor, 0.0, np.exp(logits)) / T)",
            ),
            shows=gives(draw, lambda T, floor: (T * T, floor)),
        ),
        Misconception(
            "floor-of-another-size",
            any_of(
                changed(
                    draw,
                    LOW,
                    "np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True) < floor",
                ),
                changed(draw, LOW, "logits < floor"),
            ),
            "You draw as if more of the likeliest tokens were left, or fewer. With what do you "
            "compare the floor, and of what is it a share by the text?",
            shows=others_left_out,
        ),
        *how_tokens_are_drawn(right_probabilities),
    ),
    compare=equal(),
)
