"""Debug: which line puts heads together by a `view` where a transpose is needed?"""

from headway.tasks.chapters.many_heads.mistakes import RIGHT_LINE_SUSPECTED
from headway.tasks.engine.by_hand import which_line

faulty_line = which_line(
    "09-many-heads",
    9,
    RIGHT_LINE_SUSPECTED.by(2, 3, 4, 5, 6, 7, 8),
    minutes=4,
)
