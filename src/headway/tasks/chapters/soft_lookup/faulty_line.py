"""Debug: which line keeps a table that goes on changing?"""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "04-soft-lookup",
    8,
    Misconception(
        "symptom-for-cause",
        any_of(11, 12),
        "This line does what it should: it changes the table, or returns what was kept. What "
        "exactly has been kept?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 4, 5, 6, 7, 9, 10),
        "This line does what it should. Which table does the function hold after round 0, and "
        "which after round 1?",
    ),
    minutes=5,
)
