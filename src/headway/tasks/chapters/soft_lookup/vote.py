"""Predict: a mixture of votes worked out by hand."""

import math

from headway.tasks.chapters.soft_lookup.mistakes import (
    EQUAL_WEIGHTS,
    NOT_NORMALIZED,
    SCORES_FOR_WEIGHTS,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

SCORES = (math.log(3), math.log(2), 0)
DOWN = (1, 1 / 2, 1 / 4)


def _sum(*products: float) -> float:
    return round(sum(products), 4)


def _mixed(weights) -> float:
    return _sum(*(w * v for w, v in zip(weights, DOWN, strict=True)))


vote = by_hand(
    "04-soft-lookup/vote",
    "A mixture of votes",
    17 / 24,  # 1/2 · 1 + 1/3 · 1/2 + 1/6 · 1/4
    EQUAL_WEIGHTS.by(_mixed([1 / 3] * 3), _sum(*DOWN)),
    NOT_NORMALIZED.by(_mixed((3, 2, 1))),
    SCORES_FOR_WEIGHTS.by(_mixed(SCORES), _mixed(s / sum(SCORES) for s in SCORES)),
    WINNER_TAKES_ALL.by(1.0, 0.5),
    Misconception(
        "another-word-as-target",
        7 / 24,
        "This is the probability of another word. Which word is asked for?",
    ),
    minutes=4,
    answer="vote",
)
