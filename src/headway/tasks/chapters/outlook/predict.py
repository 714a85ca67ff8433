"""Values to work out by hand: friends, crossing, memory."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

friends = by_hand(
    "16-outlook/friends",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-friends",
        2.0,
        "TO WRITE: what the value of friends would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="friends",
)

crossing = by_hand(
    "16-outlook/crossing",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-crossing",
        2.0,
        "TO WRITE: what the value of crossing would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="crossing",
)

memory = by_hand(
    "16-outlook/memory",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-memory",
        2.0,
        "TO WRITE: what the value of memory would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="memory",
)
