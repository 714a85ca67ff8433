"""Debug: which line makes a training loop keep its old gradients?"""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "04-soft-lookup",
    4,
    Misconception(
        "where-it-piles-up",
        7,
        "This line adds to the gradients that are there, and it has to stand here. Which line "
        "should have removed the old ones?",
    ),
    Misconception(
        "symptom-for-cause",
        8,
        "Here the step comes out wrong. It uses the gradients that it finds: who left them?",
    ),
    Misconception(
        "once-is-enough",
        2,
        "The table has to be made once, or it would forget everything in each round.",
    ),
    Misconception(
        "optimizer-suspected",
        3,
        "The optimizer may be made once: it keeps hold of the table and the rate, and a plain step "
        "remembers nothing. What is kept from round to round that should not be?",
    ),
    Misconception(
        "rounds-suspected",
        5,
        "The loop takes as many rounds as are asked for. What must happen in each of them, and "
        "happens only once?",
    ),
    Misconception(
        "loss-suspected",
        6,
        "The loss is right: it takes logits, and its softmax is inside. With a single step "
        "the function works. What goes wrong only from the second step on?",
    ),
    minutes=2,
)
