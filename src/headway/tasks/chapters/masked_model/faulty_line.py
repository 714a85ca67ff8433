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
        "cost-suspected",
        any_of(4, 6),
        "This line does the same for every place: a cost for the word that stands in words there. "
        "It is right where a word is asked for. What has to become of the others?",
    ),
    Misconception(
        "sum-suspected",
        any_of(2, 3, 8, 9, 10),
        "This line adds up, or divides, what it is told to count. Print the count for a batch with "
        "two labels: who told it?",
    ),
    minutes=4,
)
