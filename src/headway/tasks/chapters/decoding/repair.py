"""Debug: a temperature that works on sums of probabilities."""

import numpy as np

from headway.tasks.chapters.decoding.draw import CLEAR, draw_logits
from headway.tasks.chapters.decoding.mistakes import (
    FILTER_IGNORED,
    LIKELIEST_ALWAYS,
    ONE_PLACE_OFF,
    TEMPERATURE_ON_PROBABILITIES,
    TEMPERATURE_ON_SUMS,
    TEMPERATURE_UPSIDE_DOWN,
    TEMPERATURE_WITHOUT_EFFECT,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def draw(logits, T, floor, numbers):
    """Ids (B,) of tokens drawn at temperature T, none much less likely than the likeliest."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = np.where(weights < floor, 0.0, weights)
    heights = (weights ** (1 / T)).cumsum(axis=1)
    aims = numbers[:, None] * heights[:, -1:]
    return (heights <= aims).sum(axis=1)


POWERS = "(weights ** (1 / T)).cumsum(axis=1)"

# The faulty function that the notebook hands out.
(given_draw,) = changed(draw, POWERS, "weights.cumsum(axis=1) ** (1 / T)")


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
    return [
        Case("a low temperature", *one(50, 6, 0.5, 0.0), core=True),
        Case("a high temperature", *one(50, 6, 2.5, 0.0), core=True),
        Case("temperature one", *one(40, 6, 1.0, 0.0)),
        Case("temperature one, unlikely tokens excluded", *one(40, 7, 1.0, 0.2), path="a floor"),
        Case("hot, unlikely tokens excluded", *one(60, 7, 3.0, 0.15), path="a floor"),
        Case("cold, unlikely tokens excluded", *one(60, 7, 0.4, 0.3), path="a floor"),
        Case("tokens that weigh as much as the floor", twice, T, 1.0, numbers),
        Case("numbers of 0, the first token excluded", low, 1.0, 0.01, np.zeros(5), path="a floor"),
        Case("one text", *one(1, 30, 1.5, 0.0)),
        Case("only the likeliest is left", *one(12, 5, 2.0, 0.999)),
    ]


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
        TEMPERATURE_UPSIDE_DOWN.by(
            changed(draw, POWERS, "(weights**T).cumsum(axis=1)", "weights.cumsum(axis=1) ** T")
        ),
        TEMPERATURE_ON_PROBABILITIES.by(
            changed(
                draw,
                POWERS,
                "np.where(weights > 0, np.exp(weights / T), 0.0).cumsum(axis=1)",
                "np.exp(weights / T).cumsum(axis=1)",
            )
        ),
        TEMPERATURE_WITHOUT_EFFECT.by(changed(draw, POWERS, "weights.cumsum(axis=1)")),
        TEMPERATURE_ON_SUMS.by(
            changed(
                draw,
                POWERS,
                "np.exp(weights.cumsum(axis=1) / T)",
                "(weights.cumsum(axis=1) - weights + 1) ** (1 / T)",
            )
        ),
        Misconception(
            "temperature-twice",
            changed(
                draw,
                POWERS,
                "(weights ** (1 / T)).cumsum(axis=1) ** (1 / T)",
                "(weights ** (1 / T) ** 2).cumsum(axis=1)",
            ),
            "At temperature 1 this is right; otherwise the temperature works twice. In which one "
            "place does it belong?",
        ),
        Misconception(
            "floor-moved",
            any_of(
                changed(
                    *changed(draw, POWERS, "weights.cumsum(axis=1)"),
                    "np.exp(logits - logits.max(axis=1, keepdims=True))",
                    "np.exp((logits - logits.max(axis=1, keepdims=True)) / T)",
                ),
                changed(draw, "weights < floor", "weights <= floor"),
            ),
            "This is right without a floor. With one, other tokens are left: it is compared with "
            "weights that the temperature has changed, or weights that equal it are gone. What "
            "does the text say of both?",
        ),
        FILTER_IGNORED.by(
            changed(draw, "np.where(weights < floor, 0.0, weights)", "weights"),
        ),
        Misconception(
            "aims-not-scaled",
            changed(draw, "numbers[:, None] * heights[:, -1:]", "numbers[:, None]"),
            "Your heights do not end at 1, and the random numbers do. How high is the last of a "
            "row's heights, and where in it should a number of 0.5 aim?",
        ),
        LIKELIEST_ALWAYS.by(
            changed(draw, "(heights <= aims).sum(axis=1)", "weights.argmax(axis=1)")
        ),
        ONE_PLACE_OFF.by(
            changed(
                draw,
                "(heights <= aims).sum(axis=1)",
                "(heights <= aims).sum(axis=1) - 1",
                "(heights > aims).sum(axis=1)",
                "(heights < aims).sum(axis=1)",
            )
        ),
    ),
    compare=equal(),
)
