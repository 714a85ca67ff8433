"""Debug: which line gives the words of padded sentences the positions of their columns."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "07-positions",
    7,
    Misconception(
        "right-line-suspected",
        any_of(1, 2, 3, 4, 5, 6),
        "This line does what its comment says. Follow a sentence of two words behind one padding: "
        "which line does something else than its comment says?",
    ),
    Misconception(
        "symptom-for-cause",
        any_of(8),
        "This line adds what it gets, as it should. Was what it gets right already, for each of "
        "the words?",
    ),
    minutes=4,
)
