"""Build the label-smoothed loss, and the part of it that no model can avoid."""

import math
from itertools import product

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.translator.drawn import draw_tensor, near
from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    FEWER_SYMBOLS,
    IDS_GUESSED,
    NOT_EPSILON,
    OUT_OF_RANGE,
    SOME_SIZES,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, changed, seen
from headway.tasks.engine.task import Case, Task


def smoothed_loss(logits, target, smoothing, padding):
    """Mean over the words of H(q, p), and H(q): q is 1 − ε + ε/V for the true word, else ε/V."""
    V = logits.shape[-1]
    true = functional.one_hot(target, V).double()
    q = (1 - smoothing) * true + smoothing / V
    log_p = logits.double().log_softmax(-1)
    crossed = -(q * log_p).sum(-1)
    entropy = -torch.xlogy(q, q).sum(-1)
    kept = target != padding
    return crossed[kept].mean(), entropy[kept].mean()


def loss_cases(rng: np.random.Generator) -> list[Case]:
    def draw(V, lengths, smoothing, padding=0, scale=1.5):
        T = max(lengths)
        logits = draw_tensor(rng, len(lengths), T, V) * scale
        words = [v for v in range(V) if v != padding]
        target = torch.from_numpy(rng.choice(words, (len(lengths), T)))
        target[torch.arange(T) >= torch.tensor(lengths)[:, None]] = padding
        return logits, target, smoothing, padding

    def tells(drawn):
        """Whether exponentials overflow, and a probability is 0, at thirty times these logits."""
        logits, *_ = drawn
        return logits.max() > 3 and (logits.amax(-1) - logits.amin(-1)).max() > 4

    one = draw_until(tells, lambda: draw(5, [4], 0.1))
    return [
        Case("one sentence", *one, core=True),
        Case("sentences of different lengths", *draw(6, [2, 5, 3], 0.2), core=True),
        Case("no smoothing", *draw(4, [3, 2], 0.0)),
        Case("much smoothing", *draw(4, [1, 3], 0.8)),
        Case("another id for the padding", *draw(5, [4, 1], 0.1, padding=3)),
        Case("a single word", *draw(7, [1], 0.1)),
        Case("logits hundreds apart", *draw(5, [3, 2], 0.1, scale=300.0)),
        Case("more padding than words", *draw(5, [1, 6, 1], 0.3)),
    ]


SPREAD = "smoothing / V"
LOG_P = "logits.double().log_softmax(-1)"
LOSS, FLOOR = "crossed[kept].mean()", "entropy[kept].mean()"
BOTH = f"{LOSS}, {FLOOR}"


def one_shows(ideas):
    """By one of the two numbers, if it is wrong: ideas(which, case) of what it may be."""

    def shown(got, expected, case) -> bool:
        return any(
            not near(mine, right) and near(mine, *ideas(which, case))
            for which, (mine, right) in enumerate(zip(got, expected, strict=True))
        )

    return shown


def means(which, case):
    """The right terms, added up over other places or divided by another number."""
    logits, target, smoothing, padding = case.inputs
    V, kept = logits.shape[-1], target != padding
    single = [
        smoothed_loss(logits[b, t][None, None], target[b, t][None, None], smoothing, V)[which]
        for b, t in np.ndindex(target.shape)
    ]
    each = torch.stack(single).view(target.shape)
    sums, counts = (each * kept).sum(), (V, 1, *target.shape, target.numel(), 1 / len(target))
    yield from (sums / count for count in counts)
    yield from (each.mean(), each.sum(), sums / kept.sum() / V)
    yield ((each * kept).sum(1) / kept.sum(1)).mean()


def with_shares(sums_to_one: bool):
    """Other shares of the true word and of others, among all symbols or all but the padding."""

    def ideas(which, case):
        logits, target, smoothing, padding = case.inputs
        V, kept = logits.shape[-1], target != padding
        log_p, true = logits[kept].double().log_softmax(-1), target[kept][:, None]
        low = [smoothing / n for n in (V, V - 1, V - 2)]
        trues = 1.0, 1 - smoothing, *(1 - smoothing + one for one in low), 1 - low[0], 1 + low[0]
        turned = smoothing + (1 - smoothing) / V, (1 - smoothing) / V
        shares = *product(trues, (*low, smoothing, 0.0)), turned
        for (first, share), fewer in product(shares, (0, 1)):
            q = torch.full_like(log_p, share).scatter(1, true, first)
            q[:, padding] *= 1 - fewer
            if sums_to_one == bool(share and first != turned[0] and abs(q[0].sum() - 1) < 1e-6):
                yield (-(q * log_p).sum(-1).mean(), torch.special.entr(q).sum(-1).mean())[which]

    return one_shows(ideas)


