"""Debug: in which line whole numbers are added up in a type that is too small for their sum."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "19-cheaper",
    4,
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 5, 6, 7),
        "This line does what it should with what it gets. Follow types as well as values: which "
        "line makes a number that its type can't hold?",
    ),
    minutes=4,
)
