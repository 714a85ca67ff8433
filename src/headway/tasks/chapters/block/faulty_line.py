"""Debug: which line mixes up who reads whom?"""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "10-block",
    5,
    Misconception(
        "way-around-suspected",
        any_of(3, 6),
        "This line says what a word's stream holds before any block, or that nothing leaves it "
        "again. In the experiment all is right where every block has the same mask. Would it be, "
        "if the way around were wrong?",
    ),
    Misconception(
        "another-line-suspected",
        any_of(4, any_of(1, 2, 7)),
        "This line counts the words, takes the blocks one after the other, or gives back what was "
        "found. Take two blocks by hand: after the first one, is the table what it should be? And "
        "which line makes the next one from it?",
    ),
    minutes=8,
)
