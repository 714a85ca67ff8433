"""Build the matrix of a softmax's derivatives."""

import numpy as np

from headway.tasks.chapters.soft_lookup.softmax import softmax
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def softmax_jacobian(scores, temperature=1.0):
    """∂p_i/∂s_j = p_i (δ_ij − p_j) / τ."""
    p = softmax(scores, temperature)
    return (np.diag(p) - np.outer(p, p)) / temperature


def jacobian_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size):
        return np.round(rng.normal(size=size), 2)

    return [
        Case("four scores", draw(4), core=True),
        Case("a low temperature", draw(3), 0.5),
        Case("a high temperature", draw(3), 4.0),
        Case("a single score", draw(1)),
    ]


def _from_weights(matrix):
    def jacobian_of(scores, temperature=1.0):
        return matrix(softmax(scores, temperature)) / temperature

    return jacobian_of


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
        Misconception(
            "diagonal-only",
            _from_weights(lambda p: np.diag(p * (1 - p))),
            "The diagonal is right, and all else is 0. If one score rises, do the other weights "
            "stay as they are?",
        ),
        Misconception(
            "diagonal-as-vector",
            lambda scores, temperature=1.0: np.diag(softmax_jacobian(scores, temperature)),
            "These are the slopes of each weight with respect to its own score. How many weights "
            "does one score change?",
        ),
        Misconception(
            "diagonal-forgotten",
            _from_weights(lambda p: -np.outer(p, p)),
            "Off the diagonal it is right. Here a weight falls when its own score rises. A weight "
            "has its own score in it twice, above and below the bar. Which part is missing?",
        ),
        Misconception(
            "product-forgotten",
            _from_weights(np.diag),
            "This would be right if the sum below the fraction bar were fixed. Does it depend on "
            "the scores?",
        ),
        Misconception(
            "one-minus-everywhere",
            _from_weights(lambda p: np.outer(p, 1 - p)),
            "Your diagonal is right. Off the diagonal all slopes are positive. Weights sum to one: "
            "what must the slopes in a column add up to?",
        ),
        Misconception(
            "off-diagonal-sign",
            _from_weights(lambda p: np.outer(p, p) + np.diag(p - 2 * p * p)),
            "Your diagonal is right, and off the diagonal the sign is wrong. If one score rises, "
            "do the other weights rise with it?",
        ),
        Misconception(
            "sign-flipped",
            _from_weights(lambda p: np.outer(p, p) - np.diag(p)),
            "Every slope has the other sign. Does a weight rise or fall with its own score?",
        ),
        Misconception(
            "logarithm-instead",
            _from_weights(lambda p: np.eye(len(p)) - p),
            "These are the slopes of the logarithms of the weights. What is asked for is the "
            "weights themselves.",
        ),
        Misconception(
            "temperature-forgotten",
            lambda scores, temperature=1.0: temperature * softmax_jacobian(scores, temperature),
            "Right at temperature 1. If a score rises by a little, by how much does the score "
            "divided by the temperature rise?",
        ),
        Misconception(
            "temperature-multiplied",
            lambda scores, temperature=1.0: temperature**2 * softmax_jacobian(scores, temperature),
            "Right at temperature 1. You multiply by the temperature. If a score rises a little, "
            "does the score divided by a high temperature rise by more or by less?",
        ),
        Misconception(
            "temperature-ignored",
            lambda scores, temperature=1.0: softmax_jacobian(scores),
            "Your slopes are the same at every temperature. The weights depend on it, and so does "
            "how much a score divided by it rises when the score rises: where do both come in?",
        ),
        Misconception(
            "weights-twice",
            lambda scores, temperature=1.0: softmax_jacobian(
                softmax(scores, temperature), temperature
            ),
            "You took a softmax of the weights once more before the slopes. What does the function "
            "get: scores or weights?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
