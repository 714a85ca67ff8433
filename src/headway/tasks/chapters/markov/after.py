"""Predict two probabilities from five sentences."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

# The sentences of `after`, as the notebook prints them.
COMMANDS = (
    "show files please",
    "show my files please",
    "find files",
    "my files please",
    "show my photos",
)

after = by_hand(
    "02-markov/after",
    "Two probabilities from five sentences",
    [3 / 4, 1 / 4],
    Misconception(
        "tail-lost",
        [1.0, 0.0],
        "You count only words that follow other words. What follows the last word of a sentence?",
    ),
    Misconception(
        "columns-normalized",
        [1.0, 1 / 5],
        "These are shares of what comes next: of all places where please stands, and of all "
        "ends. Of which places should they be shares?",
    ),
    Misconception(
        "counts-for-probabilities",
        [3, 1],
        "These are counts. How often does the word files occur altogether?",
    ),
    Misconception(
        "divided-by-everything",
        [3 / 20, 1 / 20],
        "You divide by all 20 places where something is predicted. At how many of them has "
        "the word files just been said?",
    ),
    Misconception(
        "share-of-sentences",
        [3 / 5, 1 / 5],
        "You divide by the number of sentences. Does the word files stand in each of them?",
    ),
    Misconception(
        "order-zero",
        [3 / 20, 5 / 20],
        "This is how often the two come anywhere in the text. What does it matter that the "
        "last word was files?",
    ),
    Misconception(
        "pair-swapped",
        [1 / 4, 3 / 4],
        "Both numbers are right, in the other order. Which one is asked for first?",
    ),
    Misconception(
        "end-left-out",
        [3 / 4],
        "This is one number, and it is right. How probable is it that nothing comes any more?",
    ),
    minutes=4,
    answer="after_files",
)
