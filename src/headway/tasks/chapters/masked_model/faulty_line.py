"""Debug: which line lets places count that nobody asks about."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "12-masked-model",
    4,
    Misconception(
        "right-line-suspected",
        any_of(7, 2, 3, 5, 6, 8, 9, 10),
        "This line does its part with what it gets. Print the labels and the count for a batch "
        "with two labels: after which line is something lost?",
    ),
    minutes=4,
)
