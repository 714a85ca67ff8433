"""Build the cross-entropy of logits, and its gradient by hand."""

import numpy as np

from headway.tasks.chapters.soft_lookup.softmax import softmax
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

CLOSE = close(atol=1e-4, rtol=1e-4)  # single precision will do


def log_softmax(logits):
    """s − max − ln Σ exp(s − max): a logarithm that is finite where the softmax rounds to 0."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def one_hot_targets(logits, targets):
    """y, as ones and zeros of the logits' shape."""
    return np.equal(targets[:, None], np.arange(logits.shape[1])).astype(float)


def cross_entropy(logits, targets):
    """Mean of −ln p[target], and its gradient (p − y) / B."""
    y = one_hot_targets(logits, targets)
    loss = -(y * log_softmax(logits)).sum() / len(logits)
    return loss, (softmax(logits) - y) / len(logits)


def cross_entropy_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*shape):
        return np.round(rng.normal(size=shape) * 1.5, 2)

    wide = draw(2, 3) + np.array([[0.0, 1_000.0, 0.0], [0.0, 0.0, -1_000.0]])
    targets = rng.permutation(4)[:3]
    return [
        Case("three predictions among four words", draw(3, 4), targets, core=True),
        Case("as many predictions as words", draw(3, 3), np.array([1, 0, 1]), core=True),
        Case("a single prediction", draw(1, 5), rng.integers(1, 5, 1)),
        Case("targets that repeat", draw(5, 3), np.array([2, 2, 0, 2, 2])),
        Case("logits a thousand apart", wide, np.array([0, 2])),
        Case("a single word", draw(2, 1), np.array([0, 0])),
    ]


def _changed(loss=lambda x, case: x, gradient=lambda x, case: x):
    """The right pair with one or both of the two changed."""

    def pair(logits, targets):
        right_loss, right_gradient = cross_entropy(logits, targets)
        return loss(right_loss, (logits, targets)), gradient(right_gradient, (logits, targets))

    return pair


def _log_of_softmax(logits, targets):
    p = softmax(logits)
    return -np.log(p[np.arange(len(p)), targets]).mean(), cross_entropy(logits, targets)[1]


def _log_clipped(logits, targets):
    p = softmax(logits)[np.arange(len(logits)), targets]
    return -np.log(np.maximum(p, 1e-12)).mean(), cross_entropy(logits, targets)[1]


def _overflowing(logits, targets):
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(len(p)), targets]).mean()
    return loss, (p - one_hot_targets(logits, targets)) / len(p)


def _over_predictions(logits, targets):
    p = softmax(logits.T).T
    y = one_hot_targets(logits, targets)
    return -(y * log_softmax(logits.T).T).sum() / len(p), (p - y) / len(p)


def _only_the_target(gradient, case):
    return gradient * one_hot_targets(*case)


def _ids_for_one_hot(gradient, case):
    logits, targets = case
    return (softmax(logits) - targets[:, None]) / len(logits)


def _alike(got, expected, case) -> Difference | None:
    """Close, but for a loss that is capped: by which small number depends on who wrote it."""
    return CLOSE(_uncapped(got), _uncapped(expected), case)


def _uncapped(value):
    is_pair = isinstance(value, list) and len(value) == 2 and isinstance(value[0], float)
    return ["capped", value[1]] if is_pair and 10 < value[0] < 100 else value


def _each_with_each(logits, targets):
    return -log_softmax(logits)[:, targets].mean(), cross_entropy(logits, targets)[1]


def _gradient_of_all_targets(logits, targets):
    p = softmax(logits)
    p[:, targets] -= 1
    return p / len(p)


def _both_each_with_each(logits, targets):
    return _each_with_each(logits, targets)[0], _gradient_of_all_targets(logits, targets)


