"""Debug: in which line the counts run from one sentence into the next."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "02-markov",
    3,
    Misconception(
        "symptom-for-cause",
        5,
        "Here a last word meets a first word. Who put them side by side?",
    ),
    Misconception(
        "count-suspected",
        7,
        "This line counts what it is given. Was it given the right pairs?",
    ),
    Misconception(
        "cut-suspected",
        4,
        "This line cuts the text at white space. Is there anything wrong with the text before "
        "that?",
    ),
    Misconception(
        "row-suspected",
        6,
        "This line fetches the row of a word, or makes one. Does it matter in which sentence "
        "the word stood?",
    ),
)
