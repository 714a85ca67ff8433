"""Debug: in which line a floor is held against the wrong weights."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "14-decoding",
    4,
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 5, 6, 7),
        "This line does what it should. Take probabilities 0.5, 0.3 and 0.2, temperature 0.5 and "
        "a floor of 0.5: which tokens should be left, and after which line is one gone?",
    ),
    minutes=4,
)
