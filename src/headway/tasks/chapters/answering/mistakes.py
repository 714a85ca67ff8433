"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# What counts

END_NOT_COUNTED = SharedMisconception(
    "end-not-counted",
    "The ends of the answers are missing among what the model is to say. How would it learn to "
    "stop?",
)
MARKERS_COUNTED = SharedMisconception(
    "markers-counted",
    "A special token that comes from whoever asks counts as if the model had to say it. Which of "
    "the three does the model say itself?",
)
GIVEN_COUNTED = SharedMisconception(
    "given-tokens-counted",
    "Words of a question count in the loss. Who says them, the model or whoever asks?",
)
ONE_TURN_ONLY = SharedMisconception(
    "one-turn-only",
    "Of several answers in a conversation only one counts. Which of them does the model say?",
)
PADDING_COUNTED = SharedMisconception(
    "padding-counted",
    "What fills up the shorter rows counts, too. Whose words are these?",
)
MASK_UNSHIFTED = SharedMisconception(
    "marks-and-targets-apart",
    "Your marks and your targets are a place apart: what counts begins or ends one too early or "
    "too late. Where in a row is a token predicted, and where does it stand?",
)

# Log-probabilities and what is made of them

AVERAGED = SharedMisconception(
    "mean-over-the-tokens",
    "You divide by the number of tokens. Is the probability of a whole answer a sum of logarithms, "
    "or their mean?",
)
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
    "Your loss is no −ln σ of the margin: a step is missing, or the logarithm has another base. "
    "What does a pair cost to which the policy gives a probability of one half?",
)

# Low rank

SCALE_MISTAKEN = SharedMisconception(
    "scale-mistaken",
    "The update is too strong or too weak by a factor. What is s made of, and in how many places "
    "does it work?",
)
SHAPES_OF_THE_PRODUCT = SharedMisconception(
    "shapes-of-the-product",
    "You count another pair of matrices, or the whole one. Which two thin matrices stand for the "
    "update, and how many rows and columns has each?",
)

# Conversations

RIGHT_LINE_SUSPECTED = SharedMisconception(
    "right-line-suspected",
    "This line does what it should. Write down the row that the model gets for the second "
    "question, token by token: which one would it never have seen there in training?",
)
