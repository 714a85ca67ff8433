"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# What counts

END_NOT_COUNTED = SharedMisconception(
    "end-not-counted",
    "An end of an answer is missing among what the model is to say. How would it learn to stop?",
)
GIVEN_COUNTED = SharedMisconception(
    "given-tokens-counted",
    "Something counts that comes from whoever asks: words of a question, or a special token. Which "
    "tokens does the model say itself?",
)
ANSWERS_NOT_COUNTED = SharedMisconception(
    "answers-not-counted",
    "The words of an answer don't count, of one or of all. Which answers does the model say?",
)
PADDING_COUNTED = SharedMisconception(
    "padding-counted",
    "What fills up the shorter rows counts, too. Whose words are these?",
)

# Log-probabilities and what is made of them

REFERENCE_IGNORED = SharedMisconception(
    "reference-ignored",
    "The reference makes no difference to your result, or only half of it does. From what should "
    "the policy not stray, and for which of the two answers?",
)
SIDES_SWAPPED = SharedMisconception(
    "sides-swapped",
    "The sign of your margin is the other one, as if the rejected answer were preferred, or the "
    "reference were trained. What should a falling loss do to the preferred answer?",
)
BETA_MISPLACED = SharedMisconception(
    "beta-misplaced",
    "Your β is missing, or works in another place or the other way round. What does it multiply, "
    "and when?",
)
NO_LOG_SIGMOID = SharedMisconception(
    "no-log-of-a-sigmoid",
    "Your loss isn't −ln σ of the margin, with the natural logarithm. What does a pair cost to "
    "which the policy gives a probability of one half?",
)

# Code

TAKEN_FOR_GRANTED = SharedMisconception(
    "taken-for-granted",
    "Only an unusual case goes wrong. What has it less or more of than your code takes for "
    "granted?",
)
