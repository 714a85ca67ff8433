"""Debug: which line puts heads together by a `view` where a transpose is needed?"""

from headway.tasks.chapters.many_heads.mistakes import ATTENTION_SUSPECTED
from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "09-many-heads",
    8,
    Misconception(
        "way-in-suspected",
        any_of(2, 3),
        "The way into the heads is right: a head is as wide as it should be, columns are cut "
        "first, and then heads and tokens change places. Where is the same way gone back?",
    ),
    ATTENTION_SUSPECTED.by(4, 5, 6, 7),
    minutes=2,
)
