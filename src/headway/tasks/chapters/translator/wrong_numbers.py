"""Ways in which the smoothed loss goes wrong: logarithms, signs, and which number is which."""

import numpy as np
import torch

from headway.tasks.chapters.translator.smoothing import entropy, smoothed, smoothed_loss
from headway.tasks.engine.mistakes import Misconception


def _changed(change):
    """Another pair from the right one: change(loss, floor, logits, target, smoothing, padding)."""

    def both(*args):
        return change(*smoothed_loss(*args), *args)

    return both


def _by(log_p):
    """Other logarithms of probabilities: log_p(logits)."""

    def both(logits, target, smoothing, padding):
        q, kept = smoothed(target, logits.shape[-1], smoothing), target != padding
        return -(q * log_p(logits)).sum(-1)[kept].mean(), entropy(q)[kept].mean()

    return both


def _naive(logits):
    raised = logits.exp()
    return (raised / raised.sum(-1, keepdim=True)).log()


def _of_the_model(loss, floor, logits, target, e, padding):
    log_p = logits.double().log_softmax(-1)
    return loss, -(log_p.exp() * log_p).sum(-1)[target != padding].mean()


MISTAKES = (
    Misconception(
        "logits-for-log-probabilities",
        _changed(
            lambda loss, floor, logits, target, e, pad: (
                -(smoothed(target, logits.shape[-1], e) * logits).sum(-1)[target != pad].mean(),
                floor,
            )
        ),
        "You weigh the logits themselves. What turns them into logarithms of probabilities?",
    ),
    Misconception(
        "softmax-before-softmax",
        lambda logits, target, smoothing, padding: smoothed_loss(
            logits.softmax(-1), target, smoothing, padding
        ),
        "Your loss hardly depends on the logits: the softmax was taken twice. Which of your "
        "functions has one inside?",
    ),
    Misconception(
        "divergence-for-cross-entropy",
        _changed(lambda loss, floor, *args: (loss - floor, floor)),
        "The floor is right. In the place of the cross-entropy stands the divergence of "
        "Kullback and Leibler. How do the three numbers hang together?",
    ),
    Misconception(
        "floor-is-zero",
        _changed(lambda loss, floor, *args: (loss, torch.zeros(()))),
        "The loss is right. Can a model that predicts the smoothed targets exactly have a "
        "loss of zero?",
    ),
    Misconception(
        "floor-below-zero",
        _changed(lambda loss, floor, *args: (loss, -floor)),
        "The loss is right. Your floor has the wrong sign: the logarithm of a share is never "
        "above zero. What does the formula of the entropy begin with?",
    ),
    Misconception(
        "floor-of-the-true-word",
        _changed(
            lambda loss, floor, logits, target, e, pad: (
                loss,
                -np.log(1 - e + e / logits.shape[-1]),
            )
        ),
        "The loss is right. Your floor is what the true word costs alone. The other words "
        "have a share of the target too: what do they cost?",
    ),
    Misconception(
        "divergence-for-floor",
        _changed(lambda loss, floor, *args: (loss, loss - floor)),
        "The loss is right. The other number is what is left to learn, and the floor is what "
        "cannot be learned. How do the three hang together?",
    ),
    Misconception(
        "zero-times-infinity",
        _changed(lambda loss, floor, logits, target, e, pad: (loss, floor if e else float("nan"))),
        "Right but for no smoothing, where your floor is NaN. What is 0 times the logarithm "
        "of 0 meant to be here?",
    ),
    Misconception(
        "logarithm-of-zero",
        _by(lambda logits: logits.softmax(-1).log()),
        "Right but for logits hundreds apart, where your loss is infinite or NaN. There a "
        "probability becomes 0 before its logarithm is taken. Which function takes both steps at "
        "once?",
    ),
    Misconception(
        "exponentials-overflow",
        _by(_naive),
        "Right but for logits hundreds apart, where you get NaN: their exponentials are more than "
        "a computer can hold. Do you need the exponentials themselves?",
    ),
    Misconception(
        "numbers-swapped",
        lambda *args: smoothed_loss(*args)[::-1],
        "Both are right, in the other order. Which does the function return first?",
    ),
    Misconception(
        "floor-of-the-model",
        _changed(_of_the_model),
        "The loss is right. Your floor is the entropy of the model's own distribution, and changes "
        "with the logits. Of which distribution is the floor the entropy?",
    ),
    Misconception(
        "mean-over-the-symbols",
        _changed(
            lambda loss, floor, logits, *rest: (loss / logits.shape[-1], floor / logits.shape[-1])
        ),
        "Both numbers are too small by the same factor, the size of the vocabulary. Over what is "
        "a sum taken, and over what a mean?",
    ),
    Misconception(
        "loss-mean-over-the-symbols",
        _changed(lambda loss, floor, logits, *rest: (loss / logits.shape[-1], floor)),
        "The floor is right. Your loss is divided by the size of the vocabulary, too. Over what "
        "is a sum taken, and over what a mean?",
    ),
    Misconception(
        "loss-below-zero",
        _changed(lambda loss, floor, *rest: (-loss, floor)),
        "The floor is right. Your loss has the wrong sign. What does its formula begin with?",
    ),
    Misconception(
        "both-below-zero",
        _changed(lambda loss, floor, *rest: (-loss, -floor)),
        "Both have the wrong sign: the logarithm of a share is never above zero. What do both "
        "formulas begin with?",
    ),
    Misconception(
        "bits-for-nats",
        _changed(lambda loss, floor, *rest: (loss / np.log(2), floor / np.log(2))),
        "Both numbers are too large by one factor, 1 / ln 2. In which unit are they asked for?",
    ),
)