TARGETS = (
    FEWER_SYMBOLS.by(
        changed(
            smoothed_loss,
            SPREAD,
            "smoothing / (V - 2) * (1 - true) * (torch.arange(V) != padding)",
        ),
        shows=with_shares(sums_to_one=True),
    ),
    NOT_EPSILON.by(
        changed(smoothed_loss, SPREAD, "smoothing / V * (1 - true)"),
        shows=with_shares(sums_to_one=False),
        only_at=("much smoothing",),
    ),
    Misconception(
        "mean-over-other-places",
        changed(
            smoothed_loss,
            BOTH,
            "-(1 - smoothing) * (true * log_p).sum(-1)[kept].mean() - smoothing * log_p.mean(), "
            + FLOOR,
        ),
        "You count padding, in a sum or in a mean, or you divide by another number or none. Which "
        "positions count, and how often does each?",
        shows=one_shows(means),
        only_at=("more padding than words",),
    ),
)
NUMBERS = (
    SOME_SIZES.by(only_at=("a single word",)),
    Misconception(
        "wrong-sign-or-unit",
        changed(smoothed_loss, "-(q * log_p)", "(q * log_p)"),
        "The sizes are right but for a sign, or for a factor of 1 / ln 2. What do the formulas "
        "begin with, and which logarithm makes nats?",
        shows=lambda got, expected, case: all(
            near(mine, right, -right, right / math.log(2), -right / math.log(2))
            for mine, right in zip(got, expected, strict=True)
        ),
    ),
    OUT_OF_RANGE.by(
        changed(smoothed_loss, "-torch.xlogy(q, q)", "-(q * q.log())"),
        shows=lambda got, expected, case: not np.isfinite(got).all(),
        only_at=("no smoothing", "logits hundreds apart"),
    ),
    ANOTHER_FORM.by(
        changed(smoothed_loss, BOTH, f"{FLOOR}, {LOSS}"),
        shows=lambda got, expected, case: near(np.ravel(got)[::-1], expected),
    ),
    IDS_GUESSED.by(
        lambda logits, target, smoothing, padding: smoothed_loss(logits, target, smoothing, 0),
        only_at=("another id for the padding",),
    ),
)
PARTS = (
    Misconception(
        "softmax-missing-or-doubled",
        changed(
            smoothed_loss,
            LOG_P,
            "logits.double()",
            "logits.softmax(-1).log_softmax(-1)",
            "logits.double().softmax(-1)",
            "logits.double().log_softmax(1)",
        ),
        "The floor is right, but what you weigh in the loss are not log-probabilities. How many "
        "times is a softmax taken on the way from the logits, and over which axis?",
    ),
    Misconception(
        "loss-divergence-and-floor-confused",
        changed(smoothed_loss, BOTH, f"(crossed - entropy)[kept].mean(), {FLOOR}"),
        "One of your numbers is right, and the other is not what it is called. What would a "
        "perfect model still have to pay, for all V symbols?",
        shows=lambda got, expected, case: (
            near(got[0], expected[0]) or near(got[0], expected[0] - expected[1])
        ),
    ),
    seen(
        "loss-of-other-numbers",
        "Your loss is wrong. Is the floor right, which needs no logits? If not, begin with it; if "
        "so, which number does each share weigh, and at which places?",
        lambda got, expected, case: np.ndim(got[0]) == 0 and not near(got[0], expected[0]),
    ),
)

loss = Task(
    id="13-translator/smoothed-loss",
    title="The smoothed loss and its floor",
    kind="build",
    points=2,
    minutes=22,
    answer="smoothed_loss",
    cases=loss_cases,
    reference=smoothed_loss,
    misconceptions=(*NUMBERS, *TARGETS, *PARTS),
    compare=close(atol=1e-4, rtol=1e-4),
)
