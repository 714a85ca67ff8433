"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

SOURCE_ASKS = SharedMisconception(
    "queries-and-keys-swapped",
    "Your rows belong to source tokens: the source asks, and the target answers. Which of the two "
    "is being written, and needs a row for each of its tokens?",
)
ONE_SENTENCE_ONLY = SharedMisconception(
    "self-attention-for-cross-attention",
    "The sentence that asks is also among the keys or the values, as in self-attention. Where do "
    "queries, keys and values come from in cross-attention?",
)
CAUSAL_ON_THE_SOURCE = SharedMisconception(
    "causal-mask-on-the-source",
    "A triangle hides a part of the source: the first row sees one source word, the second two. "
    "Is any of the source still to be written?",
)
PADDING_SEEN = SharedMisconception(
    "padding-visible",
    "Somebody looks at padding, of the source or of the target. Where do the shorter sentences "
    "end, and which mask has to know it?",
)
MASK_INVERTED = SharedMisconception(
    "mask-inverted",
    "Padding can be seen, and words can't. What does True in a mask mean in this course?",
)
MASK_AXES = SharedMisconception(
    "mask-axes-confused",
    "Your mask has no row for each query, or it hides whole rows. Which axis of a mask are the "
    "keys, and whose padding is among them?",
)
CAUSAL_MISPLACED = SharedMisconception(
    "causal-mask-misplaced",
    "Some positions see what comes after them, or not all that they may see. What is read has "
    "been shifted already: at which places may position t look?",
)
ANSWER_READ = SharedMisconception(
    "answer-read",
    "By the time it has to say a word, your decoder has already read that word. Which words may "
    "it have read by then?",
)
START_MISSING = SharedMisconception(
    "start-symbol-missing",
    "What is read doesn't begin as it should. What does a decoder read before it has said "
    "anything?",
)
END_MISPLACED = SharedMisconception(
    "end-symbol-misplaced",
    "The end symbol is read, or it is missing where it has to be said. Who needs it, and is "
    "anything left to say after it?",
)
WORDS_LOST = SharedMisconception(
    "written-words-lost",
    "A word that has been said is missing from what the decoder reads next. Which words should it "
    "have read by then?",
)
ANOTHER_FORM = SharedMisconception(
    "results-in-another-form",
    "The content is right, but you hand it back in another order or form. Compare yours with what "
    "the task asks for, from first to last: where do they begin to differ?",
)
PADDING_MISPLACED = SharedMisconception(
    "padding-misplaced",
    "Padding comes before symbols of a sentence, or something else comes after its end. Where "
    "does the text ask for padding?",
)
IDS_GUESSED = SharedMisconception(
    "special-ids-guessed",
    "This is right as long as the special symbols have the ids that you take for granted. Where "
    "are the ids given that they have here?",
)
FEWER_SYMBOLS = SharedMisconception(
    "spread-over-fewer-symbols",
    "This is another variant of smoothing: the true word, the padding symbol or both get no part "
    "of what is spread. Which symbols share it in PyTorch?",
)
NOT_EPSILON = SharedMisconception(
    "wrong-amount-of-smoothing",
    "The true word gives away another share than ε, or the others don't get just that. What do "
    "all the shares add up to?",
)
OUT_OF_RANGE = SharedMisconception(
    "numbers-out-of-range",
    "Somewhere on the way a number becomes infinite or exactly 0, and the rest is computed from "
    "it. Where does that happen first, and do you need that number?",
)
WRONG_AXIS = SharedMisconception(
    "softmax-over-the-wrong-axis",
    "Your weights sum to one over the queries, or over all there is. Who has a whole to share out?",
)
ANOTHER_SUM = SharedMisconception(
    "shares-of-another-sum",
    "Your weights don't sum to one where there is something to weigh. Which whole is each of them "
    "a share of?",
)
PADDING_ON_THE_RIGHT = SharedMisconception(
    "padding-assumed-on-the-right",
    "This is right as long as all padding comes behind the words. Which places hold the words of a "
    "source that is padded elsewhere?",
)
SOME_SIZES = SharedMisconception(
    "right-for-some-sizes",
    "This is right for some batches, and wrong for others. Which axis do you lose if its length is "
    "1, which number do you take for another, and what if there is nothing, or nothing is left?",
)
NOTHING_VISIBLE = SharedMisconception(
    "nothing-visible",
    "This is right unless there is nothing but padding. What does each of your steps make of "
    "that, and what does the text ask for?",
)
