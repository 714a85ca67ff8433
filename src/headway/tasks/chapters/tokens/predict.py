"""Values to work out by hand: pair-count, sizes, byte-length."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

pair_count = by_hand(
    "05-tokens/pair-count",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-pair-count",
        2.0,
        "TO WRITE: what the value of pair-count would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="pair_count",
)

sizes = by_hand(
    "05-tokens/sizes",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-sizes",
        2.0,
        "TO WRITE: what the value of sizes would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="sizes",
)

byte_length = by_hand(
    "05-tokens/byte-length",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-byte-length",
        2.0,
        "TO WRITE: what the value of byte-length would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="byte_length",
)
