"""Debug: which line lets places count that nobody asks about."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "12-masked-model",
    7,
    Misconception(
        "stand-in-suspected",
        5,
        "Here a place that is not asked about gets the word 0, so that one can look up something "
        "there at all. What is looked up need not count. Who decides whether it does?",
    ),
    Misconception(
        "cost-or-sum-suspected",
        any_of(2, 3, 4, 6, 8, 9, 10),
        "This line does the same for every place, or adds up and counts the places that it is told "
        "to. Print the count for a batch with two labels: which line decided it?",
    ),
    minutes=4,
)
