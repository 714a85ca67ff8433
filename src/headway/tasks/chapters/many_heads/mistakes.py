"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# Cutting and joining

VIEW_WITHOUT_TRANSPOSE = SharedMisconception(
    "view-without-transpose",
    "A view or reshape of yours brings together numbers that don't belong together. In which order "
    "must the axes stand when one is cut, or two are joined?",
)
HEADS_INTERLEAVED = SharedMisconception(
    "heads-interleaved",
    "Your heads take turns, number by number, instead of standing next to each other. Which of the "
    "two axes has to run slower when a row is cut or put together?",
)
AXES_MIXED_UP = SharedMisconception(
    "axes-mixed-up",
    "Your axes are not those asked for: they come in another order, or two are not joined as they "
    "should be. What does each of them count, step by step?",
)
HEADS_ADDED = SharedMisconception(
    "heads-added",
    "Your heads end up as one, because they are added or averaged. Can anyone tell afterwards "
    "which head said what?",
)
HEADS_SWAPPED = SharedMisconception(
    "heads-swapped",
    "Your heads have changed places: one uses, or writes to, what belongs to another. Which "
    "weights, which columns and which place in the output belong to the first head?",
)
HEADS_OF_ANOTHER_WIDTH = SharedMisconception(
    "heads-of-another-width",
    "Your heads are too wide or too narrow. How wide is each of H heads that share C columns?",
)
VIEW_REFUSED = SharedMisconception(
    "view-refused",
    "Your view raises where there are several heads and several tokens. After two axes have "
    "changed places, do numbers still lie in memory in the order of the axes?",
)
OPEN_LENGTH = SharedMisconception(
    "open-length",
    "Only a text without tokens goes wrong, because a length that you leave open, a −1, could be "
    "anything there. Which number is it?",
)
WIDTH_NOT_CHECKED = SharedMisconception(
    "width-not-checked",
    "Only a width that does not divide goes wrong. Which error is asked for, and when can the "
    "mistake be known?",
)

# Matrices

QUERIES_KEYS_AND_VALUES_MIXED_UP = SharedMisconception(
    "queries-keys-and-values-mixed-up",
    "Your queries, keys and values are mixed up: one does the work of another, or holds its "
    "numbers. Where should each of the three come from?",
)
MATRIX_TRANSPOSED = SharedMisconception(
    "matrix-transposed",
    "At least one of your matrices is transposed. Which of its axes has to meet the numbers that "
    "go in?",
)
OUTPUT_FORGOTTEN = SharedMisconception(
    "output-forgotten",
    "The last layer is left out, in one place or in part. What turns what the heads bring back "
    "into the output?",
)

# Looking

ONE_MAP_FOR_ALL_HEADS = SharedMisconception(
    "one-map-for-all-heads",
    "All of your heads share one map of weights, so that each looks exactly where the others do. "
    "What does one have several heads for?",
)
QUERY_AND_MEMORY_MIXED_UP = SharedMisconception(
    "query-and-memory-mixed-up",
    "Where there is a memory, you take something from the wrong side. Who asks, who is asked, and "
    "how many tokens has each?",
)
MASK_IGNORED = SharedMisconception(
    "mask-ignored",
    "The mask that is asked for changes nothing here, or another one does. In which step should it "
    "come in, and what may a token see?",
)
MASK_INVERTED = SharedMisconception(
    "mask-inverted",
    "This is right without a mask. With one, you look exactly where it is forbidden: what does "
    "True mean in a mask of this book?",
)
SCORES_TOO_SMALL = SharedMisconception(
    "scores-too-small",
    "Your weights are spread: others than the one that is meant get something too. What makes a "
    "softmax nearly hard?",
)
INFINITE_SCORES = SharedMisconception(
    "infinite-scores",
    "Some of your numbers are infinite or NaN where finite ones are asked for. What is infinity "
    "times 0, and how large do the numbers have to be?",
)
LENGTHS_FOR_SQUARES = SharedMisconception(
    "lengths-for-squares",
    "You compare lengths: roots have been taken, or no squares. What does the square in the name "
    "say?",
)
RIGHT_LINE_SUSPECTED = SharedMisconception(
    "right-line-suspected",
    "What you suspect was right. In which order do the axes stand when the heads leave, and in "
    "which order are they read?",
)
FURTHER_THAN_ASKED = SharedMisconception(
    "further-than-asked",
    "You go further than the text asks: scores are divided, turned into weights, or turned by "
    "positions. What is asked for, and what comes only elsewhere?",
)
