"""Debug: which line divides by the wrong sums."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "16-outlook",
    9,
    Misconception(
        "sums-suspected",
        any_of(3, 4, 5, 6, 7, 12),
        "What this line gives is right whatever it is asked about: sums by the nodes that it is "
        "given, the two ends of the edges, or a quotient of two sums. Who decides which nodes "
        "those are?",
    ),
    Misconception(
        "messages-suspected",
        any_of(1, 2, 8, 10, 11),
        "What arrives at each node is right: print it for the three nodes of the experiment. Which "
        "line says by how much it is divided?",
    ),
    minutes=4,
)
