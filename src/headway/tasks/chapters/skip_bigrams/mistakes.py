"""The mistakes that several tasks share: one name and one hint; each task has its own answers."""

from headway.tasks.engine.mistakes import Misconception

SET_LOST = Misconception(
    "set-lost",
    None,
    "An earlier word that stands there twice gives its pair twice. Is a pair that is present twice "
    "in a prefix two features?",
)
SELF_PAIR = Misconception(
    "self-pair",
    None,
    "There is a pair too many: the latest word is paired with itself, from its very own place. "
    "Does it stand before itself?",
)
TWIN_DROPPED = Misconception(
    "twin-dropped",
    None,
    "The pair of a word with itself is missing. Can the latest word have stood there before as "
    "well: by what do you tell the two apart, by the word or by its place?",
)
NEIGHBOR_ONLY = Misconception(
    "adjacency-only",
    None,
    "Only the neighbor of the latest word makes a pair with it, or the nearest two do, as in a "
    "chain. What of the words further back, which may differ where the near ones do not?",
)
WORD_CUT_OFF = Misconception(
    "earlier-word-cut-off",
    None,
    "An earlier word, the first one or the neighbor of the latest, has no pair. How many words "
    "should your slice leave out, and at which end?",
)
TURNED_ROUND = Misconception(
    "pair-turned-round",
    None,
    "Your pairs are turned round: the latest word stands where the earlier one is asked for. Which "
    "one comes first?",
)
UNORDERED = Misconception(
    "pairs-unordered",
    None,
    "One cannot see any more which word of a pair came earlier. Is (battery, ran) the same feature "
    "as (ran, battery)?",
)
FUTURE_WORDS = Misconception(
    "future-words",
    None,
    "Words are paired with the latest one, or vote, that come after it. What is known when the "
    "latest word has just been read?",
)
OTHER_ORDER = Misconception(
    "numbers-in-the-other-order",
    None,
    "Your numbers would be right in the other order. Which one is asked for first?",
)
READ_AS_PROBABILITIES = Misconception(
    "votes-read-as-probabilities",
    None,
    "You have divided the sum of the rows, by its total or by the number of voters. Must votes sum "
    "to one, and has a word that five pairs vote for no more votes than one with a single pair?",
)
PRODUCT = Misconception(
    "probability-product",
    None,
    "You multiplied the rows, so that a single zero forbids a word for which all others vote. What "
    "do voters do with their votes?",
)
COUNTS_FOR_VOTES = Misconception(
    "counts-for-votes",
    None,
    "These are counts: a pair that was seen more often has more to say. What does each row of the "
    "vote table sum to?",
)
WINNER_TAKES_ALL = Misconception(
    "winner-takes-all",
    None,
    "A single word gets everything, in a row or in all: the one that has most, or the one that was "
    "seen last. What is the part of the others?",
)
NO_MASK = Misconception(
    "no-mask",
    None,
    "All pairs that are present vote, at least where none should. Which pairs tell anything, and "
    "which ones does a mask let through?",
)
MASK_INVERTED = Misconception(
    "mask-inverted",
    None,
    "The pairs that tell most are silent, or those that the mask lets through, and the others "
    "vote. What does True in a mask stand for in this course?",
)
MASK_BY_EARLIER = Misconception(
    "mask-by-earlier",
    None,
    "Each pair asks the mask of its earlier word. Which word pulls its row of the masks, the "
    "latest or the earlier?",
)
NAN = Misconception(
    "nan-for-zero-counts",
    None,
    "There is NaN where counts are zero. What does NumPy make of 0 divided by 0, and of 0 times "
    "the logarithm of 0? What should stand there?",
)
TYPED_IN = Misconception(
    "words-typed-in",
    None,
    "With made-up words your function looks for words that are not there: you typed in a word of "
    "one corpus. What do all prefixes have in common, and where can the rest be counted?",
)
START_BLAMED = Misconception(
    "start-for-cause",
    None,
    "With another start only the prefix of one word makes no pair any more. Which pairs does a "
    "prefix of three words make?",
)
