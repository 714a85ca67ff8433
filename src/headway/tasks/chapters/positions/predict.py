"""Values to work out by hand: wave, distance, parameters."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

wave = by_hand(
    "07-positions/wave",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-wave",
        2.0,
        "TO WRITE: what the value of wave would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="wave",
)

distance = by_hand(
    "07-positions/distance",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-distance",
        2.0,
        "TO WRITE: what the value of distance would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="distance",
)

parameters = by_hand(
    "07-positions/parameters",
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
