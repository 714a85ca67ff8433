"""Stretch: one attention over memories that lie in different places."""

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import draw_tensor
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def merge(mixed, log_sums):
    """mixed = Σ_n w_n mixed_n with w = softmax over n of log_sums; and the log of all sums."""
    shares = log_sums.softmax(0).nan_to_num(0.0)  # (N, T); nothing but −∞ would be NaN
    return weigh(shares, mixed), log_sums.logsumexp(0)


def weigh(shares, mixed):
    return (shares[..., None] * mixed).sum(0)


def parts(rng, T, visible, E=3, scale=1.0):
    """Attention over parts of a memory: for each, how many tokens it has, 0 for padding alone."""
    query = draw_tensor(rng, T, 4) * scale
    mixed, log_sums = [], []
    for size in visible:
        key, value = draw_tensor(rng, size, 4) * scale, draw_tensor(rng, size, E)
        scores = query @ key.T / 2
        log_sums.append(scores.logsumexp(-1) if size else torch.full((T,), -torch.inf))
        mixed.append(scores.softmax(-1) @ value)
    return torch.stack(mixed), torch.stack(log_sums)


def merge_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("two parts", *parts(rng, 4, [3, 6]), core=True),
        Case("three parts of different sizes", *parts(rng, 2, [1, 8, 3]), core=True),
        Case("a single part", *parts(rng, 3, [5])),
        Case("as many parts as queries", *parts(rng, 3, [2, 4, 7])),
        Case("scores far apart", *parts(rng, 5, [4, 4], scale=25.0)),
        Case("a part of padding only", *parts(rng, 3, [4, 0, 2])),
        Case("nothing but padding", *parts(rng, 2, [0, 0])),
        Case("a single query", *parts(rng, 1, [2, 2, 2, 2])),
    ]


def _shares(make):
    """Other shares: make(log_sums (N, T)) gives (N, T)."""

    def merged(mixed, log_sums):
        return weigh(make(log_sums), mixed), log_sums.logsumexp(0)

    return merged


def _total(make):
    """The right mixture with another log sum."""
    return lambda mixed, log_sums: (merge(mixed, log_sums)[0], make(log_sums))


def weigh_by_sums(mixed, sums):
    total = sums.sum(0)
    return weigh(sums / total, mixed), total.log()


def _by_exponentials(log_sums):
    return (log_sums.exp() / log_sums.exp().sum(0)).nan_to_num(0.0)


def _log_of_sum(log_sums):
    return log_sums.exp().sum(0).log()


def _overflows(mixed, log_sums):
    return weigh(_by_exponentials(log_sums), mixed), _log_of_sum(log_sums)


def _log_below_the_largest(log_sums):
    """The logarithm of the sums, as parts of the largest one."""
    return _log_of_sum(log_sums - log_sums.amax(0))


def _largest_taken_off(mixed, log_sums):
    """By hand, and −∞ − (−∞) is NaN."""
    raised = (log_sums - log_sums.amax(0)).exp()
    total = log_sums.amax(0) + _log_below_the_largest(log_sums)
    return weigh(raised / raised.sum(0), mixed), total


def _one_largest_for_all(mixed, log_sums):
    largest = log_sums.max()
    shares = _by_exponentials(log_sums - largest)
    return weigh(shares, mixed), largest + _log_of_sum(log_sums - largest)


