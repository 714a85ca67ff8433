"""Values to work out by hand: positions, parameters, perplexity."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

positions = by_hand(
    "11-language-model/positions",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-positions",
        2.0,
        "TO WRITE: what the value of positions would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="positions",
)

parameters = by_hand(
    "11-language-model/parameters",
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

perplexity = by_hand(
    "11-language-model/perplexity",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-perplexity",
        2.0,
        "TO WRITE: what the value of perplexity would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="perplexity",
)
