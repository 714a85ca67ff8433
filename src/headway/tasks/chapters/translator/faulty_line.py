"""Debug: which line lets a decoder see its own answer."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "13-translator",
    6,
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 4, 5, 7, 8, 9),
        "This line does what it should with what it is given. After which line does a position "
        "first hold the word that it has to say?",
    ),
    minutes=3,
)
