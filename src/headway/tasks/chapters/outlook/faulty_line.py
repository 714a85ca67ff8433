"""Debug: which line divides by the wrong sums."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "16-outlook",
    9,
    Misconception(
        "another-line-suspected",
        any_of(3, 4, 5, 6, 7, 12, 1, 2, 8, 10, 11),
        "This line does what it says, whatever nodes it is given. Print what arrives in the "
        "experiment: which line says by how much that is divided?",
    ),
    minutes=4,
)
