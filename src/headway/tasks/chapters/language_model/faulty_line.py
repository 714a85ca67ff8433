"""Debug: which line of the function that is handed out is faulty."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "11-language-model",
    7,
    Misconception(
        "what-is-asked-suspected",
        any_of(3, 4, 5, 9),
        "This line says how long a row is, or takes the tokens one place on, which are those to be "
        "said. Take a prompt of two tokens and a reply of one, and write down both rows: has every "
        "token that the model has to say a position that says it?",
    ),
    Misconception(
        "what-is-read-suspected",
        any_of(1, 2, 6, 8, 10),
        "What is read is right: each text with its end, in its own row, without the last token. "
        "Write down both rows of a short example. Which of the two tells why the model says what "
        "it says?",
    ),
    minutes=6,
)
