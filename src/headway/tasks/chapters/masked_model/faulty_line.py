"""Debug: which line lets places count that nobody asks about."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "12-masked-model",
    4,
    Misconception(
        "right-question-suspected",
        7,
        "The question of this line is the right one. Print what it is asked of: which labels are "
        "below 0 by then, and which were when the batch came?",
    ),
    Misconception(
        "cost-or-sum-suspected",
        any_of(2, 3, 5, 6, 8, 9, 10),
        "This line does the same for every place, or adds up and counts the places that it is told "
        "to. Print the count for a batch with two labels: which line made it what it is?",
    ),
    minutes=4,
)
