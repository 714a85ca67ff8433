"""Debug: which line of the causal attention is faulty."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "08-attention",
    6,
    Misconception(
        "softmax-suspected",
        5,
        "This line shares out a whole among all that it gets, as it should. Had the future left "
        "when it came to this line?",
    ),
    Misconception(
        "triangle-suspected",
        4,
        "The triangle is right: query t stands at position S − T + t, and sees what is not later. "
        "What is done with it?",
    ),
    Misconception(
        "scale-suspected",
        3,
        "The scores are right. A single new word, which sees every key, gets the right mixture. "
        "What goes wrong only where something is hidden?",
    ),
    Misconception(
        "symptom-for-cause",
        7,
        "Here the wrong mixture comes out. It uses the weights that it finds: what do they add up "
        "to?",
    ),
    Misconception(
        "sizes-suspected",
        2,
        "Both sizes are read where they stand. What is done later with what they say?",
    ),
    minutes=2,
)
