"""Debug: which line of a negative-sampling loss takes a whole batch for one example."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "06-embeddings",
    6,
    Misconception(
        "right-line-suspected",
        any_of(1, 2, 3, 4, 5, 7),
        "This line does what it should. Take three examples with two drawn words each, one of them "
        "drawn twice: what does each line make of it?",
    ),
    Misconception(
        "symptom-for-cause",
        any_of(8, 9),
        "This line works with what it gets. Which terms does the sum lack in a large batch, and "
        "which line took them away?",
    ),
    minutes=4,
)
