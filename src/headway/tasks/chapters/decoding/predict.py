"""Values to work out by hand: sequence, support, beams."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

sequence = by_hand(
    "14-decoding/sequence",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-sequence",
        2.0,
        "TO WRITE: what the value of sequence would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="sequence",
)

support = by_hand(
    "14-decoding/support",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-support",
        2.0,
        "TO WRITE: what the value of support would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="support",
)

beams = by_hand(
    "14-decoding/beams",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-beams",
        2.0,
        "TO WRITE: what the value of beams would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="beams",
)
