"""Debug: which line divides by a total that it changes."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "03-skip-bigrams",
    18,
    Misconception(
        "symptom-for-cause",
        any_of(3, 17, 19, 20),
        "This line only walks through words or passes on what others made, which is right in any "
        "order. Where is the second word of a row treated differently from the first?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(2, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16),
        "This line does what it should: up to here, all counts are right. What becomes of the row "
        "of log and ran, and what do its two shares sum to?",
    ),
    minutes=5,
)
