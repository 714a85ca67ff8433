"""Predict what one token leaves behind in the cache."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

token_bytes = by_hand(
    "15-kv-cache/token-bytes",
    "What one token leaves behind",
    48,
    Misconception(
        "query-heads-counted",
        192,
        "You count all sixteen query heads, or make a shared one wider. Which heads are stored, "
        "and how wide is each?",
    ),
    Misconception(
        "values-forgotten",
        24,
        "This is half of it. What is kept besides the keys, and how many bytes has a number?",
    ),
    Misconception(
        "queries-cached",
        144,
        "You keep the queries too, all sixteen. Which later token asks with an old query?",
    ),
    Misconception(
        "inputs-cached",
        96,
        "This is one vector of the width of the model for each layer: as wide as what goes into "
        "the projections. What comes out of them for the cache, and is it larger or smaller here?",
    ),
    Misconception(
        "one-layer",
        2,
        "This is one layer. Can a layer use the keys of another one?",
    ),
    Misconception(
        "a-quarter",
        12,
        "This is a quarter of it: one head of keys and values, or numbers in place of their bytes. "
        "How many different keys has a layer for a token, and how many bytes has a number?",
    ),
    Misconception(
        "bits-for-bytes",
        384,
        "These are bits. How many of them make a byte?",
    ),
    Misconception(
        "bytes-for-kibibytes",
        49_152,
        "These are bytes. How many of them make a KiB?",
    ),
    Misconception(
        "numbers-for-bytes",
        12_288,
        "You count numbers. How many bytes does each of them take?",
    ),
    minutes=4,
    answer="token_bytes",
)
