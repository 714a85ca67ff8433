"""Debug: in which line the temperature meets sums."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "14-decoding",
    4,
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 5, 6),
        "This line does what it should: a factor that all weights of a row share changes nothing, "
        "the floor is compared with the likeliest token's 1, and numbers are scaled to where the "
        "heights end. Take two tokens of weight 1 and one of 0.5 at temperature 0.5: which "
        "heights should there be, and which are there?",
    ),
    minutes=4,
)
