"""Predict: the shapes of a cross-attention, worked out by hand."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

shapes = by_hand(
    "08-attention/shapes",
    "Shapes of a cross-attention",
    [[2, 5, 7], [2, 5, 6]],
    Misconception(
        "scores-transposed",
        [[2, 7, 5], [2, 5, 6]],
        "Your scores have a row for each key. Every query shares out a whole among the keys: "
        "which of the two should lie along a row?",
    ),
    Misconception(
        "one-row-a-key",
        [[2, 7, 5], [2, 7, 6]],
        "Your result has a row for each word of the source. Who asks here, and who is asked?",
    ),
    Misconception(
        "result-as-long-as-the-source",
        [[2, 5, 7], [2, 7, 6]],
        "The scores are right. The result has a row for each value; how many mixtures are made "
        "of them?",
    ),
    Misconception(
        "width-of-the-keys",
        [[2, 5, 7], [2, 5, 4]],
        "The scores are right. Your result is as wide as a key. What is it that is mixed?",
    ),
    Misconception(
        "width-of-the-model",
        [[2, 5, 7], [2, 5, 12]],
        "The scores are right. Your result is as wide as the words that came in. What is it that "
        "is mixed, and how wide is one of them?",
    ),
    Misconception(
        "self-attention",
        [[2, 5, 5], [2, 5, 6]],
        "These are the scores of a sentence that looks at itself. Where do the keys come from "
        "here, and how many are there?",
    ),
    Misconception(
        "self-attention-of-the-source",
        [[2, 7, 7], [2, 7, 6]],
        "This is the source looking at itself. Who asks here?",
    ),
    Misconception(
        "queries-and-keys",
        [[2, 5, 4], [2, 7, 4]],
        "These are the shapes of the queries and of the keys. What comes out where they meet, and "
        "what is mixed with it?",
    ),
    Misconception(
        "words-as-they-came",
        [[2, 5, 12], [2, 7, 12]],
        "These are the shapes of the words that come in: those of the translations and those of "
        "the sources. How many numbers come out where a query meets a key?",
    ),
    Misconception(
        "scores-of-widths",
        [[2, 4, 4], [2, 5, 6]],
        "The result is right. Your scores have a row and a column for each number in a query. "
        "What meets what, numbers or words?",
    ),
    Misconception(
        "batch-forgotten",
        [[5, 7], [5, 6]],
        "This is right for one pair of sentences. How many are there?",
    ),
    Misconception(
        "batches-joined",
        [[10, 14], [10, 6]],
        "You laid the sentences of the batch end to end, so that each translation asks the other's "
        "source as well. Which axis keeps them apart?",
    ),
    Misconception(
        "products-not-added",
        [[2, 5, 7, 4], [2, 5, 7, 6]],
        "You keep a number for each product in a dot product. How many numbers does one query get "
        "from one key?",
    ),
    Misconception(
        "pair-swapped",
        [[2, 5, 6], [2, 5, 7]],
        "Both are right, and they come the wrong way round. Which is asked for first?",
    ),
    Misconception(
        "weights-listed-too",
        [[2, 5, 7], [2, 5, 7], [2, 5, 6]],
        "Three shapes, and all are right: those of scores, weights and result. Which two are asked "
        "for?",
    ),
    Misconception(
        "one-flat-list",
        [2, 5, 7, 2, 5, 6],
        "The six numbers are right, and they stand in one list. How many shapes are asked for, "
        "and where does the second begin?",
    ),
    minutes=3,
    answer="shapes",
    compare=equal(),
)
