"""Predict: a mixture of votes worked out by hand."""

import math

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

vote = by_hand(
    "04-soft-lookup/vote",
    "A mixture of votes",
    0.75,
    Misconception(
        "equal-weights",
        2 / 3,
        "This is the mean of the three votes, each weighing the same. Which weights do the "
        "scores give?",
    ),
    Misconception(
        "weights-not-divided",
        3.0,
        "You weigh the votes by the exponentials as they are. Can a probability exceed 1?",
    ),
    Misconception(
        "scores-as-weights",
        round(math.log(2), 4),
        "You weigh the votes by the scores themselves, so a score of 0 silences its feature. "
        "What does a softmax make of a score of 0?",
    ),
    Misconception(
        "hard-mask",
        1.0,
        "This is the vote of the best feature alone. How much do the other two still weigh?",
    ),
    Misconception(
        "votes-added",
        2.0,
        "This adds up the votes, as in chapter 3. What do the weights sum to?",
    ),
    Misconception(
        "the-other-word",
        0.25,
        "This is the probability of please. Which word is asked for?",
    ),
    Misconception(
        "own-weight-only",
        0.5,
        "This is the weight of the first feature times its vote. Do the other two features "
        "say nothing for down?",
    ),
    minutes=3,
    answer="vote",
)
