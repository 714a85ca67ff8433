"""Debug: which line of the function that is handed out is faulty."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "05-tokens",
    2,
    Misconception(
        "symptom-for-cause",
        any_of(6, 7, 8),
        "Here the search goes by without the token that it should find. It begins where it was "
        "told to begin: by whom?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(1, 3, 4, 5, 9, 10, 11, 12, 13),
        "This line does what the text asks for. Follow the last of the three words through the "
        "listing and write down what each name holds: which value is not what its name says?",
    ),
    minutes=5,
)
