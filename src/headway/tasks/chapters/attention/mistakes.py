"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from collections.abc import Callable
from dataclasses import dataclass

from headway.tasks.chapters.attention.telling import (
    Looks,
    Predicate,
    by,
    by_angles,
    by_no_softmax,
    finite,
    hidden_late,
    hidden_leads,
    hidden_shares,
    hidden_weigh,
    keys_mixed,
    nan_under_a_mask,
    nothing_hidden,
    only_blind_rows,
    queries_for_keys,
    rows_not_whole,
    scaled_otherwise,
    scaled_up,
    seen_without_weight,
    unscaled,
    weights_alone_right,
    whole_along_another_axis,
)
from headway.tasks.engine.mistakes import Misconception, SharedMisconception, changed


@dataclass(frozen=True)
class Told(SharedMisconception):
    """A mistake that weights and mixtures tell, in whichever task they come out.

    Attributes:
        tells: whether it shows in a wrong look.
    """

    tells: Predicate

    def told(self, looks: Looks, *wrong, only_at: tuple[str, ...] = ()) -> Misconception:
        """The mistake in a task with these looks, with wrong answers that show it."""
        return self.by(*wrong, shows=by(looks, self.tells), only_at=only_at)


# The scale

NO_SCALE = Told(
    "no-scale",
    "Your weights are too sharp, and the more so the wider the queries. Which step between dot "
    "products and softmax is missing?",
    unscaled,
)
ANOTHER_SCALE = Told(
    "another-scale",
    "You divide your scores by another number than asked. How many products does one score add up, "
    "and how does the spread of the sum grow with them?",
    scaled_otherwise,
)
SCALE_MISPLACED = Told(
    "scale-misplaced",
    "The root of the width is in your formula, but not where it belongs. Does it act on the scores "
    "or on the weights, and which way?",
    scaled_up,
)

COSINE_FOR_DOT_PRODUCT = Told(
    "cosine-for-dot-product",
    "You divide by the length of the query, of the keys, or of both. Should a long vector count no "
    "more than a short one here?",
    by_angles,
)

# From scores to weights

NO_SOFTMAX = Told(
    "no-softmax",
    "You weigh by something else than a softmax of the scores: by the scores, by the best key "
    "alone, or by all alike. Which function makes weights of scores?",
    by_no_softmax,
)
NOT_NORMALIZED = Told(
    "not-normalized",
    "The weights of a query don't add up to 1. What do you divide by, and which keys does that "
    "sum run over?",
    rows_not_whole,
)
SOFTMAX_OVER_THE_WRONG_AXIS = Told(
    "softmax-over-the-wrong-axis",
    "Your rows of weights do not sum to one: you share out the whole along another axis, or along "
    "several. Who shares out a whole here, and among whom?",
    whole_along_another_axis,
)
ZERO_SCORES_IGNORED = SharedMisconception(
    "zero-scores-ignored",
    "Keys whose score is 0 or less go wrong, or get no weight. What is e to the power 0, and is "
    "e to any power zero?",
)
EXPONENTIALS_OUT_OF_RANGE = SharedMisconception(
    "exponentials-out-of-range",
    "Where scores are very large, or all far below zero, your exponentials become infinite or 0. "
    "What may be subtracted from all scores of a query without changing its weights?",
)

OTHER_SCORES = Told(
    "other-scores",
    "Your weights are no softmax of the scores asked for. Work out one row by hand: after which "
    "step do you part from it?",
    finite,
)

# The mixture, and what is returned

OTHER_MIXTURE = Told(
    "weights-right-mixture-not",
    "Your weights are right, but your mixture is not the sum that they make. Which value does each "
    "weight multiply, and what is added up?",
    weights_alone_right,
)

KEYS_FOR_VALUES = Told(
    "keys-for-values",
    "You mix something else than the values: the keys, whole tokens, or another of their numbers. "
    "What is handed out?",
    keys_mixed,
)
OTHER_RESULTS_GIVEN = SharedMisconception(
    "other-results-given",
    "Some of your numbers are right, but you give something else than asked for: too little, "
    "too much, or in another order. What exactly is asked for?",
)
NO_MIXTURE = SharedMisconception(
    "no-mixture-of-the-values",
    "No weights that add up to 1 make this of the values. What do you add up, and what happens "
    "to it then?",
)
NOT_PROJECTED = SharedMisconception(
    "not-projected",
    "You use words as they come in, all of them or those that you mix. What is made of them first?",
)

