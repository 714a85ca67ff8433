"""Values to work out by hand: drawn, labels, patches."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

drawn = by_hand(
    "12-masked-model/drawn",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-drawn",
        2.0,
        "TO WRITE: what the value of drawn would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="drawn",
)

labels = by_hand(
    "12-masked-model/labels",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-labels",
        2.0,
        "TO WRITE: what the value of labels would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="labels",
)

patches = by_hand(
    "12-masked-model/patches",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-patches",
        2.0,
        "TO WRITE: what the value of patches would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="patches",
)
