"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

REPEATS_COUNTED = SharedMisconception(
    "repeats-counted",
    "An earlier word that comes twice gives you its pair twice. How many features is a pair that "
    "is present twice?",
)
SELF_PAIR = SharedMisconception(
    "self-pair",
    "There is one pair too many: the latest word is paired with itself, at the same place. Does "
    "it come before itself?",
)
EARLIER_OCCURRENCE_DROPPED = SharedMisconception(
    "earlier-occurrence-dropped",
    "The pair of a word with itself is missing. If the latest word came before as well, what "
    "tells the two apart: the word or its place?",
)
NEIGHBORS_ONLY = SharedMisconception(
    "neighbors-only",
    "Only the nearest word or two make a pair with the latest one, as in a chain. What about the "
    "words further back?",
)
WITHOUT_THE_LATEST = SharedMisconception(
    "pairs-without-the-latest-word",
    "Not all your pairs contain the latest word. Which word do all features of a prefix share, "
    "and how far back may the other one be?",
)
WORD_CUT_OFF = SharedMisconception(
    "earlier-word-cut-off",
    "An earlier word has no pair. How many words should your slice leave out, and at which end?",
)
EXCHANGED = SharedMisconception(
    "earlier-and-latest-exchanged",
    "You exchange the earlier word and the latest one. Which of the two comes first, wherever the "
    "task names both?",
)
UNORDERED = SharedMisconception(
    "pairs-unordered",
    "Your pairs no longer tell which word came earlier. Is (battery, ran) the same feature as "
    "(ran, battery)?",
)
FUTURE_VISIBLE = SharedMisconception(
    "future-visible",
    "Words that come after the latest one are paired with it. What do you know when the latest "
    "word has just been read?",
)
RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "You give the right things in another order. In which order does the task ask for them?",
)
READ_AS_PROBABILITIES = SharedMisconception(
    "votes-read-as-probabilities",
    "You divide the sum of the rows. Must votes sum to one, and should a word with five voters "
    "have no more votes than a word with one?",
)
PRODUCT = SharedMisconception(
    "probability-product",
    "You multiply the rows, so a single zero forbids a word that all others vote for. What do "
    "voters do with their votes?",
)
COUNTS_FOR_VOTES = SharedMisconception(
    "counts-for-votes",
    "You use counts, so a pair that was seen more often has more to say. What does each row of "
    "the vote table sum to?",
)
ANOTHER_TOTAL = SharedMisconception(
    "divided-by-another-total",
    "You divide by another number than the total of what you share out. Which counts or votes "
    "should your shares be shares of?",
)
ONE_VOTER_HEARD = SharedMisconception(
    "one-voter-heard",
    "If several pairs vote for a word, it gets the vote of only one of them. What happens to the "
    "other votes?",
)
WINNER_TAKES_ALL = SharedMisconception(
    "winner-takes-all",
    "A single word gets everything, for each voter or in the end. What is left for the others?",
)
MASK_IGNORED = SharedMisconception(
    "mask-ignored",
    "Pairs vote that the mask doesn't let through, everywhere or where it lets none through. Whom "
    "should a mask keep silent?",
)
MASK_INVERTED = SharedMisconception(
    "mask-inverted",
    "The pairs that should vote are silent, and the others vote. What does True mean in a mask of "
    "this course?",
)
NAN = SharedMisconception(
    "nan-for-zero-counts",
    "You get NaN where counts are zero. What should 0 divided by 0, and 0 times the logarithm of "
    "0, count here?",
)
TYPED_IN = SharedMisconception(
    "words-typed-in",
    "You typed in words of one corpus, and with made-up words your function looks for them in "
    "vain. What do all prefixes have in common, and what can you count?",
)
ACROSS_SENTENCES = SharedMisconception(
    "across-sentences",
    "Words of one sentence are paired with words of the next. Where does a prefix begin?",
)