cross_entropy_task = Task(
    id="04-soft-lookup/cross-entropy",
    title="Cross-entropy and its gradient",
    kind="build",
    points=2,
    minutes=15,
    answer="cross_entropy",
    cases=cross_entropy_cases,
    reference=cross_entropy,
    misconceptions=(
        Misconception(
            "sum-for-mean",
            _changed(lambda x, case: x * len(case[0]), lambda x, case: x * len(case[0])),
            "Loss and gradient are those of all predictions added up. If the same batch came "
            "twice, should the loss double?",
        ),
        Misconception(
            "gradient-of-the-sum",
            _changed(gradient=lambda x, case: x * len(case[0])),
            "The loss is right, and your gradient belongs to the sum over the batch. The loss is a "
            "mean: how much does one prediction count in it?",
        ),
        Misconception(
            "mean-over-words",
            _changed(lambda x, case: x / case[0].shape[1], lambda x, case: x / case[0].shape[1]),
            "You divide by the number of words too. How many predictions does the mean run over?",
        ),
        Misconception(
            "loss-not-averaged",
            lambda logits, targets: (
                -(one_hot_targets(logits, targets) * log_softmax(logits)).sum(axis=1),
                cross_entropy(logits, targets)[1],
            ),
            "You give a loss for each prediction. How does one number come of them?",
        ),
        Misconception(
            "gradient-sign",
            _changed(gradient=lambda x, case: -x),
            "Your gradient points down the slope. By definition it points to where the loss grows: "
            "at the right word, is it positive or negative?",
        ),
        Misconception(
            "loss-sign",
            _changed(lambda x, case: -x),
            "Your loss is negative. What sign has the logarithm of a probability?",
        ),
        Misconception(
            "target-forgotten",
            _changed(gradient=lambda x, case: softmax(case[0]) / len(case[0])),
            "Your gradient is the probabilities, and the same whatever the right words are. Where "
            "does the target come in?",
        ),
        Misconception(
            "ids-for-one-hot",
            _changed(gradient=_ids_for_one_hot),
            "You subtract the number of the right word from every probability of its row. What "
            "stands in y at the place of the right word, and what elsewhere?",
        ),
        Misconception(
            "only-the-target",
            _changed(gradient=_only_the_target),
            "Your gradient is 0 but at the right words. If the logit of a wrong word rises, what "
            "happens to the right word's probability?",
        ),
        Misconception(
            "with-respect-to-probabilities",
            _changed(
                gradient=lambda x, case: (
                    -one_hot_targets(*case) / np.maximum(softmax(case[0]), 1e-300) / len(case[0])
                )
            ),
            "This is the gradient with respect to the probabilities. The logits come one step "
            "earlier: which matrix leads from one to the other?",
        ),
        Misconception(
            "log-of-softmax",
            _log_of_softmax,
            "Right until a probability rounds to 0; then the loss is infinite. The logarithm of a "
            "fraction is a difference of two logarithms: which of the two needs no exponential?",
        ),
        Misconception(
            "log-clipped",
            _log_clipped,
            "Your loss cannot exceed some twenty or thirty, however wrong the model is. What is "
            "the logarithm of e to the power −1,000?",
        ),
        Misconception(
            "overflow",
            _overflowing,
            "Right for small logits. What is e to the power 1,000 on a computer?",
        ),
        Misconception(
            "wrong-axis",
            _over_predictions,
            "Your probabilities sum to one down the batch. Which numbers compete with each other: "
            "those of one prediction, or those of one word?",
        ),
        Misconception(
            "double-softmax",
            lambda logits, targets: cross_entropy(softmax(logits), targets),
            "You treat probabilities as logits: a second softmax is hidden in the loss. Can this "
            "loss come near 0?",
        ),
        Misconception(
            "bits",
            _changed(lambda x, case: x / np.log(2)),
            "Your loss is 1.44 times as large: it counts in bits. Which logarithm gives nats?",
        ),
        Misconception(
            "each-with-each",
            _each_with_each,
            "You take the probability of every target in every prediction. Which target belongs to "
            "which row?",
        ),
        Misconception(
            "gradient-each-with-each",
            lambda logits, targets: (
                cross_entropy(logits, targets)[0],
                _gradient_of_all_targets(logits, targets),
            ),
            "The loss is right. In the gradient you take 1 away at every target in every row. "
            "Which target belongs to which row?",
        ),
        Misconception(
            "both-each-with-each",
            _both_each_with_each,
            "In loss and gradient, every row meets the targets of all rows. If an index picks all "
            "rows and a list of columns, which pairs of the two does it pick?",
        ),
    ),
    compare=CLOSE,
    alike=_alike,
)
