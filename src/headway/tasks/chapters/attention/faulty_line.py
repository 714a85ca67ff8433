"""Debug: which line of the causal attention is faulty."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "08-attention",
    6,
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 4, 5),
        "This line does what it should with what it finds. A single new word, which sees every "
        "key, gets the right mixture: what goes wrong only where something is hidden?",
    ),
    Misconception(
        "symptom-for-cause",
        7,
        "Here the wrong mixture comes out. It uses the weights that it finds: what do they add up "
        "to?",
    ),
    minutes=2,
)
