"""Predict: shapes, a mixture of values and masked rows worked out by hand."""

import math

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception


def shares(*parts: float) -> list[float]:
    """Parts of a whole; zeros of nothing."""
    return [part / sum(parts) if part else 0.0 for part in parts]


def mixed(*parts: float, whole: float | None = None) -> list[float]:
    """The values (6, 0), (0, 6) and (12, 0) of the question, mixed in these parts."""
    whole = sum(parts) if whole is None else whole
    a, b, c = (part / whole for part in parts)
    return [6 * a + 12 * c, 6 * b]


shapes = by_hand(
    "08-attention/shapes",
    "Shapes of a cross-attention",
    [[2, 5, 7], [2, 5, 6]],
    Misconception(
        "scores-transposed",
        [[2, 7, 5], [2, 5, 6]],
        "Your scores have a row for each key. Every query shares out a whole among the keys: "
        "which of the two should lie along a row?",
    ),
    Misconception(
        "one-row-a-key",
        [[2, 7, 5], [2, 7, 6]],
        "Your result has a row for each word of the source. Who asks here, and who is asked?",
    ),
    Misconception(
        "result-as-long-as-the-source",
        [[2, 5, 7], [2, 7, 6]],
        "The scores are right. The result has a row for each value; how many mixtures are made "
        "of them?",
    ),
    Misconception(
        "width-of-the-keys",
        [[2, 5, 7], [2, 5, 4]],
        "The scores are right. Your result is as wide as a key. What is it that is mixed?",
    ),
    Misconception(
        "width-of-the-model",
        [[2, 5, 7], [2, 5, 12]],
        "The scores are right. Your result is as wide as the words that came in. What is it that "
        "is mixed, and how wide is one of them?",
    ),
    Misconception(
        "self-attention",
        [[2, 5, 5], [2, 5, 6]],
        "These are the scores of a sentence that looks at itself. Where do the keys come from "
        "here, and how many are there?",
    ),
    Misconception(
        "self-attention-of-the-source",
        [[2, 7, 7], [2, 7, 6]],
        "This is the source looking at itself. Who asks here?",
    ),
    Misconception(
        "queries-and-keys",
        [[2, 5, 4], [2, 7, 4]],
        "These are the shapes of the queries and of the keys. What comes out where they meet, and "
        "what is mixed with it?",
    ),
    Misconception(
        "words-as-they-came",
        [[2, 5, 12], [2, 7, 12]],
        "These are the shapes of the words that come in: those of the translations and those of "
        "the sources. How many numbers come out where a query meets a key?",
    ),
    Misconception(
        "scores-of-widths",
        [[2, 4, 4], [2, 5, 6]],
        "The result is right. Your scores have a row and a column for each number in a query. "
        "What meets what, numbers or words?",
    ),
    Misconception(
        "batch-forgotten",
        [[5, 7], [5, 6]],
        "This is right for one pair of sentences. How many are there?",
    ),
    Misconception(
        "batches-joined",
        [[10, 14], [10, 6]],
        "You laid the sentences of the batch end to end, so that each translation asks the other's "
        "source as well. Which axis keeps them apart?",
    ),
    Misconception(
        "products-not-added",
        [[2, 5, 7, 4], [2, 5, 7, 6]],
        "You keep a number for each product in a dot product. How many numbers does one query get "
        "from one key?",
    ),
    Misconception(
        "pair-swapped",
        [[2, 5, 6], [2, 5, 7]],
        "Both are right, and they come the wrong way round. Which is asked for first?",
    ),
    Misconception(
        "weights-listed-too",
        [[2, 5, 7], [2, 5, 7], [2, 5, 6]],
        "Three shapes, and all are right: those of scores, weights and result. Which two are asked "
        "for?",
    ),
    Misconception(
        "one-flat-list",
        [2, 5, 7, 2, 5, 6],
        "The six numbers are right, and they stand in one list. How many shapes are asked for, "
        "and where does the second begin?",
    ),
    minutes=3,
    answer="shapes",
    compare=equal(),
)

