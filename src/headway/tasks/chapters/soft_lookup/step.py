"""Build one step of gradient descent on a table of scores."""

import numpy as np

from headway.tasks.chapters.soft_lookup.cross_entropy import cross_entropy
from headway.tasks.chapters.soft_lookup.softmax import softmax
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def table_gradient(W, ids, next_ids):
    """The loss of the predictions softmax(W[ids]), and its gradient: rows of a word add up."""
    loss, by_logits = cross_entropy(W[ids], next_ids)
    gradient = np.zeros_like(W)
    np.add.at(gradient, ids, by_logits)
    return loss, gradient


def training_step(W, ids, next_ids, rate):
    """The loss before the step, and W after it."""
    loss, gradient = table_gradient(W, ids, next_ids)
    return loss, W - rate * gradient


def step_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size):
        return np.round(rng.normal(size=(size, size)), 2)

    order = rng.permutation(5)
    return [
        Case("different words", draw(5), order[:4], order[1:], 0.5, core=True),
        Case("words that repeat", draw(3), np.array([1, 2, 1, 1, 2]), np.array([2, 0, 0, 2, 1]), 2),
        Case("the same pair again and again", draw(3), np.full(4, 2), np.full(4, 1), 1.0),
        Case("a single pair", draw(4), rng.integers(0, 2, 1), rng.integers(2, 4, 1), 0.1),
        Case("a table of zeros", np.zeros((4, 4)), np.array([0, 3]), np.array([3, 1]), 10.0),
        Case("a rate of zero", draw(3), np.array([0, 1, 0]), np.array([1, 2, 2]), 0.0),
    ]


def _changed(change):
    """A step whose gradient is changed: change(gradient, W, ids, next_ids) -> gradient."""

    def step_of(W, ids, next_ids, rate):
        loss, gradient = table_gradient(W, ids, next_ids)
        return loss, W - rate * change(gradient, W, ids, next_ids)

    return step_of


def _repeats_once(gradient, W, ids, next_ids):
    last = np.zeros_like(W)
    last[ids] = cross_entropy(W[ids], next_ids)[1]
    return last


def _targets_forgotten(gradient, W, ids, next_ids):
    all_p = np.zeros_like(W)
    np.add.at(all_p, ids, softmax(W[ids]) / len(ids))
    return all_p


def _own_mean(gradient, W, ids, next_ids):
    counts = np.bincount(ids, minlength=len(W))
    return gradient * len(ids) / np.maximum(counts, 1)[:, None]


def _count_taken_out(gradient, W, ids, next_ids):
    counts = np.bincount(ids, minlength=len(W))
    return gradient / np.maximum(counts, 1)[:, None]


def _while_reading(W, ids, next_ids, rate):
    """Pair by pair, each with the table as the last one has left it."""
    new, losses = W.copy(), []
    for word, after in zip(ids, next_ids, strict=True):
        loss, gradient = table_gradient(new, np.array([word]), np.array([after]))
        new -= rate * gradient / len(ids)
        losses.append(loss)
    return np.mean(losses), new


def _columns(W, ids, next_ids, rate):
    loss, new = training_step(W.T, ids, next_ids, rate)
    return loss, new.T


step = Task(
    id="04-soft-lookup/step",
    title="One step of training",
    kind="build",
    points=2,
    minutes=15,
    answer="training_step",
    cases=step_cases,
    reference=training_step,
    misconceptions=(
        Misconception(
            "repeats-count-once",
            _changed(_repeats_once),
            "Where a word occurs several times, only its last occurrence changes the table. What "
            "does NumPy do when an index names the same row twice?",
        ),
        Misconception(
            "changed-while-read",
            _while_reading,
            "Right where no word repeats. Otherwise a later pair finds a row that an earlier pair "
            "has changed already. At which table is the gradient of one step taken?",
        ),
        Misconception(
            "uphill",
            _changed(lambda gradient, *rest: -gradient),
            "Your step makes the loss larger. Which way does a gradient point?",
        ),
        Misconception(
            "sum-for-mean",
            _changed(lambda gradient, W, ids, next_ids: gradient * len(ids)),
            "Your step is longer, as many times as there are pairs. Is the loss a sum or a mean?",
        ),
        Misconception(
            "mean-taken-twice",
            _changed(lambda gradient, W, ids, next_ids: gradient / len(ids)),
            "Your step is too short, as many times as there are pairs. Where is the mean taken "
            "already, and where once more?",
        ),
        Misconception(
            "count-taken-out",
            _changed(_count_taken_out),
            "Right where no word repeats. You divide a row by how often its word occurs, although "
            "the mean is taken already. Should a word that occurs often move its row more?",
        ),
        Misconception(
            "mean-of-each-word",
            _changed(_own_mean),
            "Each row takes a step of the size its own occurrences would give. The loss is the "
            "mean over all pairs: how much does a word that occurs once count in it?",
        ),
        Misconception(
            "rate-ignored",
            lambda W, ids, next_ids, rate: training_step(W, ids, next_ids, 1.0),
            "Your step is the same at every learning rate. Where in the formula does it stand?",
        ),
        Misconception(
            "target-forgotten",
            _changed(_targets_forgotten),
            "All scores of a row fall, those of the right words too. Where do the next words come "
            "in?",
        ),
        Misconception(
            "columns-for-rows",
            _columns,
            "You read and change columns. Where do the scores of the words after word w stand?",
        ),
        Misconception(
            "loss-after-the-step",
            lambda W, ids, next_ids, rate: (
                table_gradient(training_step(W, ids, next_ids, rate)[1], ids, next_ids)[0],
                training_step(W, ids, next_ids, rate)[1],
            ),
            "The table is right. Your loss is that of the table after the step. Which is asked?",
        ),
        Misconception(
            "gradient-for-table",
            lambda W, ids, next_ids, rate: table_gradient(W, ids, next_ids),
            "This is the gradient. What happens to the table with it?",
        ),
        Misconception(
            "change-for-table",
            lambda W, ids, next_ids, rate: (
                table_gradient(W, ids, next_ids)[0],
                -rate * table_gradient(W, ids, next_ids)[1],
            ),
            "This is the change of the table. What was there before?",
        ),
        Misconception(
            "unchanged",
            lambda W, ids, next_ids, rate: (table_gradient(W, ids, next_ids)[0], W.copy()),
            "The table comes back as it went in. Did the step go into something else, a copy of "
            "some rows, say?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
