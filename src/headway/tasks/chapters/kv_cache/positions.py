"""Predict how many positions are read, without a cache and with one."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

positions = by_hand(
    "15-kv-cache/positions",
    "Positions read, without a cache and with one",
    [30, 9],
    Misconception(
        "last-choice-read-too",
        [30, 10],
        "With the cache you read the last chosen token as well. Does anybody ask what comes "
        "after it?",
    ),
    Misconception(
        "last-choice-read-both-ways",
        [40, 10],
        "You read the last chosen token as well, both times. Does anybody ask what comes after it?",
    ),
    Misconception(
        "prompt-not-counted",
        [30, 3],
        "You count the single tokens after the prompt. Who reads the prompt into the cache?",
    ),
    Misconception(
        "one-position-a-choice",
        [30, 4],
        "You count one position for each choice. How many does the first choice need, when "
        "nothing is in the cache yet?",
    ),
    Misconception(
        "prompt-read-for-each-choice",
        [24, 9],
        "Without the cache you read the prompt four times, and never what was chosen. What has "
        "the model to read before the second choice?",
    ),
    Misconception(
        "final-length-for-each-choice",
        [36, 9],
        "Without the cache you read nine tokens for each choice. Are there nine before the first?",
    ),
    Misconception(
        "read-after-each-choice",
        [34, 10],
        "You read after each choice, also after the last one. What was read before the first, and "
        "does anybody ask what comes after the last?",
    ),
    Misconception(
        "every-beginning-read",
        [45, 9],
        "Without the cache you read every beginning of the text, from one token to nine. How many "
        "choices are there, and how long is the text before the first of them?",
    ),
    Misconception(
        "every-beginning-and-last-choice-read",
        [55, 10],
        "Without the cache you read every beginning of the text, from one token to ten. How many "
        "choices are there, and how long is the text before the first and before the last?",
    ),
    Misconception(
        "pairs-instead-of-positions",
        [36 + 49 + 64 + 81, 36 + 7 + 8 + 9],
        "You count pairs of a query and a key. How many rows go through the model?",
    ),
    Misconception(
        "answers-swapped",
        [9, 30],
        "The two numbers are right, in the other order. Which one reads again and again?",
    ),
    minutes=4,
    answer="positions",
    compare=equal(),
)
