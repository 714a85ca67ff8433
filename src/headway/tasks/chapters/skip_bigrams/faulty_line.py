"""Debug: which line divides by a total that it changes."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "03-skip-bigrams",
    18,
    Misconception(
        "symptom-for-cause",
        any_of(3, 17, 19, 20),
        "This line walks through sentences or words in the order in which they are there, or "
        "passes on what others have made. That is right in any order. Where does the second word "
        "of a row get another treatment than the first?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(2, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16),
        "This line does what it should: up to here, all counts are right, in whichever order the "
        "sentences come. Work out by hand what becomes of the row of log and ran. What do its two "
        "shares sum to?",
    ),
    minutes=5,
)
