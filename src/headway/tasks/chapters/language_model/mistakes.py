"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

UNSHIFTED = Mistake(
    "targets-unshifted",
    "Your positions are held to the token that they have just read. A model with the worst of "
    "weights could give it back. What is a position asked to say, at the earliest?",
)
SHIFTED_TWICE = Mistake(
    "shifted-twice",
    "Between the last token that is read and the one that is asked for, a token is left out. "
    "How often has something been moved by one, and how often should it be?",
)
SHIFTED_BACK = Mistake(
    "shifted-the-wrong-way",
    "Your positions are asked for a token that stands before them. In which direction does a "
    "language model write?",
)
PADDING_COUNTED = Mistake(
    "padding-counted",
    "What stands behind the end of a shorter text counts in your result. Should anybody learn to "
    "say it, and how many tokens of each text are its own?",
)
PADDING_BY_ID = Mistake(
    "padding-guessed-from-the-ids",
    "You tell padding by its id. Here a word, or the end symbol, has the same one. What else says "
    "where a text ends?",
)
END_NEVER_ASKED = Mistake(
    "end-never-asked-for",
    "No position of yours has the end of a text for its answer. Who would tell the model when to "
    "stop, and which position is the last that has an answer?",
)
START_ASKED_FOR = Mistake(
    "first-token-asked-for",
    "Your count or your loss has an answer too many: the first token of a text is among them. What "
    "would have to be read before it?",
)
PROMPT_COUNTED = Mistake(
    "prompt-counted",
    "Tokens that were given count among the answers, or the first that was not given is missing. "
    "Which position is the first to say a word of its own, and what does it read?",
)
MEAN_OF_MEANS = Mistake(
    "mean-of-unequal-means",
    "A token in a short text, or in a small batch, weighs more in your mean than one among many. "
    "What should be added up first, and divided by what at the end?",
)
LAST_NORM_MISSING = Mistake(
    "last-norm-missing",
    "There is no norm behind your last block. What leaves a pre-norm stack has been added up from "
    "block to block: who brings it to one size before it is compared with words?",
)
POSITIONS_MISSING = Mistake(
    "positions-missing",
    "Nothing in your model, or in your count, tells the first token from the second. How does a "
    "model of this kind know where a token stands, and what table does it need for that?",
)
LAST_PLACE_OF_ALL = Mistake(
    "last-logits-of-padding-read",
    "Your logits are those of the last place in the row, whatever stands there. Which place of a "
    "shorter text has read all of it and nothing else?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "Your results are right, in another order. Which one is asked for first, and which one last?",
)
CONTEXT_OVERRUN = Mistake(
    "context-overrun",
    "When the context is full, yours raises an error or falls silent. The model can read no more "
    "than so many tokens: which of them should it read then?",
)
PROBABILITIES = Mistake(
    "probabilities-for-logits",
    "What comes out has been through a softmax, or through its logarithm. What are logits, and who "
    "will take the softmax of them?",
)
