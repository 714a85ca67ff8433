"""Debug: in which line the counts run from one sentence into the next."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "02-markov",
    3,
    Misconception(
        "symptom-for-cause",
        5,
        "Here a last word meets a first word. Who put them side by side?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(4, 6, 7),
        "This line does what it should with what it is given. Was it given the right thing?",
    ),
)
