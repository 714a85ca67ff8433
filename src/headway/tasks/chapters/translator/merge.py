"""Stretch: one attention over memories that lie in different places."""

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import draw_tensor, near
from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    ANOTHER_SUM,
    NOTHING_VISIBLE,
    OUT_OF_RANGE,
    SOME_SIZES,
    WRONG_AXIS,
)
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


def shares_show(shows):
    """By shows(the shares that a query gives its parts, all log_sums (N, T)), where they tell."""

    def shown(got, expected, case) -> bool:
        mixed, log_sums = (given.double() for given in case.inputs)
        if len(mixed) > mixed.shape[-1]:  # many shares make the same mixture
            return not near(got[0], expected[0])
        parts = mixed.permute(1, 2, 0)  # (T, E, N)
        shares = torch.linalg.pinv(parts) @ torch.tensor(got[0]).double()[..., None]
        told = near(parts @ shares, got[0][..., None]) and not near(got[0], expected[0])
        return told and bool(shows(shares[..., 0].mT, log_sums))

    return shown


def wrong_where(got, expected, case, places) -> bool:
    """Whether only some queries, bool (T,), are wrong."""
    pairs = zip(got, expected, strict=True)
    wrong = [~np.isclose(a, b, rtol=1e-3, atol=1e-3).reshape(len(b), -1).all(1) for a, b in pairs]
    return bool((wrong[0] | wrong[1]).any() and not ((wrong[0] | wrong[1]) & ~places).any())


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
        SOME_SIZES.by(only_at=("a single part", "as many parts as queries", "a single query")),
        ANOTHER_FORM.by(
            changed(
                merge,
                "return (shares[..., None] * mixed).sum(0), total",
                "return total, (shares[..., None] * mixed).sum(0)",
            ),
            shows=lambda got, expected, case: near(got[0], expected[1]),
        ),
        NOTHING_VISIBLE.by(
            changed(merge, ".nan_to_num(0.0)", ""),
            shows=lambda got, expected, case: wrong_where(
                got, expected, case, expected[1] == -np.inf
            ),
            only_at=("nothing but padding", "a part of padding only"),
        ),
        OUT_OF_RANGE.by(
            changed(merge, SHARES, "(log_sums.exp() / log_sums.exp().sum(0)).nan_to_num(0.0)"),
            shows=lambda got, expected, case: not np.isfinite(got[0]).all(),
            only_at=("scores far apart",),
        ),
        WRONG_AXIS.by(
            changed(merge, "softmax(0)", "softmax(1)"),
            shows=shares_show(
                lambda shares, log_sums: near(
                    shares.nan_to_num(),
                    log_sums.softmax(1).nan_to_num(),
                    log_sums.flatten().softmax(0).view_as(log_sums).nan_to_num(),
                )
            ),
        ),
        ANOTHER_SUM.by(
            shows=shares_show(
                lambda shares, log_sums: not near(shares.sum(0), torch.ones(shares.shape[1]))
            )
        ),
        Misconception(
            "parts-not-weighed-by-their-sums",
            changed(merge, SHARES, "torch.full_like(log_sums, 1 / len(log_sums))"),
            "One attention over all the tokens would weigh your parts differently. Which number "
            "tells how much of all exponentials lies in a part?",
            shows=lambda got, expected, case: (
                got[0].shape == expected[0].shape and not near(got[0], expected[0])
            ),
        ),
        Misconception(
            "wrong-log-of-the-total",
            changed(merge, TOTAL, "log_sums.sum(0)"),
            "The mixture is right, but your other number is not the log of the sum of all "
            "exponentials. If each part has summed its own, what is the sum of all?",
            shows=lambda got, expected, case: (
                near(got[0], expected[0]) and got[1].shape == expected[1].shape
            ),
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
