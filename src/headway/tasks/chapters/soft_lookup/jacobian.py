"""Build the matrix of a softmax's derivatives."""

import numpy as np

from headway.tasks.chapters.soft_lookup.mistakes import (
    DOUBLE_SOFTMAX,
    OWN_WEIGHT_ALONE_MOVES,
    SIGN_FLIPPED,
    TEMPERATURE_FORGOTTEN_IN_SLOPES,
    TEMPERATURE_MULTIPLIED,
    TEMPERATURE_NOT_ON_THE_SCORES,
)
from headway.tasks.chapters.soft_lookup.softmax import softmax
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task

TEMPERATURE = "the temperature"


def softmax_jacobian(scores, temperature=1.0):
    """∂p_i/∂s_j = p_i (δ_ij − p_j) / τ."""
    p = softmax(scores, temperature)
    return (np.diag(p) - np.outer(p, p)) / temperature


def jacobian_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size):
        return np.round(rng.normal(size=size), 2)

    return [
        Case("four scores", draw(4), core=True),
        Case("a low temperature", draw(3), 0.5, path=TEMPERATURE),
        Case("a high temperature", draw(3), 4.0, path=TEMPERATURE),
        Case("a single score", draw(1)),
    ]


MATRIX = "np.diag(p) - np.outer(p, p)"

jacobian = Task(
    id="04-soft-lookup/jacobian",
    title="How every weight depends on every score",
    kind="build",
    points=1,
    minutes=12,
    answer="softmax_jacobian",
    cases=jacobian_cases,
    reference=softmax_jacobian,
    misconceptions=(
        OWN_WEIGHT_ALONE_MOVES.by(
            changed(softmax_jacobian, MATRIX, "np.diag(p * (1 - p))", "p * (1 - p)", "np.diag(p)")
        ),
        Misconception(
            "diagonal-forgotten",
            changed(softmax_jacobian, MATRIX, "-np.outer(p, p)"),
            "On your diagonal, a weight falls when its own score rises. A weight has its own score "
            "in it twice, above and below the bar: which of the two is missing?",
        ),
        Misconception(
            "wrong-off-the-diagonal",
            changed(
                softmax_jacobian,
                MATRIX,
                "np.outer(p, 1 - p)",
                "np.outer(p, p) + np.diag(p - 2 * p * p)",
                "np.diag(p) - p * p",
                "np.diag(p) - (p * p)[:, None]",
            ),
            "Your diagonal is right, and the rest is not. If one score rises, do the other weights "
            "rise or fall, and which two weights decide how far?",
        ),
        SIGN_FLIPPED.by(changed(softmax_jacobian, MATRIX, "np.outer(p, p) - np.diag(p)")),
        Misconception(
            "slopes-of-the-logarithm",
            changed(softmax_jacobian, MATRIX, "np.eye(len(p)) - p"),
            "These are the slopes of the logarithms of the weights. Which slopes are asked for?",
        ),
        TEMPERATURE_FORGOTTEN_IN_SLOPES.by(
            changed(softmax_jacobian, ") / temperature", ")", ") / temperature**2")
        ),
        TEMPERATURE_MULTIPLIED.by(changed(softmax_jacobian, "/ temperature", "* temperature")),
        TEMPERATURE_NOT_ON_THE_SCORES.by(
            lambda scores, temperature=1.0: softmax_jacobian(scores),
            changed(softmax_jacobian, "softmax(scores, temperature)", "softmax(scores)"),
        ),
        DOUBLE_SOFTMAX.by(
            lambda scores, temperature=1.0: softmax_jacobian(
                softmax(scores, temperature), temperature
            )
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