stretch = Task(
    id="13-translator/merge",
    title="Two memories, one attention",
    kind="stretch",
    points=4,
    minutes=25,
    answer="merge",
    cases=merge_cases,
    reference=merge,
    misconceptions=(
        Misconception(
            "mean-of-the-parts",
            _shares(lambda sums: torch.full_like(sums, 1 / len(sums))),
            "All your parts weigh the same. One of them may hold just what a query looks for, and "
            "another nothing. Which number tells?",
        ),
        Misconception(
            "parts-added",
            _shares(torch.ones_like),
            "You add up the mixtures. With two parts, what do the weights of all tokens sum to?",
        ),
        Misconception(
            "best-part-only",
            _shares(lambda sums: (sums == sums.max(0).values).float() * (sums > -torch.inf)),
            "You take the part with the largest sum alone. How much do the tokens of the others "
            "weigh in one attention over all?",
        ),
        Misconception(
            "logs-for-sums",
            _shares(lambda sums: (sums / sums.sum(0)).nan_to_num(0.0)),
            "Your shares are in proportion to the logarithms. Can a logarithm be negative, and can "
            "a share?",
        ),
        Misconception(
            "softmax-over-queries",
            _shares(lambda sums: sums.softmax(1).nan_to_num(0.0)),
            "Your shares sum to one over the queries. Over what should they?",
        ),
        Misconception(
            "nan-where-nothing-is-visible",
            _shares(lambda sums: sums.softmax(0)),
            "Right but for a memory of padding only, where you get NaN. What is asked for there?",
        ),
        Misconception(
            "infinity-less-infinity",
            _largest_taken_off,
            "Right but for a memory of padding only, where both are NaN: the largest logarithm is "
            "minus infinity there. What is minus infinity less itself, and what is asked for?",
        ),
        Misconception(
            "total-nan-where-nothing-is-visible",
            _total(lambda sums: sums.amax(0) + _log_below_the_largest(sums)),
            "The mixture is right. Your logarithm is NaN for a memory of padding only: the largest "
            "one is minus infinity there. What is minus infinity less itself, and what is asked "
            "for?",
        ),
        Misconception(
            "very-small-for-minus-infinity",
            _total(lambda sums: sums.logsumexp(0).nan_to_num()),
            "Right but for a memory of padding only, where your logarithm is a finite number. What "
            "is the logarithm of no exponentials at all, and which function has changed it?",
        ),
        Misconception(
            "overflow",
            _overflows,
            "Right for small scores. Where they are large, a sum of exponentials is more than a "
            "computer can hold. Do you need the sums themselves?",
        ),
        Misconception(
            "sums-divided",
            lambda mixed, log_sums: weigh_by_sums(mixed, log_sums.exp()),
            "Right for small scores. A sum of exponentials may be more than a computer can hold, "
            "and where all is padding you divide zero by zero. Do you need the sums themselves?",
        ),
        Misconception(
            "shares-overflow",
            _shares(_by_exponentials),
            "The logarithm is right, and so are your shares for small scores. A sum of "
            "exponentials may be more than a computer can hold. Do you need the sums themselves?",
        ),
        Misconception(
            "total-overflows",
            _total(_log_of_sum),
            "The mixture is right, and so is your logarithm for small scores. A sum of "
            "exponentials may be more than a computer can hold. Do you need the sums themselves?",
        ),
        Misconception(
            "one-maximum-for-all-queries",
            _one_largest_for_all,
            "Right for small scores. You take off one maximum, that of all queries. What is left "
            "of a query whose scores are hundreds below it?",
        ),
        Misconception(
            "weighted-not-divided",
            _shares(torch.exp),
            "You weigh each mixture by its sum, and your weights need not add up to one. By what "
            "should they be divided?",
        ),
        Misconception(
            "softmax-over-everything",
            _shares(lambda sums: sums.flatten().softmax(0).view_as(sums).nan_to_num(0.0)),
            "Your shares sum to one over parts and queries together. Over what should they?",
        ),
        Misconception(
            "logs-added",
            _total(lambda sums: sums.sum(0)),
            "The mixture is right. You added the logarithms, which multiplies the sums. What is "
            "the sum over all tokens?",
        ),
        Misconception(
            "logs-averaged",
            _total(lambda sums: sums.mean(0)),
            "The mixture is right. You took the mean of the logarithms. What is the sum of all "
            "exponentials, if each part has summed its own?",
        ),
        Misconception(
            "largest-log",
            _total(lambda sums: sums.max(0).values),
            "The mixture is right. The other number is the largest of the logarithms: close where "
            "one part outweighs the rest. What do the others add?",
        ),
        Misconception(
            "largest-not-added-again",
            _total(_log_below_the_largest),
            "The mixture is right. In your logarithm the largest one is taken off and never put "
            "back. Is the result the sum of the exponentials of all scores?",
        ),
        Misconception(
            "sum-for-its-log",
            _total(lambda sums: sums.exp().sum(0)),
            "The mixture is right. The other number is the sum itself. Could your result be merged "
            "once more?",
        ),
        Misconception(
            "mean-for-sum",
            _total(lambda sums: sums.logsumexp(0) - np.log(len(sums))),
            "The mixture is right. Your sum is divided by the number of parts. Is the number of "
            "parts something an attention over all of them would know?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
