"""Stretch: the gradient of scores and temperature by hand, from the loss back to the mask."""

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def forward(scores, temperature, votes, features, present, targets):
    """Weights (B, N), votes for the right word (B, N), and their mixture (B, 1)."""
    hidden = np.where(present, scores[features] / temperature, -np.inf)
    exponentials = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    right = votes[features, targets[:, None]]
    return weights, right, (weights * right).sum(axis=1, keepdims=True)


def mask_gradient_by_hand(scores, temperature, votes, features, present, targets):
    """∂L/∂s_f = Σ a (1 − v / m) / (B τ) over the places of f, and ∂L/∂τ = −Σ_f s_f ∂L/∂s_f / τ."""
    weights, right, mixed = forward(scores, temperature, votes, features, present, targets)
    by_exponents = collected(weights * (1 - right / mixed), features, len(scores))
    return both(by_exponents, scores, temperature)


def collected(places, features, size):
    """Adds up what belongs to the same feature, and divides by the number of prefixes."""
    return np.bincount(features.ravel(), places.ravel(), size) / len(features)


def both(by_exponents, scores, temperature):
    """From the gradient with respect to s/τ, those with respect to s and to τ."""
    gradient = by_exponents / temperature
    return gradient, -(gradient @ scores) / temperature


def backward_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rows, longest, lengths, temperature):
        scores = np.round(rng.normal(size=7), 2)
        votes = rng.dirichlet(np.ones(3), 7)
        features = np.array([rng.permutation(6)[:longest] + 1 for _ in range(rows)])
        present = np.arange(longest) < np.array(lengths)[:, None]
        features[~present] = 0
        return scores, temperature, votes, features, present, rng.integers(0, 3, rows)

    return [
        Case("a single prefix", *draw(1, 4, [4], 1.0), core=True),
        Case("prefixes that share features", *draw(5, 4, [4] * 5, 1.0), core=True),
        Case("a low temperature", *draw(4, 4, [4] * 4, 0.5)),
        Case("a high temperature", *draw(2, 3, [3] * 2, 3.0)),
        Case("shorter prefixes, padded", *draw(4, 5, [5, 2, 3, 4], 2.0)),
        Case("one feature in each prefix", *draw(3, 1, [1] * 3, 1.5)),
        Case("as many prefixes as features in each", *draw(3, 3, [3, 2, 3], 0.8)),
    ]


def _places(change):
    """Other derivatives at the places: change(weights, right, mixed, present) -> (B, N)."""

    def gradient_of(scores, temperature, votes, features, present, targets):
        parts = forward(scores, temperature, votes, features, present, targets)
        by_exponents = collected(change(*parts, present), features, len(scores))
        return both(by_exponents, scores, temperature)

    return gradient_of


def _last_place_only(scores, temperature, votes, features, present, targets):
    weights, right, mixed = forward(scores, temperature, votes, features, present, targets)
    by_exponents = np.zeros(len(scores))
    by_exponents[features] = weights * (1 - right / mixed) / len(features)
    return both(by_exponents, scores, temperature)


def _padding_counts(scores, temperature, votes, features, present, targets):
    everything = np.ones_like(present)
    return mask_gradient_by_hand(scores, temperature, votes, features, everything, targets)


def _changed(change):
    """The right pair with both changed: change(gradient, slope, temperature, features)."""

    def pair(scores, temperature, votes, features, present, targets):
        right = mask_gradient_by_hand(scores, temperature, votes, features, present, targets)
        return change(*right, temperature, features)

    return pair


