"""Stretch: one attention over memories that lie in different places."""

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import draw_tensor
from headway.tasks.chapters.translator.mistakes import NOTHING_VISIBLE, OUT_OF_RANGE, WRONG_AXIS
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def merge(mixed, log_sums):
    """mixed = Σ_n w_n mixed_n with w = softmax over n of log_sums; and the log of all sums."""
    shares = log_sums.softmax(0).nan_to_num(0.0)  # (N, T); nothing but −∞ would be NaN
    total = log_sums.logsumexp(0)
    return (shares[..., None] * mixed).sum(0), total


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
    def grows_too_large(drawn):
        """Whether the exponential of a sum thirty times as large overflows."""
        _, log_sums = drawn
        return log_sums.max() > 3

    two = draw_until(grows_too_large, lambda: parts(rng, 4, [3, 6]))
    return [
        Case("two parts", *two, core=True),
        Case("three parts of different sizes", *parts(rng, 2, [1, 8, 3]), core=True),
        Case("a single part", *parts(rng, 3, [5])),
        Case("as many parts as queries", *parts(rng, 3, [2, 4, 7])),
        Case("scores far apart", *parts(rng, 5, [4, 4], scale=25.0)),
        Case("a part of padding only", *parts(rng, 3, [4, 0, 2])),
        Case("nothing but padding", *parts(rng, 2, [0, 0])),
        Case("a single query", *parts(rng, 1, [2, 2, 2, 2])),
    ]


SHARES, TOTAL = "log_sums.softmax(0).nan_to_num(0.0)", "log_sums.logsumexp(0)"
BY_EXPONENTIALS = "(log_sums.exp() / log_sums.exp().sum(0))"
LOG_OF_SUM = "log_sums.exp().sum(0).log()"
BELOW_THE_LARGEST = "(log_sums - log_sums.amax(0))"
LOG_BELOW_THE_LARGEST = f"{BELOW_THE_LARGEST}.exp().sum(0).log()"
LARGEST_TAKEN_OFF = f"log_sums.amax(0) + {LOG_BELOW_THE_LARGEST}"

(by_exponentials,) = changed(merge, SHARES, f"{BY_EXPONENTIALS}.nan_to_num(0.0)")
(by_exponentials_with_nan,) = changed(merge, SHARES, BY_EXPONENTIALS)
(by_exponentials_but_for_padding,) = changed(
    merge, SHARES, f"torch.where(log_sums.exp().sum(0) > 0, {BY_EXPONENTIALS}, 0.0)"
)


def clamped(mixed, log_sums):
    """A large number stands for infinity."""
    return merge(mixed, log_sums.clamp(min=-1e9))


def one_largest_for_all_queries(mixed, log_sums):
    sums = (log_sums - log_sums.max()).exp()
    shares = (sums / sums.sum(0)).nan_to_num(0.0)
    return (shares[..., None] * mixed).sum(0), log_sums.max() + sums.sum(0).log()


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
            "parts-not-weighed-by-their-sums",
            changed(
                merge,
                SHARES,
                "torch.full_like(log_sums, 1 / len(log_sums))",
                "torch.ones_like(log_sums)",
                "((log_sums == log_sums.amax(0)) & (log_sums > -torch.inf))",
                "(log_sums / log_sums.sum(0)).nan_to_num(0.0)",
                "log_sums.exp()",
            ),
            "One attention over all the tokens would weigh your parts differently. Which number "
            "tells how much of all exponentials lies in a part?",
        ),
        WRONG_AXIS.by(
            changed(
                merge,
                "softmax(0)",
                "softmax(1)",
                "flatten().softmax(0).view_as(log_sums)",
            )
        ),
        NOTHING_VISIBLE.by(
            changed(merge, ".nan_to_num(0.0)", ""),
            clamped,
            changed(merge, TOTAL, LARGEST_TAKEN_OFF, "log_sums.logsumexp(0).nan_to_num()"),
            changed(
                *changed(merge, SHARES, f"{BELOW_THE_LARGEST}.softmax(0)"),
                TOTAL,
                LARGEST_TAKEN_OFF,
            ),
        ),
        OUT_OF_RANGE.by(
            by_exponentials,
            changed(by_exponentials, TOTAL, LOG_OF_SUM),
            changed(by_exponentials_with_nan, TOTAL, LOG_OF_SUM),
            changed(merge, TOTAL, LOG_OF_SUM),
            changed(by_exponentials_but_for_padding, TOTAL, LOG_OF_SUM),
            one_largest_for_all_queries,
        ),
        Misconception(
            "wrong-log-of-the-total",
            changed(
                merge,
                TOTAL,
                "log_sums.sum(0)",
                "log_sums.mean(0)",
                "log_sums.logsumexp(1)",
                "log_sums.amax(0)",
                LOG_BELOW_THE_LARGEST,
                "log_sums.exp().sum(0)",
                "log_sums.logsumexp(0) - torch.tensor(len(log_sums)).log()",
            ),
            "The mixture is right, but your other number is not the log of the sum of all "
            "exponentials. If each part has summed its own, what is the sum of all?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
