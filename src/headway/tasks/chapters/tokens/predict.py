"""Values to work out by hand: counts of pairs, sizes of vocabularies, lengths in bytes."""

from headway.tasks.chapters.tokens.mistakes import (
    ALL_AT_ONCE,
    CODE_POINTS,
    ONCE_A_WORD,
    ORDER_OF_PAIR_LOST,
    OVERLAP_NOT_COUNTED,
    SPACES_CHANGED,
    TIMES_IGNORED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, any_of

# haha 3 times, aaahaa twice, ah 4 times
pair_count = by_hand(
    "05-tokens/pair-count",
    "Pairs of three words",
    [6, 9, 23],
    OVERLAP_NOT_COUNTED.by([4, 9, 23]),
    ONCE_A_WORD.by([2, 9, 23]),
    TIMES_IGNORED.by([3, 3, 9], [3, 3, 23]),
    ORDER_OF_PAIR_LOST.by([6, 17, 15], [6, 17, 23]),
    Misconception(
        "merged-tokens-miscounted",
        any_of([6, 9, 32], [6, 9, 14], [6, 9, 9], [6, 9, 12]),
        "Your two counts are right. Before the merge there are 32 symbols. How many of them go, "
        "and how many come, with each pair that is merged?",
    ),
    minutes=5,
    answer="pair_count",
)

# 3 special tokens and 1,500 merges; 32,000 symbols with 3 special tokens; the largest id
sizes = by_hand(
    "05-tokens/sizes",
    "What a vocabulary is made of",
    [1_759, 31_741, 1_758],
    Misconception(
        "bytes-miscounted",
        any_of(
            [1_503, 31_997, 1_502],
            [1_529, 31_971, 1_528],
            [1_555, 31_945, 1_554],
            [1_631, 31_869, 1_630],
            [1_758, 31_742, 1_757],
        ),
        "You begin with no symbols, or with another number of them than there are bytes. Of what "
        "does the first merge make a token, and how many values has a byte?",
    ),
    Misconception(
        "special-tokens-left-out",
        any_of([1_756, 31_744, 1_755], [1_756, 31_741, 1_755], [1_759, 31_744, 1_758]),
        "Special tokens are missing in yours, in one of the numbers or in all. Does a model need "
        "rows for them in its table?",
    ),
    Misconception(
        "ids-from-one",
        any_of([1_759, 31_741, 1_759], [1_759, 31_741, 1_760]),
        "Your sizes are right, but the largest id is not. Which id has the first symbol?",
    ),
    minutes=3,
    answer="sizes",
)

# "Zoë: 9 €, 🙂", with the merges (E2, 82), (82, AC), (F0, 9F)
byte_length = by_hand(
    "05-tokens/byte-length",
    "A line in letters, bytes and tokens",
    [11, 17, 15],
    CODE_POINTS.by([11, 11, 9], [11, 11, 11], [11, 11, 8]),
    ALL_AT_ONCE.by([11, 17, 14], [11, 17, 13]),
    SPACES_CHANGED.by([8, 14, 12], [8, 14, 14]),
    Misconception(
        "two-bytes-for-all",
        any_of([11, 14, 12], [11, 14, 14], [11, 16, 14], [11, 15, 13]),
        "You give every letter beyond the English ones the same number of bytes, or one of them a "
        "wrong number. What does the table say of € and of 🙂?",
    ),
    Misconception(
        "merges-misread",
        any_of([11, 17, 11], [11, 17, 12], [11, 17, 16], [11, 17, 20], [11, 17, 17]),
        "The letters and the bytes are right. Go through the bytes of € and of 🙂 with the first "
        "merge, then with the second and the third. Which bytes are joined, and which are left?",
    ),
    minutes=6,
    answer="byte_length",
)
