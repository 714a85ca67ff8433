"""Build: how much each pair tells, and the mask that keeps those that tell most."""

from collections.abc import Callable
from itertools import permutations

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

NO_WARNING = {"divide": "ignore", "invalid": "ignore"}


def _shares(counts: np.ndarray) -> np.ndarray:
    totals = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0)


def _divergence(P: np.ndarray, Q: np.ndarray, log: Callable = np.log2) -> np.ndarray:
    """Σ P log(P / Q) along the last axis; nothing where P is 0."""
    with np.errstate(**NO_WARNING):
        return np.where(P > 0, P * log(P / Q), 0.0).sum(axis=-1)


def _unrounded(counts: np.ndarray) -> np.ndarray:
    return _divergence(_shares(counts), _shares(counts.sum(axis=0)))


def _gains(counts: np.ndarray) -> np.ndarray:
    return np.round(_unrounded(counts), 9)


def _keep(gains: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    return gains, gains >= share * gains.max()


def gain_and_mask(counts: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Gains in bits (E,), and a mask (E,) of those with `share` of the largest or more."""
    return _keep(_gains(counts), share)


def gain_cases(rng: np.random.Generator) -> list[Case]:
    # The battery's and the program's row, of which one is seen more often, among rows that tell
    # little: how much each is worth depends on what the others say.
    battery, program = [0, 9, 0, 0], [14, 0, 0, 0]
    drawn = rng.integers(2, 9, (3, 4))
    rows = np.array([battery, program, *drawn])
    order = rng.permutation(len(rows))
    toy = np.array([[1, 1], [1, 1], [0, 1], [1, 0], [1, 1]])
    rare = np.array([[0, 0, 1], [12, 3, 9], [30, 5, 20], [2, 7, 1]])[rng.permutation(4)]
    return [
        Case("one pair decides, in the two sentences", toy, 0.5, core=True),
        Case("pairs counted unequally often", rows[order], 0.4, core=True),
        Case("a pair that was seen once", rare, 0.3),
        Case("only the best may stay", np.array([[4, 0], [1, 3], [5, 5]]), 1.0),
        Case("pairs that tell equally much", np.array([*permutations([1, 2, 7])]), 1.0),
        Case("a share of zero", np.array([[4, 0], [1, 3], [5, 5]]), 0.0),
        Case("pairs that tell next to nothing", np.array([[5, 4], [4, 6], [9, 10]]), 0.5),
        Case("a pair that was never seen", np.array([[3, 0], [0, 0], [1, 4]]), 0.5),
        Case("pairs that all say the same", np.array([[2, 4], [1, 2], [3, 6]]), 0.5),
        Case("a single pair", np.array([[3, 1, 0]]), 0.7),
    ]


def _entropy(P: np.ndarray) -> np.ndarray:
    with np.errstate(**NO_WARNING):
        return -np.where(P > 0, P * np.log2(P), 0.0).sum(axis=-1)


def _by(gains: Callable[[np.ndarray], np.ndarray]) -> Callable:
    """The mask of other gains."""
    return lambda counts, share: _keep(np.round(gains(counts), 9), share)


def _zero_times_log(counts):
    with np.errstate(**NO_WARNING):
        P, Q = counts / counts.sum(axis=-1, keepdims=True), _shares(counts.sum(axis=0))
        return (P * np.log2(P / Q)).sum(axis=-1)


gain_mask = Task(
    id="03-skip-bigrams/gain-mask",
    title="A mask by information gain",
    kind="build",
    points=2,
    minutes=15,
    answer="gain_mask",
    cases=gain_cases,
    reference=gain_and_mask,
    misconceptions=(
        Misconception(
            "nats-for-bits",
            _by(lambda c: _divergence(_shares(c), _shares(c.sum(axis=0)), np.log)),
            "Your gains are all about 0.69 times what is asked. To which base is your logarithm?",
        ),
        Misconception(
            "gain-times-frequency",
            _by(lambda c: _gains(c) * c.sum(axis=-1) / c.sum()),
            "Each gain is multiplied by how often its pair was seen. How much does a pair tell "
            "when it is there?",
        ),
        Misconception(
            "entropy-drop",
            _by(lambda c: _entropy(_shares(c.sum(axis=0))) - _entropy(_shares(c))),
            "Your number says by how much the doubt shrinks. It can be below zero for a pair that "
            "speaks for a rarer word. Has such a pair told nothing?",
        ),
        Misconception(
            "against-uniform",
            _by(lambda c: _divergence(_shares(c), np.full(c.shape[1], 1 / c.shape[1]))),
            "You compare each pair with a fair die over all next words. What does the latest word "
            "alone predict already?",
        ),
        Misconception(
            "against-the-mean-row",
            _by(lambda c: _divergence(_shares(c), _shares(c).mean(axis=0))),
            "You compare with the mean of the rows, in which a pair seen once weighs as much as "
            "one seen fifty times. How do counts add up to a distribution?",
        ),
        Misconception(
            "against-the-mean-of-seen-rows",
            _by(lambda c: _divergence(_shares(c), _shares(c[c.any(axis=1)]).mean(axis=0))),
            "You compare with the mean of the rows that were seen, in which a pair seen once "
            "weighs as much as one seen fifty times. How do counts add up to a distribution?",
        ),
        Misconception(
            "turned-round",
            _by(lambda c: _divergence(_shares(c.sum(axis=0)), _shares(c))),
            "The two distributions have changed places, and a word that a pair rules out makes its "
            "gain infinite. Which of the two is the weight in front of the logarithm?",
        ),
        Misconception(
            "doubt-for-gain",
            _by(lambda c: _entropy(_shares(c))),
            "This is the doubt that a pair leaves. Your mask keeps the pairs that tell the least.",
        ),
        Misconception(
            "zero-times-log",
            lambda counts, share: _keep(_zero_times_log(counts), share),
            "There is NaN among your gains. What does NumPy make of 0 times the logarithm of 0?",
        ),
        Misconception(
            "threshold-not-relative",
            lambda counts, share: (_gains(counts), _gains(counts) >= share),
            "The gains are right, and the mask compares them with the share itself. The share of "
            "what is it?",
        ),
        Misconception(
            "not-rounded",
            lambda counts, share: _keep(_unrounded(counts), share),
            "Pairs that tell equally much are treated differently: the mask compares gains that "
            "differ in the sixteenth digit. Are the gains rounded before they are compared?",
        ),
        Misconception(
            "best-excluded",
            lambda counts, share: (
                _gains(counts),
                _gains(counts) > share * _gains(counts).max(),
            ),
            "The gains are right. Where the share is one, your mask keeps nothing at all: may a "
            "pair that is exactly at the limit vote?",
        ),
        Misconception(
            "mask-inverted",
            lambda counts, share: (_gains(counts), ~gain_and_mask(counts, share)[1]),
            "The gains are right, and the mask is True for the pairs with the small ones. What "
            "does True mean in a mask?",
        ),
        Misconception(
            "gain-shared-out",
            lambda counts, share: (
                _gains(counts),
                _gains(counts) >= share * _gains(counts).sum(),
            ),
            "The gains are right. Your limit is a share of all gains together. Of which gain "
            "should it be?",
        ),
    ),
    compare=close(atol=1e-6),
)
