"""Predict: rows of weights under two masks, worked out by hand."""

from headway.tasks.chapters.attention.mixture import shares
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

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
