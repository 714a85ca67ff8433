"""Debug: which line counts the words of padded sentences along the wrong axis."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "07-positions",
    4,
    Misconception(
        "right-line-suspected",
        any_of(1, 2, 3),
        "This line gives what its comment says. Print what each line makes of three sentences of "
        "three words: which of them is the first whose shape or numbers are not as announced?",
    ),
    Misconception(
        "symptom-for-cause",
        any_of(5, 6, 7),
        "This line does what it should with the positions that it gets, for padding too. Are "
        "these positions right, for each of the sentences?",
    ),
    minutes=4,
)
