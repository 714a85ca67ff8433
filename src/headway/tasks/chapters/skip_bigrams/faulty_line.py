"""Debug: which line pairs the current word with itself."""

from headway.tasks.chapters.skip_bigrams.mistakes import START_BLAMED
from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "03-skip-bigrams",
    3,
    START_BLAMED.by(9),
    Misconception(
        "right-line-suspected",
        any_of(2, 10),
        "This line takes the right words: those before the one to be predicted, or the last of "
        "them. With which words is that last one paired?",
    ),
    Misconception(
        "symptom-for-cause",
        any_of(13, 15),
        "This line uses the pairs that another one makes. Where is a pair made that should not be "
        "there?",
    ),
    minutes=2,
)
