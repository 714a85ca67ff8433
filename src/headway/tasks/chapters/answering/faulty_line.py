"""Debug: in which line the second turn of a conversation is spoiled."""

from headway.tasks.chapters.answering.mistakes import RIGHT_LINE_SUSPECTED
from headway.tasks.engine.by_hand import which_line

faulty_line = which_line(
    "17-answering",
    11,
    RIGHT_LINE_SUSPECTED.by(2, 3, 4, 5, 6, 7, 8, 9, 10, 12),
    minutes=5,
)
