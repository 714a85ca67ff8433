"""Debug: which line makes a training loop keep its old gradients?"""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "04-soft-lookup",
    4,
    Misconception(
        "symptom-for-cause",
        any_of(6, 7, 8),
        "With a single step the function works, and this line with it: it does what it should with "
        "what it finds. What does it find from the second step on, and who left that there?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 5),
        "The table and the optimizer are made once, as they should be, and the loop takes as many "
        "rounds as are asked for. What must happen in each of them, and happens only once?",
    ),
    minutes=2,
)