# Who asks, and who is asked

QUERIES_AND_KEYS_SWAPPED = Told(
    "queries-and-keys-swapped",
    "A row of your scores, weights or mask belongs to a key, and a column to a query. Who asks "
    "here, and who is asked?",
    queries_for_keys,
)
WRONG_SIDE = SharedMisconception(
    "query-and-memory-mixed-up",
    "Where one sentence asks another, you take something from the wrong side. Who asks here, and "
    "who is asked and hands out the values?",
)
MATRICES_MIXED_UP = SharedMisconception(
    "matrices-mixed-up",
    "One of your matrices does the work of another. What is each of them there to make?",
)
WRONGLY_TRANSPOSED = SharedMisconception(
    "wrongly-transposed",
    "At least one of your matrices is transposed where it should not be, or in another way than "
    "asked. Which of its axes meets what it is multiplied with?",
)
ONE_SHAPE_ONLY = SharedMisconception(
    "one-shape-only",
    "Your code is right for some shapes and sizes only. How do you name an axis, however many "
    "come before it, and what is special about those that fail?",
)

# Masks

MASK_IGNORED = Told(
    "mask-ignored",
    "This is right where nothing is hidden. Elsewhere what is hidden counts like everything else: "
    "in which step does your mask take part?",
    nothing_hidden,
)
MASK_INVERTED = Told(
    "mask-inverted",
    "Your mask works the wrong way round, in one step at least. Which keys should the first query "
    "see, and which does yours?",
    hidden_leads,
)
MASK_AFTER_SOFTMAX = Told(
    "mask-after-softmax",
    "Your mask comes too late: hidden keys have taken their share of the softmax already, or set "
    "its scale. When must they disappear?",
    hidden_late,
)
HIDDEN_SCORE_TOO_HIGH = Told(
    "hidden-score-too-high",
    "Hidden keys still take a share, because their scores are not low enough or their weights "
    "are not 0. What is e to the power of such a score, next to the others?",
    hidden_shares,
)
TIMES_INFINITY = Told(
    "multiplied-by-infinity",
    "Something is multiplied by minus infinity, and rows become NaN. What is minus infinity times "
    "a negative number, and times 0?",
    nan_under_a_mask,
)
NOTHING_VISIBLE = Told(
    "nothing-visible",
    "Only a query that may see nothing goes wrong. What does a softmax make of a row without a "
    "visible score?",
    only_blind_rows,
)
FUTURE_VISIBLE = Told(
    "future-visible",
    "What comes later can be seen, from one position at least. What may a word see of the words "
    "after it?",
    hidden_weigh,
)
EDGE_OFF_BY_ONE = SharedMisconception(
    "edge-off-by-one",
    "An edge of your mask is one off. Does a word see itself, and how many words does it see in "
    "all?",
)
PREFIX_LEFT_OUT_OF_THE_MASK = SharedMisconception(
    "prefix-left-out-of-the-mask",
    "After a prefix that was seen before, your mask is not in its place. At which position does "
    "the first query stand, and how many keys come before it?",
)
SEEN_WITHOUT_WEIGHT = Told(
    "seen-without-weight",
    "Something that may be seen is left out: the word itself, one before it, or another key. "
    "Which step takes it away?",
    seen_without_weight,
)
MASK_OF_NUMBERS = SharedMisconception(
    "mask-of-numbers",
    "The right places are marked, with numbers. Which type lets a mask combine with others by "
    "logic?",
)


def of_any_weights(looks: Looks, reference: Callable) -> tuple[Misconception, ...]:
    """What shows in wrong weights of any kind, the most telling first.

    Args:
        looks: those of a task.
        reference: its right answer, which ends with "return weights @ …".
    """

    def giving(weights: str):
        return changed(reference, "return weights", f"weights = {weights}; return weights")

    swapped = "weights[..., [1, 0, *range(2, weights.shape[-1])]]"
    return (
        SEEN_WITHOUT_WEIGHT.told(looks, giving("weights * (weights == weights.max())")),
        NOT_NORMALIZED.told(looks, giving("weights**2")),
        OTHER_SCORES.told(looks, giving(f"(weights + {swapped}) / 2")),
    )
