"""Predict: weights, a vote and a gradient worked out by hand."""

import math

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception


def shares(*parts: float) -> list[float]:
    """Parts of a whole."""
    return [part / sum(parts) for part in parts]


sharing = by_hand(
    "04-soft-lookup/sharing",
    "A softmax by hand",
    shares(1, 4, 9),
    Misconception(
        "temperature-ignored",
        shares(1, 2, 3),
        "These are the weights at temperature 1. What happens to a score when you divide it "
        "by one half?",
    ),
    Misconception(
        "temperature-multiplied",
        shares(1, math.sqrt(2), math.sqrt(3)),
        "These are the weights at temperature 2: the best score has lost. Does a low "
        "temperature sharpen the weights or level them?",
    ),
    Misconception(
        "scores-rescaled",
        shares(0, math.log(2), math.log(3)),
        "This divides the scores by their sum, and a score of 0 gets nothing. Which function "
        "makes positive numbers of all scores first?",
    ),
    Misconception(
        "not-divided",
        [1, 4, 9],
        "These three are in the right proportion. What should they add up to?",
    ),
    Misconception(
        "largest-takes-all",
        [0, 0, 1],
        "This is the limit at temperature 0. Is one half low enough for that?",
    ),
    Misconception(
        "exponential-doubled",
        shares(1, 4, 6),
        "Two of your three exponentials are right. What is e to the power 2 ln 3: twice 3, or "
        "3 times 3?",
    ),
    minutes=4,
    answer="sharing",
)

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

gradient = by_hand(
    "04-soft-lookup/gradient",
    "The gradient of the loss, without calculus",
    [0.2, 0.5, -0.7],
    Misconception(
        "sign-flipped",
        [-0.2, -0.5, 0.7],
        "Every number has the other sign. A step goes against the gradient: should the logit "
        "of the right word rise or fall?",
    ),
    Misconception(
        "target-forgotten",
        [0.2, 0.5, 0.3],
        "These are the probabilities themselves. Where does the right word come in?",
    ),
    Misconception(
        "sign-lost",
        [0.2, 0.5, 0.7],
        "Two of the three are right. A step goes against the gradient: which sign must the slope "
        "of the right word have for its logit to rise?",
    ),
    Misconception(
        "right-word-only",
        [0, 0, -0.7],
        "Only the right word has a slope here. If the logit of another word rises, what "
        "happens to the probability of the right one?",
    ),
    Misconception(
        "with-respect-to-probabilities",
        [0, 0, round(-1 / 0.3, 4)],
        "This is the slope of the loss with respect to the probabilities. The logits stand one "
        "step before them: what do the three numbers of your answer add up to, and what should "
        "they?",
    ),
    Misconception(
        "probability-added",
        [0.2, 0.5, 1.3],
        "You added the one of the right word. Should a step against this gradient lower the "
        "logit of the right word?",
    ),
    Misconception(
        "wrong-word",
        [-0.8, 0.5, 0.3],
        "This is right for a sentence that goes on with the first word. Counting starts at 0: "
        "which word is number 2?",
    ),
    Misconception(
        "counted-from-one",
        [0.2, -0.5, 0.3],
        "This is right if the second word is the right one. Counting starts at 0: which word "
        "is number 2?",
    ),
    minutes=3,
    answer="gradient",
)
