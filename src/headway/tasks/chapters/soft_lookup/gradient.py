"""Predict: the gradient of a loss, worked out by hand."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

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
