"""Debug: which line pairs the current word with itself."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "03-skip-bigrams",
    3,
    Misconception(
        "start-for-cause",
        9,
        "With another start the prefix of one word makes no pair. Which pairs does a prefix of "
        "three words make?",
    ),
    Misconception(
        "slice-suspected",
        10,
        "The words before place t are what is known when the word at t is to be predicted. "
        "Which of them is the latest?",
    ),
    Misconception(
        "symptom-for-cause",
        15,
        "The votes that are added here come from pairs. Where is a pair made that should not "
        "be there?",
    ),
    Misconception(
        "caller-blamed",
        13,
        "This line asks for the pairs of the prefix, and so does another one. Is it the asking "
        "that is wrong?",
    ),
    Misconception(
        "latest-suspected",
        2,
        "The last word of the prefix is the latest one. With which words is it paired?",
    ),
    minutes=2,
)
