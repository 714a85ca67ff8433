"""The mistakes that several tasks share: one name and one hint; each task has its own answers."""

from headway.tasks.engine.mistakes import Misconception

SOURCE_ASKS = Misconception(
    "queries-and-keys-swapped",
    None,
    "Your rows belong to source tokens: the source asks, and the target answers. Which of the two "
    "is being written, and needs a row for each of its tokens?",
)
ONE_SENTENCE_ONLY = Misconception(
    "self-attention-for-cross-attention",
    None,
    "One sentence stands on both sides: it attends to itself, or what is mixed is the one that "
    "asks. Who asks in cross-attention, and where do keys and values come from?",
)
CAUSAL_ON_THE_SOURCE = Misconception(
    "causal-mask-on-the-source",
    None,
    "A triangle hides a part of the source: the first row sees one source word, the second two. Is "
    "any of the source still to be written?",
)
SOURCE_PADDING_SEEN = Misconception(
    "source-padding-visible",
    None,
    "Right where no source is padded. Otherwise somebody looks at the padding of the source. Where "
    "do the shorter sources end, and who reads what the encoder makes of them?",
)
MASK_INVERTED = Misconception(
    "mask-inverted",
    None,
    "Padding is looked at, and words are not. What does True in a mask stand for in this course?",
)
QUERY_AXIS_MISSING = Misconception(
    "mask-without-a-query-axis",
    None,
    "Your mask has no row for each query. What shape do the scores have, and which of its axes "
    "belongs to those who ask?",
)
FUTURE_SEEN = Misconception(
    "future-visible",
    None,
    "Positions see what comes after them, and there stands the word that they have to say. Which "
    "triangle of the table is the past, if rows are queries?",
)
PAST_HIDDEN = Misconception(
    "past-hidden-too",
    None,
    "No position sees its answer, and a part of what may be seen is hidden as well. What is read "
    "has been shifted already: may a position look at itself, and how far back?",
)
ANSWER_READ = Misconception(
    "answer-read",
    None,
    "The word that is to be said has been read by then. Which words may a decoder have read when "
    "it says one?",
)
START_MISSING = Misconception(
    "start-symbol-missing",
    None,
    "What is read does not begin as it should. What does a decoder read before it has said "
    "anything, how is that written, and does it go away later?",
)
END_MISSING = Misconception(
    "end-symbol-missing",
    None,
    "The end symbol is missing where a sentence ends. How would a model learn when to stop, or a "
    "loop see that a sentence has ended?",
)
SHIFTED_TWICE = Misconception(
    "shifted-twice",
    None,
    "What is read lags behind by two tokens: each position starts from the word before the last. "
    "When the second word is to be said, which one may have been read?",
)
WORDS_LOST = Misconception(
    "written-words-lost",
    None,
    "A word that has been said is lost. What will the decoder read in the next step?",
)
OTHER_ORDER = Misconception(
    "results-in-the-other-order",
    None,
    "Both of your results are right, in the other order. Which one is asked for first?",
)
IDS_GUESSED = Misconception(
    "special-ids-guessed",
    None,
    "Right where the special symbols have the ids that you take for granted. Here they have "
    "others, and they are given.",
)
FEWER_SYMBOLS = Misconception(
    "spread-over-fewer-symbols",
    None,
    "This is another variant of smoothing: the true word or the padding symbol gets no part of "
    "what is spread, or, as in The Annotated Transformer, neither does. Which symbols share it in "
    "PyTorch?",
)
SUM_IS_NOT_ONE = Misconception(
    "shares-do-not-sum-to-one",
    None,
    "Added up over all symbols, your target does not give one. How much is taken from the true "
    "word, and among how many is it shared out?",
)
NOT_EPSILON = Misconception(
    "wrong-amount-of-smoothing",
    None,
    "Your true word gives away nothing, or far too much. Does ε stand for what it keeps or for "
    "what it gives away, and where does that go?",
)
ZERO_TIMES_INFINITY = Misconception(
    "zero-times-infinity",
    None,
    "You get NaN where a product has the factors 0 and infinity. Where does the infinity come "
    "from, and what should stand there?",
)
EXPONENTIALS = Misconception(
    "exponentials-out-of-range",
    None,
    "Right for numbers near zero. Where they are large, or hundreds apart, an exponential is more "
    "than a computer can hold, or it becomes 0. Do you need the exponentials themselves?",
)
WRONG_AXIS = Misconception(
    "softmax-over-the-wrong-axis",
    None,
    "Queries compete for weight: your weights sum to one over the queries, or over all there is. "
    "What should sum to one?",
)
NOTHING_VISIBLE = Misconception(
    "where-nothing-is-visible",
    None,
    "Right but where there is nothing but padding. What becomes there of minus infinity, or of a "
    "number that stands for it, and what does the text ask for in each result?",
)
