"""Debug: in which line keys are turned that have been turned."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "15-kv-cache",
    5,
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 4, 6, 7, 8),
        "This line does what it should with what it gets. Call the function twice on paper: what "
        "are the keys like that the second call gets?",
    ),
    minutes=3,
)
