"""Predict by hand: `count-features`, `count-rows` and `add-votes`."""

from headway.tasks.chapters.skip_bigrams.mistakes import (
    ANOTHER_TOTAL,
    COUNTS_FOR_VOTES,
    EARLIER_OCCURRENCE_DROPPED,
    NEIGHBORS_ONLY,
    PRODUCT,
    READ_AS_PROBABILITIES,
    REPEATS_COUNTED,
    RESULTS_IN_ANOTHER_ORDER,
    SELF_PAIR,
    UNORDERED,
    WINNER_TAKES_ALL,
    WITHOUT_THE_LATEST,
    WORD_CUT_OFF,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

count_features = by_hand(
    "03-skip-bigrams/count-features",
    "Features of a prefix, counted by hand",
    5,
    REPEATS_COUNTED.by(7),
    SELF_PAIR.by(6),
    NEIGHBORS_ONLY.by(1),
    WITHOUT_THE_LATEST.by(28, 24, 15, 8),
    Misconception(
        "repeated-words-left-out",
        3,
        "You count only the words that come once. How many features is a pair that is present "
        "twice?",
    ),
    minutes=2,
    answer="number_of_features",
    compare=equal(),
)

count_rows = by_hand(
    "03-skip-bigrams/count-rows",
    "Rows of a chain against rows of pairs",
    [10**8, 10**2],
    Misconception(
        "rows-miscounted",
        any_of(
            *([80, 20], [8**10, 2**10], [8**10, 10**2]),
            *([11**8, 11**2], [11**8, 10**2], [10**9, 10**3], [10**9, 10**2], [10**8, 800]),
        ),
        "At least one of your numbers doesn't count rows. What makes one row differ from another, "
        "how many choices does each of its words have, and how do choices combine?",
    ),
    UNORDERED.by([10**8, 45]),
    EARLIER_OCCURRENCE_DROPPED.by([10**8, 90]),
    RESULTS_IN_ANOTHER_ORDER.by([10**2, 10**8]),
    minutes=2,
    answer="rows",
    compare=equal(),
)

add_votes = by_hand(
    "03-skip-bigrams/add-votes",
    "Votes added by hand",
    # (today, we): 1/2, 1/2; (it, we): 1/4, 3/4; (snows, we): 0, 1
    [0.75, 2.25],
    READ_AS_PROBABILITIES.by([0.25, 0.75]),
    PRODUCT.by([0.0, 0.375]),
    COUNTS_FOR_VOTES.by([2, 6]),
    ANOTHER_TOTAL.by([1, 2], [1, 4]),
    NEIGHBORS_ONLY.by([0, 1]),
    SELF_PAIR.by([1.0, 3.0]),
    RESULTS_IN_ANOTHER_ORDER.by([2.25, 0.75]),
    WINNER_TAKES_ALL.by([0.5, 2.5]),
    WORD_CUT_OFF.by([0.25, 1.75], [0.75, 1.25], [0.5, 1.5]),
    minutes=5,
    answer="votes",
)
