"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

SOURCE_ASKS = Mistake(
    "queries-and-keys-swapped",
    "Your rows belong to source tokens: the source asks, and the target answers. Which of the two "
    "is being written, and needs a row for each of its tokens?",
)
ONE_SENTENCE_ONLY = Mistake(
    "self-attention-for-cross-attention",
    "A single sentence is on both sides: it looks at itself, or the one that asks is also mixed. "
    "Who asks in cross-attention, and where do keys and values come from?",
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
    "Padding can be seen, and words can't. What does True in a mask mean in this course?",
)
QUERY_AXIS_MISSING = Mistake(
    "mask-without-a-query-axis",
    "Your mask has no row for each query, or it has words of the source where queries should be. "
    "What shape do the scores have, and which of its axes belongs to those who ask?",
)
FUTURE_SEEN = Mistake(
    "future-visible",
    "Positions see what comes after them, and that includes the word that they have to say. If "
    "rows are queries, which triangle of the table is the past?",
)
PAST_HIDDEN = Mistake(
    "past-hidden-too",
    "No position sees its answer, but some of what it may see is hidden as well. What is read has "
    "been shifted already: may a position look at itself, and how far back?",
)
ANSWER_READ = Mistake(
    "answer-read",
    "By the time it has to say a word, your decoder has already read that word. Which words may it "
    "have read by then?",
)
START_MISSING = Mistake(
    "start-symbol-missing",
    "What is read doesn't begin as it should. What does a decoder read before it has said "
    "anything, how is that written, and does it go away later?",
)
END_MISSING = Mistake(
    "end-symbol-missing",
    "Where a sentence ends, the end symbol is missing. How would a model learn when to stop, or a "
    "loop see that a sentence is over?",
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
    "This is right as long as the special symbols have the ids that you take for granted. Which "
    "ids do they have here, and where are they given?",
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
    "You get NaN, because 0 is multiplied by infinity. Where does the infinity come from, and what "
    "should be there instead?",
)
EXPONENTIALS = Mistake(
    "exponentials-out-of-range",
    "This is right for numbers near zero. When they are large, or hundreds apart, an exponential "
    "gets too large for a computer, or becomes 0. Do you need the exponentials themselves?",
)
WRONG_AXIS = Mistake(
    "softmax-over-the-wrong-axis",
    "Queries compete for weight: your weights sum to one over the queries, or over all there is. "
    "What should sum to one?",
)
NOTHING_VISIBLE = Mistake(
    "nothing-visible",
    "This is right unless there is nothing but padding. What happens there to minus infinity, or "
    "to the number that you use for it, and what does the text ask for?",
)
