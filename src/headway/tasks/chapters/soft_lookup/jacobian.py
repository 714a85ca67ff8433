"""Build the matrix of a softmax's derivatives."""

import numpy as np

from headway.tasks.chapters.soft_lookup.mistakes import (
    DIAGONAL_ONLY,
    DOUBLE_SOFTMAX,
    FIXED_SUM,
    SIGN_FLIPPED,
    TEMPERATURE_FORGOTTEN_IN_SLOPES,
    TEMPERATURE_IGNORED,
    TEMPERATURE_MULTIPLIED,
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
        DIAGONAL_ONLY.by(
            changed(
                softmax_jacobian,
                MATRIX,
                "np.diag(p * (1 - p))",
                "p * (1 - p)",
            )
        ),
        Misconception(
            "diagonal-forgotten",
            changed(softmax_jacobian, MATRIX, "-np.outer(p, p)"),
            "Off the diagonal it is right. Here a weight falls when its own score rises. A weight "
            "has its own score in it twice, above and below the bar. Which part is missing?",
        ),
        FIXED_SUM.by(changed(softmax_jacobian, MATRIX, "np.diag(p)")),
        Misconception(
            "all-slopes-positive",
            changed(
                softmax_jacobian,
                MATRIX,
                "np.outer(p, 1 - p)",
                "np.outer(p, p) + np.diag(p - 2 * p * p)",
            ),
            "Your diagonal is right. Off the diagonal all slopes are positive. If one score rises, "
            "do the other weights rise with it, although the weights sum to one?",
        ),
        Misconception(
            "squares-for-the-outer-product",
            changed(
                softmax_jacobian, MATRIX, "np.diag(p) - p * p", "np.diag(p) - (p * p)[:, None]"
            ),
            "Your diagonal is right. Off it, a whole column or row holds the same square of one "
            "weight. How many numbers has p times p, and how many products of two weights are "
            "there?",
        ),
        SIGN_FLIPPED.by(changed(softmax_jacobian, MATRIX, "np.outer(p, p) - np.diag(p)")),
        Misconception(
            "slopes-of-the-logarithm",
            changed(softmax_jacobian, MATRIX, "np.eye(len(p)) - p"),
            "These are the slopes of the logarithms of the weights. The slopes of what are asked "
            "for?",
        ),
        TEMPERATURE_FORGOTTEN_IN_SLOPES.by(
            changed(softmax_jacobian, ") / temperature", ")", ") / temperature**2")
        ),
        TEMPERATURE_MULTIPLIED.by(changed(softmax_jacobian, "/ temperature", "* temperature")),
        TEMPERATURE_IGNORED.by(
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
