"""Debug: which line of the function that is handed out is faulty."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "16-outlook",
    2,  # TO WRITE: the number of the faulty line
    Misconception(
        "to-write-faulty-line",
        1,
        "TO WRITE: what happens in this line, and a question?",
    ),
)
