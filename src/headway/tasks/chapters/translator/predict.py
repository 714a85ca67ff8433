"""Predict: `weights-shape`, `what-is-read` and, a smoothed target by hand, `shares`."""

from headway.tasks.chapters.translator.mistakes import (
    ANSWER_READ,
    FEWER_SYMBOLS,
    NOT_EPSILON,
    ONE_SENTENCE_ONLY,
    RESULTS_IN_ANOTHER_ORDER,
    SOURCE_ASKS,
    START_MISSING,
    SUM_IS_NOT_ONE,
    WORDS_LOST,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

# The question: a batch of 3, S = 14, T = 9, C = 48, H = 6.
weights_shape = by_hand(
    "13-translator/weights-shape",
    "The shape of the cross-attention weights",
    [3, 6, 9, 14],
    SOURCE_ASKS.by([3, 6, 14, 9]),
    ONE_SENTENCE_ONLY.by([3, 6, 9, 9], [3, 6, 14, 14]),
    Misconception(
        "axes-of-the-weights-confused",
        any_of([3, 9, 14], [6, 9, 14], [3, 9, 6, 14], [6, 3, 9, 14]),
        "An axis is missing, or the axes stand in another order. Which one comes first in this "
        "course, and of what does each sentence have several tables?",
    ),
    Misconception(
        "width-among-the-axes",
        any_of([3, 8, 9, 14], [3, 6, 9, 8], [3, 9, 48]),
        "One of your numbers is a width, that of a head or of the model. A weight belongs to a "
        "query and a key: how many tables of them does each sentence have, and how many keys does "
        "a query meet?",
    ),
    minutes=3,
    answer="weights_shape",
    compare=equal(),
)

what_is_read = by_hand(
    "13-translator/what-is-read",
    "What the decoder reads, in training and in use",
    [["<start>", "elle"], ["<start>", "il"]],
    Misconception(
        "training-and-use-mixed-up",
        any_of(
            [["<start>", "elle"], ["<start>", "elle"]],
            [["<start>", "il"], ["<start>", "il"]],
            [["<start>", "il"], ["<start>", "elle"]],
        ),
        "At least one of your lists ends with the word that belongs in the other situation. In "
        "which of the two is there a teacher who knows the right translation, and whose words are "
        "read in the other?",
    ),
    ANSWER_READ.by(
        [["elle", "aime"], ["il", "aime"]],
        [["<start>", "elle", "aime"], ["<start>", "il", "aime"]],
        [["<start>", "elle", "aime"], ["<start>", "il"]],
        [["<start>", "elle", "aime", "les", "chats"], ["<start>", "il"]],
        [["<start>", "elle", "aime", "les", "chats", "<end>"], ["<start>", "il"]],
        [["elle", "aime", "les", "chats"], ["<start>", "il"]],
    ),
    START_MISSING.by(
        [["elle"], ["il"]],
        [["elle"], ["<start>", "il"]],
        [["start", "elle"], ["start", "il"]],
    ),
    WORDS_LOST.by([["<start>", "elle"], ["<start>"]]),
    Misconception(
        "source-read-by-the-decoder",
        any_of(
            [["she", "loves"], ["she", "loves"]],
            [
                ["she", "loves", "cats", "<start>", "elle"],
                ["she", "loves", "cats", "<start>", "il"],
            ],
        ),
        "There are source words in your lists. Who reads the source, and how does the decoder "
        "learn of it?",
    ),
    minutes=3,
    answer="what_is_read",
    compare=equal(),
)

# The question: V = 5, ε = 0.2.
shares = by_hand(
    "13-translator/shares",
    "A smoothed target by hand",
    [0.84, 0.04],
    FEWER_SYMBOLS.by([0.8, round(0.2 / 3, 4)], [0.8, 0.05], [0.85, 0.05]),
    SUM_IS_NOT_ONE.by([0.8, 0.04], [0.8, 0.2], [0.84, 0.16], [1.04, 0.04], [84.0, 4.0]),
    NOT_EPSILON.by([1.0, 0.0], [0.2, 0.2]),
    RESULTS_IN_ANOTHER_ORDER.by([0.04, 0.84]),
    minutes=3,
    answer="shares",
)
