"""Build the label-smoothed loss, and the part of it that no model can avoid."""

import math

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.translator.drawn import draw_tensor
from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    FEWER_SYMBOLS,
    IDS_GUESSED,
    NOT_EPSILON,
    OUT_OF_RANGE,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
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
BUT_PADDING = "(torch.arange(V) != padding)"
LOG_P = "logits.double().log_softmax(-1)"
CROSSED, ENTROPY = "-(q * log_p)", "-torch.xlogy(q, q)"
LOSS, FLOOR = "crossed[kept].mean()", "entropy[kept].mean()"
BOTH = f"{LOSS}, {FLOOR}"

TARGETS = (
    FEWER_SYMBOLS.by(
        changed(
            smoothed_loss,
            SPREAD,
            f"smoothing / (V - 2) * (1 - true) * {BUT_PADDING}",
            "smoothing / (V - 1) * (1 - true)",
            f"smoothing / (V - 1) * {BUT_PADDING}",
        )
    ),
    NOT_EPSILON.by(
        changed(smoothed_loss, "(1 - smoothing) * true", "true", "(1 + smoothing) * true"),
        changed(smoothed_loss, "true + smoothing / V", "true - smoothing / V"),
        changed(smoothed_loss, SPREAD, "smoothing / V * (1 - true)", "smoothing / (V - 1)"),
        changed(
            smoothed_loss,
            "(1 - smoothing) * true + smoothing / V",
            f"((1 - smoothing) * true + smoothing / V) * {BUT_PADDING}",
        ),
        changed(smoothed_loss, CROSSED, "-(true * log_p)"),
        changed(
            smoothed_loss,
            "(1 - smoothing) * true + smoothing / V",
            "true",
            "smoothing * true + (1 - smoothing) / V",
        ),
    ),
    Misconception(
        "mean-over-other-places",
        changed(
            smoothed_loss,
            BOTH,
            "crossed.mean(), entropy.mean()",
            "-(1 - smoothing) * (true * log_p).sum(-1)[kept].mean() - smoothing * log_p.mean(), "
            + FLOOR,
            "(crossed * kept).mean(), (entropy * kept).mean()",
            f"(crossed * kept).mean(), {FLOOR}",
            f"{LOSS} / V, {FLOOR} / V",
            f"{LOSS} / V, {FLOOR}",
            f"{LOSS}, (entropy * kept).mean()",
            f"crossed[kept].sum(), {FLOOR}",
            f"{LOSS}, entropy[kept].sum()",
            "crossed[kept].sum(), entropy[kept].sum()",
            "*(((each * kept).sum(1) / kept.sum(1)).mean() for each in (crossed, entropy)),",
        ),
        "You count padding, in a sum or in a mean, or you divide by another number or none. Which "
        "positions count, and how often does each?",
    ),
)
NUMBERS = (
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
        any_of(
            changed(
                smoothed_loss,
                BOTH,
                f"(crossed - entropy)[kept].mean(), {FLOOR}",
                f"{LOSS}, (crossed - entropy)[kept].mean()",
            ),
            changed(
                smoothed_loss,
                f"{ENTROPY}.sum(-1)",
                "torch.zeros(target.shape)",
                "-(true * q).sum(-1).log()",
                "-(log_p.exp() * log_p).sum(-1)",
                *(
                    f"-(torch.xlogy(q, q) * (true + (1 - true) * {count} / (V - 1))).sum(-1)"
                    for count in (1, "V")
                ),
            ),
        ),
        "One of your numbers is right, and the other is not what it is called. What would a "
        "perfect model still have to pay, for all V symbols?",
    ),
    Misconception(
        "wrong-sign-or-unit",
        any_of(
            changed(smoothed_loss, CROSSED, "(q * log_p)"),
            changed(smoothed_loss, ENTROPY, "torch.xlogy(q, q)"),
            changed(
                smoothed_loss,
                BOTH,
                "-crossed[kept].mean(), -entropy[kept].mean()",
                f"{LOSS} / {math.log(2)}, {FLOOR} / {math.log(2)}",
            ),
        ),
        "The sizes are right but for a sign, or for a factor of 1 / ln 2. What do the formulas "
        "begin with, and which logarithm makes nats?",
    ),
    OUT_OF_RANGE.by(
        changed(smoothed_loss, ENTROPY, "-(q * q.log())"),
        changed(
            smoothed_loss,
            LOG_P,
            "logits.softmax(-1).log()",
            "(logits.softmax(-1) + 1e-9).log()",
            "(logits.double().softmax(-1) + 1e-9).log()",
            "(logits.exp() / logits.exp().sum(-1, keepdim=True)).log()",
        ),
    ),
    ANOTHER_FORM.by(changed(smoothed_loss, BOTH, f"{FLOOR}, {LOSS}")),
    IDS_GUESSED.by(
        lambda logits, target, smoothing, padding: smoothed_loss(logits, target, smoothing, 0)
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
    misconceptions=(*TARGETS, *NUMBERS),
    compare=close(atol=1e-4, rtol=1e-4),
)
