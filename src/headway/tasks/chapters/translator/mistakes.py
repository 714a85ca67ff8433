"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

SOURCE_ASKS = Mistake(
    "queries-and-keys-swapped",
    "Your rows belong to source tokens: the source asks, and the target answers. Which of the two "
    "is being written, and needs a row for each of its tokens?",
)
ONE_SENTENCE_ONLY = Mistake(
    "self-attention-for-cross-attention",
    "One sentence stands on both sides: it attends to itself, or what is mixed is the one that "
    "asks. Who asks in cross-attention, and where do keys and values come from?",
)
CAUSAL_ON_THE_SOURCE = Mistake(
    "causal-mask-on-the-source",
    "A triangle hides a part of the source: the first row sees one source word, the second two. Is "
    "any of the source still to be written?",
)
PADDING_SEEN = Mistake(
    "padding-visible",
    "This is right where nothing is padded. Otherwise somebody looks at padding, of the source or "
    "of the target. Where do the shorter sentences end, and which mask has to know it?",
)
MASK_INVERTED = Mistake(
    "mask-inverted",
    "Padding is looked at, and words are not. What does True in a mask stand for in this course?",
)
QUERY_AXIS_MISSING = Mistake(
    "mask-without-a-query-axis",
    "Your mask has no row for each query, or words of the source stand where queries should. What "
    "shape do the scores have, and which of its axes belongs to those who ask?",
)
FUTURE_SEEN = Mistake(
    "future-visible",
    "Positions see what comes after them, and there stands the word that they have to say. Which "
    "triangle of the table is the past, if rows are queries?",
)
PAST_HIDDEN = Mistake(
    "past-hidden-too",
    "No position sees its answer, and a part of what may be seen is hidden as well. What is read "
    "has been shifted already: may a position look at itself, and how far back?",
)
ANSWER_READ = Mistake(
    "answer-read",
    "The word that is to be said has been read by then. Which words may a decoder have read when "
    "it says one?",
)
START_MISSING = Mistake(
    "start-symbol-missing",
    "What is read does not begin as it should. What does a decoder read before it has said "
    "anything, how is that written, and does it go away later?",
)
END_MISSING = Mistake(
    "end-symbol-missing",
    "The end symbol is missing where a sentence ends. How would a model learn when to stop, or a "
    "loop see that a sentence has ended?",
)
SHIFTED_TWICE = Mistake(
    "shifted-twice",
    "What is read lags behind by two tokens: each position starts from the word before the last. "
    "When the second word is to be said, which one may have been read?",
)
WORDS_LOST = Mistake(
    "written-words-lost",
    "A word that has been said is lost. What will the decoder read in the next step?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "Your results are right, but they come in another order. Which one should be first, and which "
    "last?",
)
IDS_GUESSED = Mistake(
    "special-ids-guessed",
    "This is right where the special symbols have the ids that you take for granted. Here they "
    "have others, and they are given.",
)
FEWER_SYMBOLS = Mistake(
    "spread-over-fewer-symbols",
    "This is another variant of smoothing: the true word or the padding symbol gets no part of "
    "what is spread, or, as in The Annotated Transformer, neither does. Which symbols share it in "
    "PyTorch?",
)
NOT_EPSILON = Mistake(
    "wrong-amount-of-smoothing",
    "Your true word gives away another share than ε says, or the others don't get just that. Is ε "
    "what it keeps or what it gives away, and what do all the shares add up to?",
)
MULTIPLIED_BY_INFINITY = Mistake(
    "multiplied-by-infinity",
    "You get NaN where a product has the factors 0 and infinity. Where does the infinity come "
    "from, and what should stand there?",
)
EXPONENTIALS = Mistake(
    "exponentials-out-of-range",
    "This is right for numbers near zero. Where they are large, or hundreds apart, an exponential "
    "is more than a computer can hold, or it becomes 0. Do you need the exponentials themselves?",
)
WRONG_AXIS = Mistake(
    "softmax-over-the-wrong-axis",
    "Queries compete for weight: your weights sum to one over the queries, or over all there is. "
    "What should sum to one?",
)
NOTHING_VISIBLE = Mistake(
    "nothing-visible",
    "This is right except where there is nothing but padding. What becomes there of minus "
    "infinity, or of a number that stands for it, and what does the text ask for in each result?",
)
