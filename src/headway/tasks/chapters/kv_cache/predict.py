"""Predict: positions, shapes and bytes worked out by hand."""

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
