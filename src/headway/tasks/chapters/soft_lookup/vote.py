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

vote = by_hand(
    "04-soft-lookup/vote",
    "A mixture of votes",
    0.75,
    EQUAL_WEIGHTS.by(2 / 3),
    NOT_NORMALIZED.by(3.0),
    SCORES_FOR_WEIGHTS.by(round(math.log(2), 4)),
    WINNER_TAKES_ALL.by(1.0),
    ANOTHER_WORD_AS_TARGET.by(0.25),
    Misconception(
        "votes-added",
        2.0,
        "This adds up the votes, as in chapter 3. What do the weights sum to?",
    ),
    Misconception(
        "own-weight-only",
        0.5,
        "This is the weight of the first feature times its vote. Do the other two features "
        "say nothing for down?",
    ),
    minutes=3,
    answer="vote",
)
