"""Debug: which line puts heads together by a `view` where a transpose is needed?"""

from headway.tasks.chapters.many_heads.mistakes import ATTENTION_SUSPECTED
from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "09-many-heads",
    9,
    Misconception(
        "way-in-suspected",
        any_of(2, 3, 4),
        "The way into the heads is right: a head is as wide as it should be, and each gets columns "
        "of the matrices that stand next to each other. Where are the heads left again?",
    ),
    ATTENTION_SUSPECTED.by(5, 6, 7, 8),
    minutes=4,
)
