"""What goes wrong where attention hides keys: known wrong answers to the task `attend`."""

import torch

from headway.tasks.chapters.attention.steps import (
    added,
    after,
    filled,
    inverted,
    mask_on_queries,
    multiplied,
    scaled_scores,
    variant,
)
from headway.tasks.engine.mistakes import Misconception


def renormalized(least=0.0):
    """Weights that are hidden after the softmax, and made to sum to one again."""
    return after(lambda weights, mask: _shared(weights * mask, least))


def _shared(parts, least=0.0):
    return parts / (parts.sum(dim=-1, keepdim=True) + least)


def infinity_times_zero(scores, mask):
    hide = 0.0 if mask is None else (~mask).float() * -torch.inf
    return (scores + hide).softmax(dim=-1)


def exponentials(hide, then=lambda weights: weights):
    """A softmax by hand that subtracts nothing; hide(exponentials, mask) → those that are seen."""

    def weigh(scores, mask):
        return then(_shared(scores.exp() if mask is None else hide(scores.exp(), mask)))

    return weigh


def emptied(numbers, mask):
    return numbers.masked_fill(~mask, 0.0)


def multiplied_away(numbers, mask):
    return numbers * mask


def zeros_for_nan(weights):
    return weights.nan_to_num(0.0)


def cleaned_after_mixing(fill):
    """The weights are repaired when the mixture is made already."""

    def attention(query, key, value, mask=None):
        weights = filled(fill)(scaled_scores(query, key), mask)
        clean = weights if mask is None else weights.masked_fill(~mask, 0.0)
        return weights @ value, clean

    return attention


HIDING = (
    Misconception(
        "mask-ignored",
        variant(weigh=lambda scores, mask: scores.softmax(dim=-1)),
        "Right without a mask. With one, nothing changes.",
    ),
    Misconception(
        "mask-after-softmax",
        variant(weigh=after(multiplied_away)),
        "Hidden keys get no weight, but the others no longer sum to one: the hidden have taken "
        "their share first. When must they disappear?",
    ),
    Misconception(
        "weights-set-to-minus-1e9",
        variant(weigh=after(lambda weights, mask: weights.masked_fill(~mask, -1e9))),
        "Your hidden weights are −1e9, and so the mixture is huge. Is it the weights or the "
        "scores that should become very low?",
    ),
    Misconception(
        "mask-inverted",
        variant(weigh=inverted(lambda weights, mask: weights)),
        "Your queries see what is hidden from them, and give NaN where nothing is. What does "
        "True mean in this mask?",
    ),
    Misconception(
        "mask-inverted-in-both-fills",
        variant(weigh=inverted(lambda weights, mask: weights.masked_fill(mask, 0.0))),
        "Your queries see what is hidden from them, and nothing else. What does True mean in "
        "this mask?",
    ),
    Misconception(
        "mask-inverted-first",
        variant(weigh=inverted(lambda weights, mask: weights.masked_fill(~mask, 0.0))),
        "With a mask, nothing is left but zeros and NaN. You fill twice: which places each "
        "time, and what does True mean?",
    ),
    Misconception(
        "zero-for-mask",
        variant(weigh=filled(0.0)),
        "You give hidden keys the score 0. What is e to the power 0?",
    ),
    Misconception(
        "zero-for-mask-and-again",
        variant(weigh=filled(0.0, then=0.0)),
        "Hidden keys have no weight in the end, and yet the others lack some. Which score did "
        "the hidden keys have inside the softmax, and what is e to that power?",
    ),
    Misconception(
        "ones-and-minus-infinity",
        variant(weigh=multiplied),
        "You multiply by ones and minus infinity, and most rows become NaN. What is minus "
        "infinity times a negative score, and times 0?",
    ),
    Misconception(
        "mask-added",
        variant(weigh=added),
        "You add the mask to the scores as it is, as 0 and 1. How much should be added where "
        "it is False?",
    ),
    Misconception(
        "nan-where-nothing",
        variant(weigh=filled(-torch.inf)),
        "A query that may see nothing gives NaN. What is 0 divided by 0, and what is asked "
        "for here?",
    ),
    Misconception(
        "equal-where-nothing",
        variant(weigh=filled(-1e9)),
        "A query that may see nothing sees everything alike. If all scores of a row are "
        "equally low, how does a softmax share?",
    ),
    Misconception(
        "low-but-not-low-enough",
        variant(weigh=filled(-1e2, then=0.0)),
        "Right while scores are small. Where all scores lie far below zero, the hidden keys "
        "take everything. Which number is below every score?",
    ),
    Misconception(
        "mask-transposed",
        variant(weigh=mask_on_queries),
        "Right without a mask. Do the rows of the mask belong to the queries or to the keys?",
    ),
    Misconception(
        "renormalized-too-late",
        variant(weigh=renormalized(1e-9)),
        "Right while hidden scores are ordinary. Where a hidden key has a very high score, its "
        "query gets nothing: what was left of the other weights when you made them sum to one "
        "again?",
    ),
    Misconception(
        "renormalized-too-late-nan",
        variant(weigh=renormalized()),
        "A query that may see nothing gives NaN, and so does one from which a very high score is "
        "hidden. What is left of a row's sum there, before you divide by it?",
    ),
    Misconception(
        "zero-times-infinity",
        variant(weigh=infinity_times_zero),
        "With a mask everything is NaN. For what is visible, too, something is multiplied by minus "
        "infinity before it is added: what is 0 times infinity?",
    ),
    Misconception(
        "underflow",
        variant(weigh=exponentials(emptied, zeros_for_nan)),
        "Right while scores are small. Where all lie near −1,000 every exponential is 0. What may "
        "be subtracted from the scores of a row first?",
    ),
    Misconception(
        "underflow-nan",
        variant(weigh=exponentials(emptied)),
        "A query that may see nothing gives NaN, and so does one whose scores all lie near −1,000: "
        "every exponential is 0 there. What may be subtracted from the scores of a row first, and "
        "what is asked for where nothing is visible?",
    ),
    Misconception(
        "underflow-and-overflow",
        variant(weigh=exponentials(multiplied_away, zeros_for_nan)),
        "Right while scores are small. Where all lie near −1,000 every exponential is 0, and a "
        "very high hidden one is infinite: what is 0 times infinity? What may be subtracted from "
        "the scores of a row first?",
    ),
    Misconception(
        "underflow-and-overflow-nan",
        variant(weigh=exponentials(multiplied_away)),
        "NaN comes where nothing is visible, where all scores lie near −1,000 and where a very "
        "high one is hidden. What are the exponentials and their sum there, and what may be "
        "subtracted from the scores of a row first?",
    ),
    Misconception(
        "nan-in-the-mixture",
        cleaned_after_mixing(-torch.inf),
        "Your weights are right. The mixture of a query that may see nothing is NaN: did you mix "
        "before or after you repaired the weights?",
    ),
    Misconception(
        "equal-in-the-mixture",
        cleaned_after_mixing(-1e9),
        "Your weights are right. The mixture of a query that may see nothing is the mean of all "
        "values: did you mix before or after you repaired the weights?",
    ),
)
