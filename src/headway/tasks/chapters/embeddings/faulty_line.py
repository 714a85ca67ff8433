"""Debug: which line of a negative-sampling loss turns the wrong signs."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "06-embeddings",
    5,
    Misconception(
        "right-line-suspected",
        any_of(1, 2, 3, 4, 6, 7),
        "This line does what it should. Take three examples with two drawn words each, and write "
        "down the shape of everything: what stands in a row, and what in a column?",
    ),
    Misconception(
        "symptom-for-cause",
        any_of(8, 9),
        "This line works with what it gets. Which number reaches it with the wrong sign, and in "
        "which examples?",
    ),
    minutes=4,
)
