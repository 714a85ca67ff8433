"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

NOT_FLOATS = SharedMisconception(
    "not-floats",
    "The values are right, but they are integers or booleans. Which kind of numbers is asked for?",
)

PRODUCTS_NOT_ADDED = SharedMisconception(
    "products-not-added",
    "The products are all there, one beside the other. A dot product is one number: what happens "
    "to the products?",
)
AXIS_LOST = SharedMisconception(
    "axis-lost",
    "An axis is gone, or two have run into one. Which axes do the ids come with, and what does "
    "each id turn into?",
)
SIZED_BY_TEXT = SharedMisconception(
    "sized-by-text",
    "Your vectors are as long as the sentence, or end at its largest id. Could you multiply the "
    "vectors of another sentence by the same matrix?",
)
OFF_BY_ONE = SharedMisconception(
    "off-by-one",
    "All your ids or rows are off by one place. Does counting start at 0 or at 1?",
)
TRANSPOSED = SharedMisconception(
    "transposed",
    "Everything is there, but with the axes in another order. What does the first axis of the "
    "result count, and what does the last one?",
)
ROWS_SUMMED = SharedMisconception(
    "rows-summed",
    "You add up the rows of a sentence. How many vectors should seven words give?",
)
ONE_SHAPE_ONLY = SharedMisconception(
    "one-shape-only",
    "This is right for the ids of one sentence, but not for every shape. Which shapes of ids does "
    "the task allow, from no axis at all to no id at all?",
)

# Words, makers and their ids

IDS_NOT_SORTED = SharedMisconception(
    "ids-not-sorted",
    "Your ids follow the order of appearance, or that of a Python set. If the same list came in "
    "another order, would each word or maker keep its id?",
)
IDS_MADE_TWICE = SharedMisconception(
    "ids-made-twice",
    "You assign ids twice, and the two times don't agree. Does id 0 mean the same both times?",
)
REPEATS_COUNTED = SharedMisconception(
    "repeats-counted",
    "This is right until a word appears twice in the list. How many different words are there "
    "then?",
)
UNKNOWN_SHARES_AN_ID = SharedMisconception(
    "unknown-shares-an-id",
    "What is unknown, a word or a maker, shares the id of one that is known. Whose is it?",
)
UNKNOWN_MISPLACED = SharedMisconception(
    "unknown-misplaced",
    "Unknown words have no id, or not the one that this task gives them, or the length leaves "
    "them out. Which id is theirs, and how many ids are there then?",
)
TEXT_READ_OTHERWISE = SharedMisconception(
    "text-read-otherwise",
    "Your words are not quite those of the text. What does the task say about capitals and "
    "spaces, and about lists and strings?",
)
UNKNOWN_DROPPED = SharedMisconception(
    "unknown-dropped",
    "What is unknown vanishes: you return fewer items than you were given. How would a reader "
    "know that something was there?",
)
UNKNOWN_RAISES = SharedMisconception(
    "unknown-raises",
    "What is not in the list ends your program with an exception. What does the task ask you to "
    "return instead?",
)
VOCABULARY_GROWS = SharedMisconception(
    "vocabulary-grows",
    "Your vocabulary holds words that its list doesn't have, from another vocabulary or from "
    "encoding and decoding. Would a second program with the same list agree with it?",
)

# Prices

MEAN_FOR_ALL = SharedMisconception(
    "mean-for-all",
    "Every car gets the mean price. Where does your prediction use the maker?",
)
OTHER_MODEL = SharedMisconception(
    "codes-and-one-hot-confused",
    "These are the predictions of another model than the one asked for. Is a maker one number in "
    "this task or a vector, and how many weights does that take?",
)
