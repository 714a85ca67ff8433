"""Predict: what eight heads cost."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

counts = by_hand(
    "09-many-heads/counts",
    "What eight heads cost",
    [16_384, 16_384, 800],
    Misconception(
        "weights-grow-with-heads",
        [16_384, 131_072, 800],
        "You give every head matrices of full width. How wide is the projection of one head, if "
        "eight share the 64 columns?",
    ),
    Misconception(
        "weights-of-one-head",
        [16_384, 2_048, 800],
        "This counts the weights of one head. How many are there in all?",
    ),
    Misconception(
        "one-of-the-eight",
        [2_048, 16_384, 800],
        "Your first number counts the weights of one of the eight heads. How wide is a head that "
        "is alone?",
    ),
    Misconception(
        "output-with-many-heads-only",
        [12_288, 16_384, 800],
        "With one head, you leave the output projection out. Does the layer?",
    ),
    Misconception(
        "one-map-for-all",
        [16_384, 16_384, 100],
        "The weights are right. These are the scores of one head: what do the other seven do?",
    ),
    Misconception(
        "output-forgotten",
        [12_288, 12_288, 800],
        "This counts queries, keys and values. What mixes the heads at the end?",
    ),
    Misconception(
        "multiplications-for-scores",
        [16_384, 16_384, 6_400],
        "The weights are right. The last number counts the multiplications in making the scores. "
        "How many scores are there?",
    ),
    Misconception(
        "biases-counted",
        [16_640, 16_640, 800],
        "This counts a bias in each projection. Are there any here?",
    ),
    minutes=3,
    answer="counts",
    compare=equal(),
)