mixture = by_hand(
    "08-attention/mixture",
    "One query, three keys",
    mixed(1, 2, 3),
    Misconception(
        "no-scale",
        mixed(1, 4, 9),
        "This is right for dot products that are taken as they are. What are they divided by "
        "before the softmax?",
    ),
    Misconception(
        "scaled-by-width",
        mixed(1, math.sqrt(2), math.sqrt(3)),
        "You divided the dot products by 4, the width of the query. That is one square root too "
        "much or too little: which?",
    ),
    Misconception(
        "zero-ignored",
        mixed(0, 2, 3),
        "The first key gets nothing here, since its dot product is 0. What does the exponential "
        "make of 0?",
    ),
    Misconception(
        "scores-as-weights",
        mixed(0, math.log(2), math.log(3)),
        "You divided the scores by their sum. Which function stands between scores and weights?",
    ),
    Misconception(
        "scores-as-they-are",
        mixed(0, math.log(2), math.log(3), whole=1),
        "You mixed the values by the scores as they are. What do these add up to, and which "
        "function makes weights of scores?",
    ),
    Misconception(
        "scaled-by-number-of-keys",
        mixed(1, 2 ** (2 / math.sqrt(3)), 3 ** (2 / math.sqrt(3))),
        "You divided by the root of 3, the number of keys. How many numbers are added up in one "
        "dot product?",
    ),
    Misconception(
        "equal-weights",
        mixed(1, 1, 1),
        "This is the mean of the three values. Do all three keys match the query equally well?",
    ),
    Misconception(
        "best-alone",
        mixed(0, 0, 1),
        "This is the value of the best key alone. How much do the other two still weigh?",
    ),
    Misconception(
        "weights-not-divided",
        mixed(1, 2, 3, whole=1),
        "Your weights are in the right proportion. What should they add up to?",
    ),
    Misconception(
        "scale-after-softmax",
        mixed(1, 4, 9, whole=28),
        "You divided by the square root of the width after the softmax: your weights add up to "
        "one half. Where in the formula does the square root stand?",
    ),
    Misconception(
        "weights-for-mixture",
        shares(1, 2, 3),
        "These are the weights, and they are right. What are they the weights of?",
    ),
    minutes=4,
    answer="mixture",
)

nan = float("nan")

masked_rows = by_hand(
    "08-attention/masked-rows",
    "Causal, with padding in front",
    [[0, 0, 0], [0, 1, 0], [0, 1 / 3, 2 / 3]],
    Misconception(
        "padding-forgotten",
        [[1, 0, 0], shares(3, 1, 0), shares(1, 1, 2)],
        "The causal mask is right. Two masks hide something here: which column does the other one "
        "hide?",
    ),
    Misconception(
        "padding-forgotten-in-its-own-row",
        [[1, 0, 0], [0, 1, 0], [0, 1 / 3, 2 / 3]],
        "Rows 1 and 2 are right. In row 0 the padding looks at itself. Is anything left that both "
        "masks let it see?",
    ),
    Misconception(
        "future-visible",
        [shares(0, 4, 2), shares(0, 1, 9), shares(0, 1, 2)],
        "The padding is hidden. What may position 1 see of position 2?",
    ),
    Misconception(
        "future-visible-in-row-1",
        [[0, 0, 0], shares(0, 1, 9), shares(0, 1, 2)],
        "Rows 0 and 2 are right, and the padding is hidden. What may position 1 see of position 2?",
    ),
    Misconception(
        "row-for-column",
        [[0, 0, 0], shares(3, 1, 0), shares(1, 1, 2)],
        "You let the padding look at nobody. May the others look at it? Who asks: a row or a "
        "column?",
    ),
    Misconception(
        "looks-ahead",
        [shares(0, 4, 2), shares(0, 1, 9), shares(0, 0, 2)],
        "The padding is hidden, and each position sees itself and what comes after it. Which way "
        "does time run along a row?",
    ),
    Misconception(
        "zero-ignored",
        [[0, 0, 0], [0, 0, 0], [0, 0, 1]],
        "A visible score of 0 gets no weight here. What is e to the power 0?",
    ),
    Misconception(
        "not-divided",
        [[0, 0, 0], [0, 1, 0], [0, 1, 2]],
        "Rows 0 and 1 are right. Row 2 is in the right proportion. What should it add up to?",
    ),
    Misconception(
        "own-position-hidden",
        [[0, 0, 0], [0, 0, 0], [0, 1, 0]],
        "Here no position sees itself. Does a causal mask hide the diagonal?",
    ),
    Misconception(
        "mask-after-softmax",
        [[0, 0, 0], [0, 1 / 13, 0], [0, 1 / 4, 1 / 2]],
        "The hidden ones have taken their share before you removed it: what do your rows 1 and 2 "
        "add up to?",
    ),
    Misconception(
        "zero-for-mask",
        [shares(1, 1, 1), shares(1, 1, 1), shares(1, 1, 2)],
        "You gave what is hidden the score 0. What is e to the power 0?",
    ),
    Misconception(
        "equal-where-nothing",
        [shares(1, 1, 1), [0, 1, 0], [0, 1 / 3, 2 / 3]],
        "Rows 1 and 2 are right. Row 0 may see nothing, and you let it see everything a little. "
        "What does the question ask for there?",
    ),
    Misconception(
        "nan-where-nothing",
        [[nan, nan, nan], [0, 1, 0], [0, 1 / 3, 2 / 3]],
        "Rows 1 and 2 are right. 0 divided by 0 is what a plain softmax would give in row 0. What "
        "does the question ask for there?",
    ),
    Misconception(
        "transposed",
        [[0, 0, 0], [0, 1, 1 / 3], [0, 0, 2 / 3]],
        "Your columns add up to one, or to zero. Do the queries stand in rows or in columns?",
    ),
    minutes=5,
    answer="masked_rows",
)
