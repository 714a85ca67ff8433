"""Values to work out by hand: weight, similarity, parameters."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

weight = by_hand(
    "06-embeddings/weight",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-weight",
        2.0,
        "TO WRITE: what the value of weight would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="weight",
)

similarity = by_hand(
    "06-embeddings/similarity",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-similarity",
        2.0,
        "TO WRITE: what the value of similarity would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="similarity",
)

parameters = by_hand(
    "06-embeddings/parameters",
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