def _at_temperature_one(scores, temperature, *rest):
    return mask_gradient_by_hand(scores, 1.0, *rest)


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
        Misconception(
            "repeats-count-once",
            _last_place_only,
            "Right for one prefix. Where several prefixes share a feature, only the last of them "
            "counts. What does NumPy do when an index names the same place twice?",
        ),
        Misconception(
            "softmax-forgotten",
            _places(lambda a, v, m, present: np.where(present, -v / m, 0)),
            "This is the gradient with respect to the weights. Which matrix leads from the weights "
            "to the scores?",
        ),
        Misconception(
            "diagonal-only",
            _places(lambda a, v, m, present: -a * (1 - a) * v / m),
            "You used the diagonal of the Jacobian alone. If one score rises, do the other weights "
            "stay as they are?",
        ),
        Misconception(
            "product-forgotten",
            _places(lambda a, v, m, present: -a * v / m),
            "All your slopes are negative: every score would rise. Adding the same number to all "
            "scores changes nothing, so what must the slopes of one prefix add up to?",
        ),
        Misconception(
            "logarithm-forgotten",
            _places(lambda a, v, m, present: a * (m - v)),
            "This is the gradient of minus the probability. How steep is the logarithm where the "
            "probability is small?",
        ),
        Misconception(
            "sign-flipped",
            _changed(lambda gradient, slope, temperature, features: (-gradient, -slope)),
            "Every slope has the other sign. A feature that votes more than average for the right "
            "word should gain: is its slope then positive or negative?",
        ),
        Misconception(
            "sum-for-mean",
            _changed(
                lambda gradient, slope, temperature, features: (
                    gradient * len(features),
                    slope * len(features),
                )
            ),
            "This is the gradient of the losses added up. Is the loss a sum or a mean?",
        ),
        Misconception(
            "divided-by-places",
            _changed(
                lambda gradient, slope, temperature, features: (
                    gradient / features.shape[1],
                    slope / features.shape[1],
                )
            ),
            "You divide by the number of places too. Over what does the loss take its mean?",
        ),
        Misconception(
            "padding-counts",
            _padding_counts,
            "Right where all prefixes are equally long. In a shorter one, feature 0 has a slope "
            "though it is not there.",
        ),
        Misconception(
            "p-minus-y",
            _places(lambda a, v, m, present: a - np.where(present, v, 0)),
            "You used p − y with the votes in the place of y. That formula is for a softmax whose "
            "own outputs are the predictions. What stands between weights and prediction here?",
        ),
        Misconception(
            "temperature-ignored",
            _at_temperature_one,
            "Right at temperature 1, and the same at every other. Where does the temperature act "
            "on the weights, and where on the way back?",
        ),
        Misconception(
            "temperature-forgotten-behind",
            _changed(
                lambda gradient, slope, temperature, features: (
                    gradient * temperature,
                    slope * temperature,
                )
            ),
            "Your weights are right, and your slopes are those with respect to the scores divided "
            "by the temperature. One step of the chain is missing: which?",
        ),
        Misconception(
            "temperature-forgotten-for-scores",
            _changed(
                lambda gradient, slope, temperature, features: (gradient * temperature, slope)
            ),
            "The slope of the temperature is right. The others are the slopes with respect to the "
            "scores divided by the temperature. If a score rises by a little, how much does that "
            "quotient rise?",
        ),
        Misconception(
            "slope-of-temperature-sign",
            _changed(lambda gradient, slope, temperature, features: (gradient, -slope)),
            "The gradient of the scores is right, the slope of the temperature has the other sign. "
            "If the temperature rises, do scores divided by it move away from 0 or towards it?",
        ),
        Misconception(
            "slope-of-the-inverse",
            _changed(
                lambda gradient, slope, temperature, features: (gradient, -slope * temperature**2)
            ),
            "The gradient of the scores is right. The other number is the slope with respect to "
            "one over the temperature. How does that change when the temperature does?",
        ),
        Misconception(
            "slope-of-temperature-too-flat",
            _changed(
                lambda gradient, slope, temperature, features: (gradient, slope * temperature)
            ),
            "The gradient of the scores is right, and the slope of the temperature is right at 1. "
            "What is the derivative of one over a number?",
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-5),
)
