"""Debug: which line of the causal attention looks at what nobody may see yet."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "08-attention",
    6,
    Misconception(
        "right-line-suspected",
        any_of(1, 2, 3, 4, 5, 8),
        "This line does what it should. Take a row of scores whose last one is hidden and very "
        "high: after which line are the visible numbers lost?",
    ),
    Misconception(
        "symptom-for-cause",
        any_of(7, 9),
        "Here exponentials vanish, or 0 is divided by 0. Which number did an earlier line find, "
        "and among which scores?",
    ),
    minutes=4,
)
