"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

UNSHIFTED = SharedMisconception(
    "targets-unshifted",
    "Your positions are held to a token that they have read already. Which one is a position asked "
    "to say, at the earliest?",
)
SHIFTED_WRONGLY = SharedMisconception(
    "shifted-wrongly",
    "A position of yours is held to another token than the one right after what it has read. By "
    "how many places, and in which direction, is something moved?",
)
PADDING_COUNTED = SharedMisconception(
    "padding-counted",
    "Padding counts among what has to be said. Should a model learn to say it, and how many tokens "
    "of each text are its own?",
)
PADDING_BY_ID = SharedMisconception(
    "padding-guessed-from-the-ids",
    "You tell padding by its id, and here a word or the end symbol has the same one. What else "
    "says where a text ends?",
)
END_NEVER_ASKED = SharedMisconception(
    "end-never-asked-for",
    "No position of yours has the end of a text for its answer. Which is the last that has an "
    "answer, and how would the model learn to stop?",
)
GIVEN_COUNTED = SharedMisconception(
    "given-tokens-counted",
    "Tokens that were given count among the answers, or the first that was not given is missing. "
    "Which position is the first to have an answer?",
)
MEAN_MISCOUNTED = SharedMisconception(
    "mean-miscounted",
    "In your mean not all tokens weigh the same, or it is a sum. What should be added up first, "
    "and divided by what at the end?",
)
LAST_NORM_MISPLACED = SharedMisconception(
    "last-norm-misplaced",
    "The norm behind the last block is missing, or is in another place. What does a pre-norm stack "
    "do to the size of its stream, and where is that mended?",
)
POSITIONS_MISSING = SharedMisconception(
    "positions-missing",
    "Nothing in your model, or in your count, tells the first token from the second. What does a "
    "model of this kind know a token's position from?",
)
ANOTHER_POSITION_READ = SharedMisconception(
    "another-position-read",
    "Your logits are those of another position, or of several. Which position has read all of a "
    "text, and nothing else?",
)
CONTEXT_OVERRUN = SharedMisconception(
    "context-overrun",
    "Where there are more tokens than the context holds, yours raises, stops or reads the wrong "
    "ones. How many can be read, and which ones should they be?",
)
SOFTMAX_TOO_EARLY = SharedMisconception(
    "softmax-too-early",
    "A softmax, or its logarithm, was taken where logits are expected. Who will take the softmax "
    "of them?",
)
