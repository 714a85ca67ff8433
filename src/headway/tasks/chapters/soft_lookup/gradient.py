"""Predict: the gradient of a loss with respect to the scores of a mask, worked out by hand."""

import numpy as np

from headway.tasks.chapters.soft_lookup.mistakes import (
    LOGARITHM_FORGOTTEN,
    OWN_WEIGHT_ALONE_MOVES,
    P_MINUS_Y,
    SIGN_FLIPPED,
    STOPPED_AT_THE_SOFTMAX,
    TARGET_FORGOTTEN,
)
from headway.tasks.engine.by_hand import by_hand

W, V = np.array([1 / 2, 1 / 4, 1 / 4]), np.array([1, 1 / 2, 0])
P = W @ V  # 5/8

gradient = by_hand(
    "04-soft-lookup/gradient",
    "The gradient of a mask, without calculus",
    (W - W * V / P).tolist(),
    SIGN_FLIPPED.by((W * V / P - W).tolist()),
    TARGET_FORGOTTEN.by(W.tolist()),
    P_MINUS_Y.by((W - V).tolist(), (W - [1, 0, 0]).tolist(), [P - 1, 1 - P], P - 1),
    LOGARITHM_FORGOTTEN.by(*((W * x).tolist() for x in (P - V, V - P, 1 - V))),
    STOPPED_AT_THE_SOFTMAX.by((-V / P).tolist(), -1 / P),
    OWN_WEIGHT_ALONE_MOVES.by((-W * V / P).tolist(), (-W * (1 - W) * V / P).tolist()),
    minutes=4,
    answer="gradient",
)
