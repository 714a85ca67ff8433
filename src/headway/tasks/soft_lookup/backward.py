"""Stretch: the gradient of the mask by hand, from the loss back to every score."""

import numpy as np

from headway.tasks.compare import close
from headway.tasks.task import Case, Misconception, Task


def weights_of(scores, features, present):
    """Softmax over the features that are present, (B, N)."""
    hidden = np.where(present, scores[features], -np.inf)
    exponentials = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def by_scores(scores, votes, features, present, targets):
    """∂(−ln mixed[y])/∂s for each place, (B, N): a_n (1 − v_n / mixed[y])."""
    weights = weights_of(scores, features, present)
    right = votes[features, targets[:, None]]  # (B, N), what each feature gives the right word
    mixed = (weights * right).sum(axis=1, keepdims=True)
    return weights, right, mixed, weights * (1 - right / mixed)


def mask_gradient_by_hand(scores, votes, features, present, targets):
    """Mean over the batch, places of the same feature added up: (F,)."""
    places = by_scores(scores, votes, features, present, targets)[3]
    return collected(places, features, len(scores))


def collected(places, features, size):
    """Adds up what belongs to the same feature, and divides by the number of prefixes."""
    return np.bincount(features.ravel(), places.ravel(), size) / len(features)


def backward_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rows, longest, *lengths):
        scores = np.round(rng.normal(size=7), 2)
        votes = rng.dirichlet(np.ones(3), 7)
        features = np.array([rng.permutation(6)[:longest] + 1 for _ in range(rows)])
        present = np.arange(longest) < np.array(lengths)[:, None]
        features[~present] = 0
        return scores, votes, features, present, rng.integers(0, 3, rows)

    return [
        Case("a single prefix", *draw(1, 4, 4), core=True),
        Case("prefixes that share features", *draw(5, 4, 4, 4, 4, 4, 4), core=True),
        Case("shorter prefixes, padded", *draw(4, 5, 5, 2, 3, 4)),
        Case("one feature in each prefix", *draw(3, 1, 1, 1, 1)),
        Case("as many prefixes as features in each", *draw(3, 3, 3, 2, 3)),
    ]


def _places(change):
    """Other derivatives at the places: change(weights, right, mixed, present) -> (B, N)."""

    def gradient_of(scores, votes, features, present, targets):
        parts = by_scores(scores, votes, features, present, targets)[:3]
        return collected(change(*parts, present), features, len(scores))

    return gradient_of


def _last_place_only(scores, votes, features, present, targets):
    places = by_scores(scores, votes, features, present, targets)[3]
    gradient = np.zeros(len(scores))
    gradient[features] = places / len(features)
    return gradient


def _padding_counts(scores, votes, features, present, targets):
    return mask_gradient_by_hand(scores, votes, features, np.ones_like(present), targets)


mask_gradient = Task(
    id="04-soft-lookup/mask-gradient",
    title="What autograd does to the mask",
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
            _places(lambda a, v, m, present: a * (v / m - 1)),
            "Every slope has the other sign. A feature that votes more than average for the right "
            "word should gain: is its slope then positive or negative?",
        ),
        Misconception(
            "sum-for-mean",
            lambda *args: mask_gradient_by_hand(*args) * len(args[2]),
            "This is the gradient of the losses added up. Is the loss a sum or a mean?",
        ),
        Misconception(
            "divided-by-features",
            lambda *args: mask_gradient_by_hand(*args) / args[2].shape[1],
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
    ),
    compare=close(atol=1e-7),
)
