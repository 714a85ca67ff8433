"""Debug: in which line experts get weight that were not chosen."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "18-experts",
    5,
    Misconception(
        "right-line-suspected",
        any_of(1, 2, 3, 4, 6, 7, 8, 9),
        "This line does what it should with what it gets. Take one token with the scores 2, 1 and "
        "−1 and k = 2: what does each line make of it?",
    ),
    minutes=5,
)
