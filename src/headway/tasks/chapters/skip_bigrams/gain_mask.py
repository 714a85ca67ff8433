"""Build: how much each pair tells, and the mask that keeps those that tell most."""

from itertools import permutations

import numpy as np

from headway.tasks.chapters.skip_bigrams.mistakes import (
    MASK_INVERTED,
    NAN,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

LIMIT = "a pair at the limit"
NO_WARNING = {"divide": "ignore", "invalid": "ignore"}


def gain_and_mask(counts, share):
    """Gains in bits (E,), and a mask (E,) of those with `share` of the largest or more."""
    P = shares(counts)
    Q = shares(counts.sum(axis=0))
    gains = np.round(divergence(P, Q), 9)
    return gains, gains >= share * gains.max()


def shares(counts: np.ndarray) -> np.ndarray:
    totals = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0)


def divergence(P: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Σ P log₂(P / Q) along the last axis, in bits; nothing where P is 0."""
    with np.errstate(**NO_WARNING):
        return np.where(P > 0, P * np.log2(P / Q), 0.0).sum(axis=-1)


def entropy(P: np.ndarray) -> np.ndarray:
    """−Σ P log₂ P along the last axis, in bits."""
    return -divergence(P, np.ones_like(P))


def gain_cases(rng: np.random.Generator) -> list[Case]:
    # The battery's and the program's row, of which one is seen more often, among rows that tell
    # little: how much each is worth depends on what the others say.
    battery, program = [0, 9, 0, 0], [14, 0, 0, 0]

    def unequally_often():
        rows = np.array([battery, program, *rng.integers(2, 9, (3, 4))])
        return Case("pairs counted unequally often", rng.permutation(rows), 0.4, core=True)

    toy = np.array([[1, 1], [1, 1], [0, 1], [1, 0], [1, 1]])
    rare = np.array([[0, 0, 1], [12, 3, 9], [30, 5, 20], [2, 7, 1]])[rng.permutation(4)]
    return [
        draw_telling(gain_mask, unequally_often, "wrong-limit"),
        Case("one pair decides, in the two sentences", toy, 0.5),
        Case("a pair that was seen once", rare, 0.3),
        Case("only the best may stay", np.array([[4, 0], [1, 3], [5, 5]]), 1.0, path=LIMIT),
        Case("pairs that tell equally much", np.array([*permutations([1, 2, 7])]), 1.0, path=LIMIT),
        Case("a share of zero", np.array([[4, 0], [1, 3], [5, 5]]), 0.0),
        Case("pairs that tell next to nothing", np.array([[5, 4], [4, 6], [9, 10]]), 0.5),
        Case("a pair that was never seen", np.array([[3, 0], [0, 0], [1, 4]]), 0.5),
        Case("pairs that all say the same", np.array([[2, 4], [1, 2], [3, 6]]), 0.5, path=LIMIT),
        Case("a single pair", np.array([[3, 1, 0]]), 0.7, path=LIMIT),
    ]


GAINS = "divergence(P, Q)"
TOGETHER = "shares(counts.sum(axis=0))"
DOUBTS = (
    "entropy(Q) - entropy(P)",
    "np.where(counts.any(axis=1), entropy(Q) - entropy(P), 0)",
    "entropy(P)",
)
WHERE_SEEN = "np.where(P > 0, np.log2(Q / np.where(P > 0, P, 1)), 0)"
UNWEIGHTED = "np.where(P > 0, np.log2(np.where(P > 0, P, 1) / np.where(Q > 0, Q, 1)), 0).sum(1)"
OF_THE_LARGEST = "share * gains.max()"


def zero_times_logarithm(counts, share):
    with np.errstate(**NO_WARNING):
        P, Q = counts / counts.sum(axis=-1, keepdims=True), shares(counts.sum(axis=0))
        gains = (P * np.log2(P / Q)).sum(axis=-1)
    gains = np.round(gains, 9)
    return gains, gains >= share * gains.max()


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
            changed(gain_and_mask, GAINS, f"{GAINS} * np.log(2)"),
            "Your gains are all about 0.69 times those asked for. What is the base of your "
            "logarithm?",
        ),
        Misconception(
            "wrong-weights",
            changed(
                gain_and_mask,
                GAINS,
                f"{GAINS} * counts.sum(axis=-1) / counts.sum()",
                UNWEIGHTED,
                f"{UNWEIGHTED} / counts.shape[1]",
            ),
            "You don't weight the logarithms as the formula does. Which factor is in front of "
            "each one, and is there one in front of the sum?",
        ),
        Misconception(
            "doubt-for-gain",
            changed(gain_and_mask, GAINS, *DOUBTS),
            "You measure doubt: how much a pair leaves, or by how much it shrinks. Does a pair "
            "know nothing if it is as unsure as everybody, but about other words?",
        ),
        Misconception(
            "compared-with-another-distribution",
            changed(
                gain_and_mask,
                TOGETHER,
                "np.full(counts.shape[1], 1 / counts.shape[1])",
                "P.mean(axis=0)",
                "P[counts.any(axis=1)].mean(axis=0)",
            ),
            "You compare each pair with equal shares, or with a mean in which a rare pair counts "
            "as much as a frequent one. What does the latest word alone predict?",
        ),
        Misconception(
            "divergence-turned-round",
            changed(gain_and_mask, GAINS, "divergence(Q, P)", f"(Q * {WHERE_SEEN}).sum(axis=-1)"),
            "The two distributions have changed places. Which of them weights the logarithms, and "
            "what should a word cost that a pair rules out?",
        ),
        NAN.by(
            zero_times_logarithm,
            changed(zero_times_logarithm, "np.round(gains, 9)", "gains"),
        ),
        Misconception(
            "wrong-limit",
            changed(
                gain_and_mask,
                OF_THE_LARGEST,
                "share",
                "np.quantile(gains, share)",
                *(f"share * gains.{f}()" for f in ("sum", "min", "mean")),
            ),
            "The gains are right, but your mask compares them with another limit. What is the "
            "limit a share of?",
        ),
        Misconception(
            "half-for-any-share",
            changed(gain_and_mask, OF_THE_LARGEST, "0.5 * gains.max()"),
            "The gains are right, but your limit is half of the largest, whatever share is asked. "
            "Whom should a share of 0 let through, and whom a share of 1?",
        ),
        Misconception(
            "pair-at-the-limit",
            any_of(
                changed(gain_and_mask, ">=", ">"),
                changed(gain_and_mask, f"np.round({GAINS}, 9)", GAINS),
            ),
            "The gains are right, but pairs exactly at the limit are not treated as the task "
            "says. May they vote, and do you compare the rounded gains?",
        ),
        MASK_INVERTED.by(changed(gain_and_mask, ">=", "<", "<=")),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(
                gain_and_mask,
                "return gains, gains >= share * gains.max()",
                "return gains >= share * gains.max(), gains",
            )
        ),
    ),
    compare=close(atol=1e-6),
)
