"""Debug: which line mixes up who reads whom?"""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "10-block",
    5,
    Misconception(
        "right-line-suspected",
        any_of(3, 6, 4, 1, 2, 7),
        "This line does its part. Take two blocks with different masks and fill in the table by "
        "hand: after which line is it not what it should be?",
    ),
    minutes=8,
)
