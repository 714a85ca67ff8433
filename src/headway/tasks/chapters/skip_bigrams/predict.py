"""Predict: features, rows and votes, worked out by hand."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

count_features = by_hand(
    "03-skip-bigrams/count-features",
    "Features of a prefix, counted by hand",
    5,
    Misconception(
        "set-lost",
        7,
        "This counts places: two of the words stand there twice. Is a pair that is present "
        "twice two features?",
    ),
    Misconception(
        "self-pair",
        6,
        "One pair too many. Did the latest word stand there before, or is it paired with itself?",
    ),
    Misconception(
        "adjacency-only",
        1,
        "This is the pair of neighbors alone. May the earlier word stand further back?",
    ),
    Misconception(
        "all-pairs",
        28,
        "This is the number of all pairs of places. Which word is in all features of a prefix?",
    ),
    Misconception(
        "all-word-pairs",
        15,
        "This is the number of pairs among six words. Which word is in every feature of a prefix?",
    ),
    Misconception(
        "words-counted",
        8,
        "This is the number of words of the prefix. How many words make one feature?",
    ),
    minutes=2,
    answer="number_of_features",
    compare=equal(),
)

count_rows = by_hand(
    "03-skip-bigrams/count-rows",
    "Rows of a chain against rows of pairs",
    [10**8, 10**2],
    Misconception(
        "order-times-words",
        [80, 20],
        "You multiplied the number of words by the order. A second word can follow each of "
        "the first ten; how many pairs is that?",
    ),
    Misconception(
        "base-and-exponent-swapped",
        [8**10, 2**10],
        "The two numbers of the power have changed places. With 10 words and order 1, how many "
        "rows does your formula give?",
    ),
    Misconception(
        "chain-base-and-exponent-swapped",
        [8**10, 10**2],
        "The pairs are right. In the chain's power the two numbers have changed places: how many "
        "words can stand at each of the eight places?",
    ),
    Misconception(
        "boundaries-counted",
        [11**8, 11**2],
        "You count the boundary of a sentence as an eleventh word. What does the question say "
        "about boundaries?",
    ),
    Misconception(
        "pairs-unordered",
        [10**8, 45],
        "The chain is right. Your pairs do not know which of their words came first. Is "
        "(battery, ran) the same feature as (ran, battery)?",
    ),
    Misconception(
        "no-word-with-itself",
        [10**8, 90],
        "The chain is right. You left out the pairs of a word with itself. Can the latest word "
        "have stood there before?",
    ),
    Misconception(
        "distance-kept",
        [10**8, 800],
        "The chain is right. You count a pair anew for each distance between its words. What "
        "does a skip-bigram know about the distance?",
    ),
    Misconception(
        "rows-times-columns",
        [10**9, 10**3],
        "These are the cells of the tables. Each row has a cell for each next word; how many "
        "rows are there?",
    ),
    Misconception(
        "pair-swapped",
        [10**2, 10**8],
        "Both numbers are right, in the other order. Which is asked for first?",
    ),
    minutes=2,
    answer="rows",
    compare=equal(),
)

add_votes = by_hand(
    "03-skip-bigrams/add-votes",
    "Votes added by hand",
    # (today, we): 1/2, 1/2; (it, we): 1/4, 3/4; (snows, we): 0, 1
    [0.75, 2.25],
    Misconception(
        "votes-read-as-probabilities",
        [0.25, 0.75],
        "Your numbers sum to one. Three rows were added: what is their sum, and must it be a "
        "probability?",
    ),
    Misconception(
        "probability-product",
        [0.0, 0.375],
        "You multiplied the rows, so that a single zero forbids a word. What do voters do with "
        "their votes?",
    ),
    Misconception(
        "counts-added",
        [2, 6],
        "These are the counts of the three rows added up: a pair that was seen more often has "
        "more to say. What does each row sum to in the vote table?",
    ),
    Misconception(
        "adjacency-only",
        [0, 1],
        "Only the neighbor of the latest word votes. Where are the votes of the two words "
        "before it?",
    ),
    Misconception(
        "self-pair",
        [1.0, 3.0],
        "There is one voter too many: your votes sum to 4. Is there a “we” before the latest word?",
    ),
    Misconception(
        "pair-swapped",
        [2.25, 0.75],
        "Both numbers are right, in the other order. Which word is asked for first?",
    ),
    Misconception(
        "one-whole-vote-each",
        [0.5, 2.5],
        "Each of your voters gives its whole vote to its favorite. What does a row of one "
        "fourth and three fourths give to the other word?",
    ),
    minutes=5,
    answer="votes",
)
