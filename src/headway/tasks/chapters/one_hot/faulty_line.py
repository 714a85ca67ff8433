"""Debug: which line of the encoder is faulty."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "01-one-hot",
    7,
    Misconception(
        "symptom-for-cause",
        8,
        "The wrong number is stored here. Where was it made?",
    ),
    Misconception(
        "right-line-suspected",
        4,
        "This line looks like the faulty one, but here new words should get new ids.",
    ),
    minutes=2,
)
