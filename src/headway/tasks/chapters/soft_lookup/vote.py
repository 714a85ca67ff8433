"""Predict: a mixture of votes worked out by hand."""

import math

from headway.tasks.chapters.soft_lookup.mistakes import (
    ANOTHER_WORD_AS_TARGET,
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
    EQUAL_WEIGHTS.by(_mixed([1 / 3] * 3)),
    NOT_NORMALIZED.by(_mixed((3, 2, 1))),
    SCORES_FOR_WEIGHTS.by(_mixed(SCORES), _mixed(s / sum(SCORES) for s in SCORES)),
    WINNER_TAKES_ALL.by(1.0),
    ANOTHER_WORD_AS_TARGET.by(7 / 24),
    Misconception(
        "votes-added",
        _sum(*DOWN),
        "This adds up the votes, as in chapter 3. What do the weights sum to?",
    ),
    Misconception(
        "own-weight-only",
        0.5,
        "This is the weight of the first feature times its vote. Do the other two features "
        "say nothing for down?",
    ),
    minutes=4,
    answer="vote",
)
