"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

WHOLE_OF_OTHERS = SharedMisconception(
    "whole-of-other-edges",
    "You share out a whole among other edges or heads than those that belong to one mean. Which "
    "edges should add up to one, and for whom?",
)
DIRECTION_TURNED = SharedMisconception(
    "direction-turned",
    "Something is taken from the wrong end of the edges. Which end of a pair is the one that "
    "hears, and which the one that is heard?",
)
EDGES_UNUSED = SharedMisconception(
    "edges-unused",
    "Who sees whom does not follow the list: all are seen, none, or only some. What does one pair "
    "of the list add?",
)
WAY_BACK_FORGOTTEN = SharedMisconception(
    "undirected-read-as-directed",
    "A pair is read in one direction only, or in both where it says one. Who hears whom here?",
)
REPEATS_COUNTED = SharedMisconception(
    "repeat-counted-twice",
    "A pair counts several times: it is listed again, or is its own way back. Do two lines about "
    "the same pair make two neighbors?",
)
NOTHING_RECEIVED = SharedMisconception(
    "nothing-received",
    "This goes wrong where a node receives nothing. Who has sent to it, and what does the text say "
    "about it?",
)
ONCE_AND_TWICE = SharedMisconception(
    "multiplications-for-flops",
    "Something counts once that should count twice, or the other way round. Which operations does "
    "each product take, and how many products does attention make?",
)
HEADS_MISCOUNTED = SharedMisconception(
    "heads-miscounted",
    "Your heads have too much or too little, since each has scores of its own but only a share of "
    "the width. Which of your numbers should grow with the heads?",
)
MATRICES_MISCOUNTED = SharedMisconception(
    "matrices-miscounted",
    "Of the projections or the feed-forward, a matrix is missing, comes twice or has another "
    "size. Which matrices does a token meet here, one after the other?",
)
PAIRS_HALVED = SharedMisconception(
    "causal-half-assumed",
    "You count half of the pairs, or twice as many. Which words may each word look at here?",
)
LENGTH_ONCE = SharedMisconception(
    "grows-with-the-length-once",
    "Something grows with the length in your count as it shouldn't: once for twice, or the other "
    "way round. How many keys does each of T queries meet?",
)
BYTES_OR_BITS = SharedMisconception(
    "unit-mistaken",
    "You count in another unit: numbers, bits, or powers of 1,024. How many bytes has a number "
    "here, and how many has the unit that is asked for?",
)
NOT_SHARED_OUT = SharedMisconception(
    "weights-add-up-to-anything",
    "The weights with which a result is mixed do not add up to one. What becomes of the result "
    "when twice as many say the same?",
)
FUTURE_MISREAD = SharedMisconception(
    "future-misread",
    "The line between past and future is in another place here, by one token or altogether. Does "
    "a token look at itself, and what comes after it?",
)
LAST_BLOCK = SharedMisconception(
    "last-block-misjudged",
    "This goes wrong where the blocks do not divide the text. What becomes of the tokens that are "
    "left, above all where their block is the only one?",
)
RESULTS_MISPLACED = SharedMisconception(
    "results-in-another-form",
    "What is computed is right, but you hand it back in another order or shape, or not all of it. "
    "What does the text list?",
)
SMALL_NUMBERS = SharedMisconception(
    "very-small-numbers",
    "This goes wrong where some numbers are very small. Is there a number in your code that others "
    "are added to or compared with?",
)
ONLY_ONE = SharedMisconception(
    "only-one",
    "Where there is only one node, token or head, or no pair, this goes wrong. What has the size 1 "
    "or 0 there, and what becomes of it in your code?",
)
EQUAL_NUMBERS = SharedMisconception(
    "equal-numbers",
    "This goes wrong where nodes or edges are alike, or tokens and heads equally many. What is 0 "
    "or the same for all there, and what do you find by its size?",
)
