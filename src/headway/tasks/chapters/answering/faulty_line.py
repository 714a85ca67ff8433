"""Debug: in which line the second turn of a conversation is spoiled."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "17-answering",
    11,
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 4, 5, 6, 7, 8, 9, 10, 12),
        "This line does what it should. Write down the row that the model gets for the second "
        "question, token by token: which one would it never have seen there in training?",
    ),
    minutes=5,
)
