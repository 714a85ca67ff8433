"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Misconception

PRODUCTS_NOT_ADDED = Misconception(
    "products-not-added",
    None,
    "The products are all there, one beside the other. A dot product is one number: what is done "
    "with them before the result is finished?",
)
COSINE_FOR_DOT = Misconception(
    "cosine-for-dot",
    None,
    "This is the cosine of the angle, a number between −1 and 1. What does a dot product know, "
    "besides the angle?",
)
BATCH_FLATTENED = Misconception(
    "batch-flattened",
    None,
    "The numbers are all there, but the sentences have run together. Which words belong to the "
    "second one?",
)
SIZED_BY_TEXT = Misconception(
    "sized-by-text",
    None,
    "Your vectors are as long as the sentence, or they end at the largest id in it. Each place of "
    "a one-hot vector stands for a word: which words are these, and could the vectors of two "
    "sentences be multiplied with the same matrix?",
)
VOCABULARY_FIRST = Misconception(
    "vocabulary-first",
    None,
    "The new axis is there, at the other end. Where does V stand in (…, V)?",
)
OFF_BY_ONE = Misconception(
    "off-by-one",
    None,
    "All ids or rows of yours are one place off. Does counting start at 0 or at 1?",
)
TRANSPOSED = Misconception(
    "transposed",
    None,
    "Every number is right, but rows and columns of the result are exchanged. What does the first "
    "index count?",
)

# Words, makers and their ids

IDS_NOT_SORTED = Misconception(
    "ids-not-sorted",
    None,
    "Your ids follow the order in which words come up, or that of a Python set. Would the same "
    "words get the same ids if they were listed in another order, or if Python was started anew?",
)
IDS_MADE_TWICE = Misconception(
    "ids-made-twice",
    None,
    "The ids are given out twice, and the two times do not agree. Does id 0 mean the same word, or "
    "the same maker, both times?",
)
REPEATS_COUNTED = Misconception(
    "repeats-counted",
    None,
    "Right, until a word stands twice in the list. How many different words are there then?",
)
UNKNOWN_SHARES_AN_ID = Misconception(
    "unknown-shares-an-id",
    None,
    "Unknown words share an id with a known word. Whose is it, and which id is still free?",
)
UNKNOWN_WITHOUT_AN_ID = Misconception(
    "unknown-without-an-id",
    None,
    "Unknown words get −1 or None, which is none of the ids 0 … V−1. Which row of a matrix would "
    "that be?",
)
UNKNOWN_DROPPED = Misconception(
    "unknown-dropped",
    None,
    "Unknown words vanish: there are fewer ids than words. How would a reader of the ids know that "
    "something stood there?",
)
UNKNOWN_RAISES = Misconception(
    "unknown-raises",
    None,
    "An unknown word ends your encoder with an exception. Which id is kept for such words?",
)

# Prices

MEAN_FOR_ALL = Misconception(
    "mean-for-all",
    None,
    "Every car gets the mean price. Where does your prediction use the maker?",
)
OTHER_MODEL = Misconception(
    "codes-and-one-hot-confused",
    None,
    "These are the predictions of the other of the two models. Is the maker one number in this "
    "task, or a vector, and how many weights does the model have?",
)
