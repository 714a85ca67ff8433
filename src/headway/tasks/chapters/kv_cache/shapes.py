"""Predict the shapes of one step."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

shapes = by_hand(
    "15-kv-cache/shapes",
    "Shapes of one step",
    [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 11, 8]],
    Misconception(
        "own-token-unseen",
        [[3, 4, 1, 8], [3, 4, 1, 10], [3, 4, 1, 7], [3, 4, 11, 8]],
        "Your scores are for the ten tokens that were there before. May the new token look at "
        "itself?",
    ),
    Misconception(
        "cache-does-not-grow",
        [[3, 4, 1, 8], [3, 4, 1, 10], [3, 4, 1, 7], [3, 4, 10, 8]],
        "Ten tokens before the step, and ten after it. What becomes of the key of the new token?",
    ),
    Misconception(
        "keys-of-before",
        [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 10, 8]],
        "Your scores are for eleven keys, and ten are held after the step. Where has the key of "
        "the new token gone?",
    ),
    Misconception(
        "new-key-alone",
        [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 1, 8]],
        "Your last shape is that of the key that the step makes. Which keys are held beside it?",
    ),
    Misconception(
        "square-scores",
        [[3, 4, 11, 8], [3, 4, 11, 11], [3, 4, 11, 7], [3, 4, 11, 8]],
        "These are the shapes of a full forward pass. How many tokens ask in a step?",
    ),
    Misconception(
        "cross-cache-grows",
        [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 8], [3, 4, 11, 8]],
        "Your cross-attention has gained a key. Does the source get longer while the target is "
        "written?",
    ),
    Misconception(
        "one-score-for-cross",
        [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 1], [3, 4, 11, 8]],
        "Your new token looks at one source token. How many are there?",
    ),
    Misconception(
        "heads-behind-tokens",
        [[3, 1, 4, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 11, 4, 8]],
        "The numbers are right. In which order are heads and tokens asked for here?",
    ),
    minutes=4,
    answer="shapes",
    compare=equal(),
)
