"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

WHOLE_OF_OTHERS = Mistake(
    "shared-over-outgoing",
    "What a node sends is a whole that it shares out; what arrives at a node adds up to anything. "
    "At which end of the edges is a mean taken?",
)
DIRECTION_TURNED = Mistake(
    "direction-turned",
    "Messages run against the edges, or a query, a key or a value is taken from the other end. "
    "Which of the two rows are those that send, and who asks?",
)
WAY_BACK_FORGOTTEN = Mistake(
    "undirected-read-as-directed",
    "A pair is read in one direction only, or in both where it says one. Who hears whom when two "
    "are friends, and what does the list or the argument say?",
)
REPEATS_COUNTED = Mistake(
    "repeat-counted-twice",
    "What stands in the list twice counts twice. Do two lines about the same pair make two "
    "neighbors?",
)
NOTHING_RECEIVED = Mistake(
    "nothing-received",
    "A node that receives nothing has something else than zeros here: no number, its own values or "
    "those of everybody. What does the text say about it, and who has sent to it?",
)
ONCE_AND_TWICE = Mistake(
    "multiplications-for-flops",
    "Something counts once that should count twice, or the other way round. A product of matrices "
    "multiplies and adds, and attention makes two such products: which one did you leave out?",
)
HEADS_MISCOUNTED = Mistake(
    "heads-miscounted",
    "Each head has its own scores and only its own share of the width. Which of your numbers grows "
    "with the heads, and which does not?",
)
MATRICES_MISCOUNTED = Mistake(
    "matrices-miscounted",
    "Of the projections or the feed-forward, a matrix is missing, comes twice or has another size. "
    "Which matrices does a token meet, one after the other?",
)
PAIRS_HALVED = Mistake(
    "causal-half-assumed",
    "You count half of the pairs, or twice as many. Which words may each word look at here?",
)
LENGTH_ONCE = Mistake(
    "grows-with-the-length-once",
    "Your number of scores grows as the length does, or the other way round. How many keys does "
    "each of T queries meet?",
)
BYTES_OR_BITS = Mistake(
    "unit-mistaken",
    "You count in another unit: numbers, bits, or powers of 1,024. How many bytes has a number "
    "here, and how many bytes has the unit that is asked for?",
)
WHOLE_OF_ALL = Mistake(
    "one-whole-for-all",
    "One whole is shared out among all edges or all heads, or every node divides by the same "
    "number. How much does a node hear in a graph of a thousand edges, and whose numbers belong to "
    "its own mean?",
)
NOT_SHARED_OUT = Mistake(
    "weights-add-up-to-anything",
    "The weights with which a result is mixed do not add up to one: nothing is divided by their "
    "sum, or by another number. What becomes of the result when twice as many say the same?",
)
FUTURE_MISREAD = Mistake(
    "future-misread",
    "The line between past and future is in another place here, by one token or altogether. Does a "
    "token look at itself, and does the text ask you to hide what comes after it?",
)
LAST_BLOCK = Mistake(
    "last-block-misjudged",
    "This is right where the blocks divide the text. What becomes of the tokens that are left, and "
    "how many are they, above all where their block is the only one?",
)
RESULTS_MISPLACED = Mistake(
    "results-in-another-form",
    "What is computed is right, and it is handed back in another order, with another shape, or not "
    "all of it. What does the text list, and who uses it next?",
)
