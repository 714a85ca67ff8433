"""Values to work out by hand: parameters, normed, share."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

parameters = by_hand(
    "10-block/parameters",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-parameters",
        2.0,
        "TO WRITE: what the value of parameters would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="parameters",
)

normed = by_hand(
    "10-block/normed",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-normed",
        2.0,
        "TO WRITE: what the value of normed would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="normed",
)

share = by_hand(
    "10-block/share",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-share",
        2.0,
        "TO WRITE: what the value of share would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="share",
)
