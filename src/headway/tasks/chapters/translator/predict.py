"""Predict: `weights-shape`, `what-is-read` and, a smoothed target backwards, `shares`."""

from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    ANSWER_READ,
    FEWER_SYMBOLS,
    NOT_EPSILON,
    ONE_SENTENCE_ONLY,
    SOURCE_ASKS,
    START_MISSING,
    WORDS_LOST,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close, equal
from headway.tasks.engine.mistakes import Misconception, any_of

# The question: a batch of 3, S = 13 words and an end, T = a start and 9 words, C = 48, H = 6.
weights_shape = by_hand(
    "13-translator/weights-shape",
    "The shape of the cross-attention weights",
    [3, 6, 10, 14],
    SOURCE_ASKS.by(*([3, 6, S, T] for S in (13, 14) for T in (9, 10))),
    ONE_SENTENCE_ONLY.by([3, 6, 10, 10], [3, 6, 14, 14]),
    Misconception(
        "special-symbols-miscounted",
        any_of(*([3, 6, T, S] for T in (9, 10, 11) for S in (13, 14, 15) if (T, S) != (10, 14))),
        "The shape is right but for a token or two. Which symbols come with the words of a "
        "source, and which does the decoder read in addition to its words?",
    ),
    Misconception(
        "axes-of-the-weights-confused",
        any_of(
            *([3, 10, 14], [6, 10, 14], [3, 10, 6, 14], [6, 3, 10, 14]),
            *([3, 8, 10, 14], [3, 6, 10, 8], [3, 10, 48], [3, 48, 10, 14], [3, 10, 14, 6]),
            *([18, 10, 14], [3, 6, 10, 48], [3, 6, 10, 14, 8]),
        ),
        "An axis is missing, is in another place or is a width. A weight belongs to a query and a "
        "key: how many tables of weights does a sentence have?",
    ),
    minutes=4,
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
        "At least one of your lists ends with the word that belongs in the other. Who chooses the "
        "words that are read in training, and who in use?",
    ),
    ANSWER_READ.by(
        [["elle", "aime"], ["il", "aime"]],
        [["<start>", "elle", "aime"], ["<start>", "il", "aime"]],
        [["<start>", "elle", "aime"], ["<start>", "il"]],
        [["<start>", "elle", "aime", "les", "chats"], ["<start>", "il"]],
        [["<start>", "elle", "aime", "les", "chats", "<end>"], ["<start>", "il"]],
        [["elle", "aime", "les", "chats"], ["<start>", "il"]],
        [["elle", "aime"], ["il"]],
        [["elle", "aime", "les", "chats"], ["il"]],
        [["<start>", "elle"], ["<start>", "il", "aime"]],
        [["<start>", "elle", "aime", "les", "chats"], ["<start>", "il", "aime", "les", "chats"]],
    ),
    START_MISSING.by(
        [["elle"], ["il"]],
        [["elle"], ["<start>", "il"]],
        [["<start>", "elle"], ["il"]],
        [["start", "elle"], ["start", "il"]],
    ),
    WORDS_LOST.by(
        *([["<start>", "elle"], ["<start>"]], [["<start>"], ["<start>", "il"]]),
        [["<start>"], ["<start>"]],
    ),
    Misconception(
        "source-read-by-the-decoder",
        any_of(
            [["she", "loves"], ["she", "loves"]],
            [["she", "loves", "<start>", "elle"], ["she", "loves", "<start>", "il"]],
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

# The question: V = 8, and 1 − ε + ε/V = 0.72.
shares = by_hand(
    "13-translator/shares",
    "A smoothed target, backwards",
    [0.32, 0.04],
    FEWER_SYMBOLS.by(
        *([0.28, 0.04], [0.28, 0.28 / 6], [0.28, 0.05]),
        *([0.28 * 7 / 6, 0.28 / 6], [0.33, 0.28 / 6], [0.33, 0.05]),
    ),
    NOT_EPSILON.by(
        *([0.28, share] for share in (0.28 / 8, 0.28)),
        *([0.32, share] for share in (0.32 / 7, 0.28, 0.32)),
        *([32.0, 4.0], [0.32, 0.05], [0.245, 0.035]),
        *([0.72, 0.09], [0.72, 0.04], [0.68, 0.04], [0.72 * 8 / 7, 0.72 / 7]),
    ),
    ANOTHER_FORM.by([0.04, 0.32]),
    minutes=5,
    answer="shares",
    compare=close(atol=2e-3),
)
