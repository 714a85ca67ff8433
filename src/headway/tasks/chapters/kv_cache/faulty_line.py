"""Debug: in which line the position restarts."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "15-kv-cache",
    3,
    Misconception(
        "symptom-for-cause",
        any_of(4, 5),
        "This line turns queries or new keys by the positions that it is given, and keys that "
        "are held were turned when they were new. Is it given the right positions?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(2, 7, 8),
        "This line does what it should: the lengths are right, values carry no position, and new "
        "token 0 sees those that were held and itself. Where else is the number of "
        "held tokens needed?",
    ),
    minutes=3,
)
