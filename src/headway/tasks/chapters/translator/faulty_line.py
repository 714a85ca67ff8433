"""Debug: which line lets a decoder see its own answer."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "13-translator",
    6,
    Misconception(
        "roll-suspected",
        3,
        "This line moves each word one place to the right, so that a position reads the word "
        "before the one it says. Is there another line that lets a position see further?",
    ),
    Misconception(
        "start-suspected",
        4,
        "Here the token that came round from the end is overwritten by the start symbol. That is "
        "as it should be. How far may a position look in what is read?",
    ),
    Misconception(
        "embedding-suspected",
        5,
        "Each token is looked up for itself here, so nothing can pass from one to another. "
        "Where can it?",
    ),
    Misconception(
        "self-attention-suspected",
        7,
        "Here the answer gets in. The attention does what its mask says: who made the mask?",
    ),
    Misconception(
        "cross-attention-suspected",
        8,
        "This reads the source, and hides its padding. The source may be seen as a whole. Is the "
        "answer in it?",
    ),
    Misconception(
        "length-suspected",
        2,
        "The length is taken from the target, which is as long as what is read. What is made of "
        "it later?",
    ),
    Misconception(
        "scores-suspected",
        9,
        "Here each position is scored for itself, against all words. If it knows its answer by "
        "now, who told it?",
    ),
    minutes=3,
)
