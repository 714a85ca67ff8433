"""Debug: which line lets a decoder see its own answer."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "13-translator",
    6,
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 4, 5),
        "Up to this line nothing has passed between positions but the shift: each one holds no "
        "more than the word before the one it says. Is there another line that lets a position "
        "see further?",
    ),
    Misconception(
        "symptom-for-cause",
        any_of(7, 8, 9),
        "This line does what it should with what it is given. If a position learns its answer "
        "here, or knows it by now, who has let it?",
    ),
    minutes=3,
)
