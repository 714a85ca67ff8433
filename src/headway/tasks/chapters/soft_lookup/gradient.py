"""Predict: the gradient of a loss, worked out by hand."""

from headway.tasks.chapters.soft_lookup.mistakes import (
    ANOTHER_WORD_AS_TARGET,
    RIGHT_WORD_ONLY,
    SIGN_FLIPPED,
    STOPPED_AT_THE_SOFTMAX,
    TARGET_FORGOTTEN,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, any_of

gradient = by_hand(
    "04-soft-lookup/gradient",
    "The gradient of the loss, without calculus",
    [0.2, 0.5, -0.7],
    SIGN_FLIPPED.by([-0.2, -0.5, 0.7]),
    TARGET_FORGOTTEN.by([0.2, 0.5, 0.3]),
    Misconception(
        "sign-of-the-right-word",
        any_of([0.2, 0.5, 0.7], [0.2, 0.5, 1.3]),
        "Two of the three are right. A step goes against the gradient: should it lower the logit "
        "of the right word, too?",
    ),
    RIGHT_WORD_ONLY.by([0, 0, -0.7]),
    STOPPED_AT_THE_SOFTMAX.by([0, 0, round(-1 / 0.3, 4)]),
    ANOTHER_WORD_AS_TARGET.by([-0.8, 0.5, 0.3], [0.2, -0.5, 0.3]),
    minutes=3,
    answer="gradient",
)
