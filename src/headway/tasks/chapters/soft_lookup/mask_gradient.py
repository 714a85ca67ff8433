"""Stretch: the gradient of scores and temperature by hand, from the loss back to the mask."""

import numpy as np

from headway.tasks.chapters.soft_lookup.mistakes import (
    LOGARITHM_FORGOTTEN,
    MEAN_MISCOUNTED,
    OWN_WEIGHT_ALONE_MOVES,
    P_MINUS_Y,
    PADDING_TAKES_WEIGHT,
    REPEATS_COUNT_ONCE,
    SIGN_FLIPPED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    STOPPED_AT_THE_SOFTMAX,
    TEMPERATURE_FORGOTTEN_IN_SLOPES,
    TEMPERATURE_MULTIPLIED,
    TEMPERATURE_NOT_ON_THE_SCORES,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def mask_gradient_by_hand(scores, temperature, votes, features, present, targets):
    """∂L/∂s_f = Σ a (1 − v / m) / (B τ) over the places of f, and ∂L/∂τ = −Σ_f s_f ∂L/∂s_f / τ."""
    exponents = np.where(present, scores[features] / temperature, -np.inf)
    a = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    a /= a.sum(axis=1, keepdims=True)  # weights (B, N)
    v = votes[features, targets[:, None]]  # votes for the right word (B, N)
    m = (a * v).sum(axis=1, keepdims=True)  # their mixture (B, 1)
    slopes = a * (1 - v / m) / len(features)  # with respect to s/τ at each place
    by_exponent = np.zeros(len(scores))
    np.add.at(by_exponent, features, slopes)
    gradient = by_exponent / temperature
    return gradient, -(gradient @ scores) / temperature


def backward_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rows, longest, lengths, temperature):
        scores = np.round(rng.normal(size=7), 2)
        votes = rng.dirichlet(np.ones(3), 7)
        features = np.array([rng.permutation(6)[:longest] + 1 for _ in range(rows)])
        present = np.arange(longest) < np.array(lengths)[:, None]
        features[~present] = 0
        return scores, temperature, votes, features, present, rng.integers(0, 3, rows)

    def grows_too_large(drawn):
        """Whether a thousand times as large a score in use has an exponential that overflows."""
        scores, _, _, features, *_ = drawn
        return scores[features].max() > 1

    def far_apart():
        """Two prefixes; the exponentials of both can be held, and of their difference cannot."""
        features = np.array([[1, 2, 3], [4, 5, 6]])
        scores, _, votes, _, present, targets = draw(2, 3, [3] * 2, 1.0)
        scores[1:] += np.repeat([600, -600], 3)
        return scores, 1.0, votes, features, present, targets

    shared = draw_until(grows_too_large, lambda: draw(5, 4, [4] * 5, 0.7))
    return [
        Case("prefixes that share features", *shared, core=True),
        Case("a single prefix", *draw(1, 4, [4], 1.0)),
        Case("a low temperature", *draw(4, 4, [4] * 4, 0.5)),
        Case("prefixes with scores far apart", *far_apart()),
        Case("a high temperature", *draw(2, 3, [3] * 2, 3.0)),
        Case("shorter prefixes, padded", *draw(4, 5, [5, 2, 3, 4], 2.0)),
        Case("one feature in each prefix", *draw(3, 1, [1] * 3, 1.5)),
        Case("as many prefixes as features in each", *draw(3, 3, [3, 2, 3], 0.8)),
    ]


SLOPES = "a * (1 - v / m)"
ADDED = "np.add.at(by_exponent, features, slopes)"
ADDED_ONCE = "by_exponent[features] += slopes"
TEMPERATURE = "-(gradient @ scores) / temperature"
BY_PLACES = "-(slopes * scores[features]).sum() / temperature**2"

mask_gradient = Task(
    id="04-soft-lookup/mask-gradient",
    title="Learn the temperature too",
    kind="stretch",
    points=4,
    minutes=25,
    answer="mask_gradient",
    cases=backward_cases,
    reference=mask_gradient_by_hand,
    misconceptions=(
        REPEATS_COUNT_ONCE.by(
            changed(
                mask_gradient_by_hand,
                "np.add.at(by_exponent, features, slopes)",
                "by_exponent[features] += slopes",
            ),
            changed(*changed(mask_gradient_by_hand, ADDED, ADDED_ONCE), TEMPERATURE, BY_PLACES),
        ),
        STOPPED_AT_THE_SOFTMAX.by(
            changed(mask_gradient_by_hand, SLOPES, "np.where(present, -v / m, 0)")
        ),
        OWN_WEIGHT_ALONE_MOVES.by(
            changed(mask_gradient_by_hand, SLOPES, "-a * (1 - a) * v / m", "-a * v / m")
        ),
        LOGARITHM_FORGOTTEN.by(changed(mask_gradient_by_hand, SLOPES, "a * (m - v)")),
        P_MINUS_Y.by(changed(mask_gradient_by_hand, SLOPES, "(a - np.where(present, v, 0))")),
        SIGN_FLIPPED.by(changed(mask_gradient_by_hand, SLOPES, "a * (v / m - 1)")),
        MEAN_MISCOUNTED.by(
            changed(mask_gradient_by_hand, " / len(features)", ""),
            changed(mask_gradient_by_hand, TEMPERATURE, f"{TEMPERATURE} * len(features)"),
            changed(mask_gradient_by_hand, "len(features)", "features.size"),
        ),
        PADDING_TAKES_WEIGHT.by(
            changed(
                mask_gradient_by_hand,
                "np.where(present, scores[features] / temperature, -np.inf)",
                "scores[features] / temperature",
            )
        ),
        TEMPERATURE_MULTIPLIED.by(
            changed(mask_gradient_by_hand, "[features] / temperature", "[features] * temperature"),
            changed(mask_gradient_by_hand, "by_exponent / temp", "by_exponent * temp"),
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(
            changed(mask_gradient_by_hand, "a /= a.sum(axis=1", "a /= a.sum(axis=0")
        ),
        TEMPERATURE_NOT_ON_THE_SCORES.by(
            lambda scores, temperature, *rest: mask_gradient_by_hand(scores, 1.0, *rest)
        ),
        TEMPERATURE_FORGOTTEN_IN_SLOPES.by(
            changed(
                mask_gradient_by_hand,
                "by_exponent / temperature",
                "by_exponent",
                "by_exponent / temperature**2",
            ),
            changed(mask_gradient_by_hand, "return gradient", "return by_exponent"),
        ),
        Misconception(
            "temperature-slope-wrong",
            changed(
                mask_gradient_by_hand,
                "-(gradient @ scores) / temperature",
                "(gradient @ scores) / temperature",
                "(gradient @ scores) * temperature",
                "-(gradient @ scores)",
                "-(gradient @ scores) / temperature**2",
                "-gradient.sum() / temperature",
            ),
            "The gradient of the scores is right, the slope of the temperature is not. If the "
            "temperature rises, how do scores divided by it move, and how fast?",
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-5),
    excused=("kind-of-numbers",),
)
