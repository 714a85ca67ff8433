"""Debug: which line of the function that is handed out is faulty."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "05-tokens",
    9,
    Misconception(
        "symptom-for-cause",
        any_of(10, 11, 12, 13, 14),
        "What this line does follows from what was found before it. Why was no longer token found?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(1, 2, 3, 4, 5, 6, 7, 8, 15),
        "This line does what it should. Follow the last of the three words through the listing: "
        "which of its pieces is never looked up?",
    ),
    minutes=5,
)
