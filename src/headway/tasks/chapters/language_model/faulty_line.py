"""Debug: which line of the function that is handed out is faulty."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "11-language-model",
    7,
    Misconception(
        "right-line-suspected",
        any_of(3, 4, 5, 9, 1, 2, 6, 8, 10),
        "Take a prompt of two tokens and a reply of one, and write down both rows. Which position "
        "should say the reply, and where does the function decide otherwise?",
    ),
    minutes=6,
)
