"""Values to work out by hand: what a merge leaves, ids of symbols, lengths in bytes."""

from headway.tasks.chapters.tokens.mistakes import (
    COUNTS_AFTER_THE_MERGE,
    MERGES_OF_MERGES,
    NEW_SYMBOL,
    NOT_AS_LEARNED,
    ONCE_A_WORD,
    ORDER_OF_PAIR_LOST,
    OTHER_BYTES,
    OVERLAP_NOT_COUNTED,
    SPACES_CHANGED,
    SYMBOLS_MISCOUNTED,
    TIMES_IGNORED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, any_of

# tatata 3 times, atta twice, tat 4 times: (t, a); then, with X for it, (a, t), (X, X), all symbols
pair_count = by_hand(
    "05-tokens/pair-count",
    "Three words before and after a merge",
    [15, 2, 6, 23],
    OVERLAP_NOT_COUNTED.by([15, 2, 3, 23]),
    ONCE_A_WORD.by(*([9, 2, doubled, n] for doubled in (3, 6, 0) for n in (23, 29))),
    TIMES_IGNORED.by(
        *([5, 1, doubled, n] for doubled in (1, 2) for n in (8, 23, 33)),
        *([15, single, 2, n] for single in (1, 2) for n in (8, 23)),
        [15, 1, 1, 23],
        [15, 1, 6, 23],
    ),
    ORDER_OF_PAIR_LOST.by(
        *([27, 0, doubled, n] for doubled in (8, 6) for n in (21, 23, 11)),
        *([27, 2, 6, n] for n in (21, 23, 11)),
    ),
    COUNTS_AFTER_THE_MERGE.by(
        *([15, single, doubled, 23] for single in (12, 0, 6) for doubled in (6, 3)),
        *([15, single, 0, 23] for single in (12, 2)),
        *([15, 2, doubled, 23] for doubled in (8, 9)),
    ),
    SYMBOLS_MISCOUNTED.by(
        *([15, 2, doubled, n] for doubled in (6, 3) for n in (38, 37, 53, 15, 8))
    ),
    minutes=6,
    answer="pair_count",
)

# 2,000 merges behind the bytes, then 2 special tokens: merges before that of id 300; the most bytes
# of the fourth merge's token; the largest id with 500 merges left
sizes = by_hand(
    "05-tokens/sizes",
    "What an id tells you",
    [44, 16, 757],
    NEW_SYMBOL.by(
        *([n, 16, last] for n in (300, 299) for last in (501, 502)),
        *([n, 16, last] for n in (172, 173) for last in (629, 630)),
        *([n, 16, last] for n in (45, 43) for last in (757, 758, 756)),
        *([44, 16, last] for last in (758, 759)),
    ),
    MERGES_OF_MERGES.by(
        *([n, size, last] for n in (44, 45) for size in (2, 4, 5, 8, 32) for last in (757, 758))
    ),
    Misconception(
        "special-tokens-left-out",
        any_of([44, 16, 755], [44, 16, 756], [44, 16, 2_257], [44, 16, 2_256], [44, 16, 2_258]),
        "Your largest id leaves special tokens out, or where they were. Which ids are free after "
        "the last merge that is kept, and who takes them?",
    ),
    minutes=4,
    answer="sizes",
)

# "Zoë: 9€, 🙂", with the merges (E2, 82), (82, AC), (F0, 9F)
byte_length = by_hand(
    "05-tokens/byte-length",
    "A line in letters, bytes and tokens",
    [10, 16, 14],
    OTHER_BYTES.by(
        *([10, 10, n] for n in (8, 10, 7, 14)),
        *([10, 13, n] for n in (11, 13, 14)),
        *([10, 15, n] for n in (13, 14)),
        [10, 17, 15],
    ),
    NOT_AS_LEARNED.by([10, 16, 13], [10, 16, 12]),
    SPACES_CHANGED.by(
        [8, 14, 12],
        [8, 14, 14],
        [8, 16, 14],
        [8, 16, 12],
        [10, 14, 12],
        [10, 14, 14],
        [9, 15, 13],
        [8, 14, 13],
        [8, 14, 11],
        [8, 13, 11],
        [8, 8, 8],
        [8, 8, 6],
    ),
    SYMBOLS_MISCOUNTED.by(*([10, 16, n] for n in (11, 15, 16, 10, 19, 9))),
    minutes=5,
    answer="byte_length",
)
