"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

NOT_FLOATS = Mistake(
    "not-floats",
    "The values are right, but they are integers or booleans. Which kind of numbers is asked for?",
)

PRODUCTS_NOT_ADDED = Mistake(
    "products-not-added",
    "The products are all there, one beside the other. A dot product is one number: what is done "
    "with them before the result is finished?",
)
COSINE_FOR_DOT_PRODUCT = Mistake(
    "cosine-for-dot-product",
    "You give the cosine of the angle, a number between −1 and 1, in place of the dot product. "
    "What does a dot product know besides the angle?",
)
BATCH_FLATTENED = Mistake(
    "batch-flattened",
    "The numbers are all there, but the sentences have run together. Which words belong to the "
    "second one?",
)
SIZED_BY_TEXT = Mistake(
    "sized-by-text",
    "Your vectors are as long as the sentence, or they end at the largest id in it. Each place of "
    "a one-hot vector stands for a word: which words are these, and could the vectors of two "
    "sentences be multiplied with the same matrix?",
)
VOCABULARY_FIRST = Mistake(
    "vocabulary-first",
    "The new axis is there, at the other end. Where does V stand in (…, V)?",
)
OFF_BY_ONE = Mistake(
    "off-by-one",
    "All of your ids or rows are off by one place. Does counting start at 0 or at 1?",
)
TRANSPOSED = Mistake(
    "transposed",
    "Every number is right, but rows and columns of the result are exchanged. What does the first "
    "index count?",
)
ROWS_SUMMED = Mistake(
    "rows-summed",
    "You add up the rows of a sentence. How many vectors should seven words give?",
)
ONE_SHAPE_ONLY = Mistake(
    "one-shape-only",
    "This is right for the ids of one sentence, and not for an array with more axes, with none, or "
    "without any id. Which shapes of ids does the text allow?",
)

# Words, makers and their ids

IDS_NOT_SORTED = Mistake(
    "ids-not-sorted",
    "Your ids follow the order in which words come up, or that of a Python set. Would the same "
    "words get the same ids if they were listed in another order, or if Python was started anew?",
)
IDS_MADE_TWICE = Mistake(
    "ids-made-twice",
    "The ids are given out twice, and the two times do not agree. Does id 0 mean the same word, or "
    "the same maker, both times?",
)
REPEATS_COUNTED = Mistake(
    "repeats-counted",
    "This is right until a word stands twice in the list. How many different words are there then?",
)
UNKNOWN_SHARES_AN_ID = Mistake(
    "unknown-shares-an-id",
    "What is unknown, a word or a maker, shares the id of one that is known. Whose is it?",
)
UNKNOWN_WITHOUT_AN_ID = Mistake(
    "unknown-without-an-id",
    "Unknown words have no place of their own: they get −1, None or a number beyond all ids, or "
    "the length leaves them out. Which id does the text keep for them, and how long must a one-hot "
    "vector be to have a place for it?",
)
TEXT_READ_OTHERWISE = Mistake(
    "text-read-otherwise",
    "Your words are not quite those that are meant. What does the text say, and what does your "
    "code do, about capitals, about several spaces, and about a string or a list of words?",
)
UNKNOWN_DROPPED = Mistake(
    "unknown-dropped",
    "What is unknown vanishes: you give back less than there were words, ids or cars. How "
    "would a reader know that something stood there?",
)
UNKNOWN_RAISES = Mistake(
    "unknown-raises",
    "What is not in the list ends your program with an exception: an unknown word, its id, or a "
    "maker. What is kept for those?",
)
VOCABULARY_GROWS = Mistake(
    "vocabulary-grows",
    "Your vocabulary has words that nobody listed for it: put into it while it encodes or decodes, "
    "or left over from another one. Will two programs with the same list still agree on its ids, "
    "words and length, once they have read different texts?",
)

# Prices

MEAN_FOR_ALL = Mistake(
    "mean-for-all",
    "Every car gets the mean price. Where does your prediction use the maker?",
)
OTHER_MODEL = Mistake(
    "codes-and-one-hot-confused",
    "These are the predictions of another model: of a line or a curve over label codes, or of one "
    "price for each maker. Is the maker one number in this task, or a vector, and how many weights "
    "does the model have?",
)
