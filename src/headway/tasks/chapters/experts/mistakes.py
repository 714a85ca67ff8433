"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# Who is chosen, and with what weight

OTHER_EXPERTS_CHOSEN = SharedMisconception(
    "other-experts-chosen",
    "You take other experts than those with the largest scores of a token, or another number of "
    "them. Along which axis do the experts of one token compete, and how many of them win?",
)
NOT_RENORMALIZED = SharedMisconception(
    "not-renormalized",
    "The weights of the chosen add up to less than one where they should add up to one. Who "
    "shares out the whole here: all experts, or those that are chosen?",
)
SCORES_FOR_WEIGHTS = SharedMisconception(
    "scores-for-weights",
    "Your weights are shares of the scores as they are. What does a softmax do to a score before "
    "it shares anything out, and what would a negative score get?",
)
SOFTMAX_TWICE = SharedMisconception(
    "softmax-twice",
    "Your weights are too even: they are a softmax of numbers that came out of a softmax. How far "
    "apart can two probabilities be, and how far two scores?",
)
WEIGHTS_OF_OTHERS = SharedMisconception(
    "weights-of-others",
    "The experts are the right ones, but some have a weight that belongs to another. Which "
    "weight stands at which place of a row?",
)
WEIGHTS_MISSING = SharedMisconception(
    "weights-missing",
    "What your experts say is added up or averaged, whatever the router thought of them. What is "
    "the second largest score good for?",
)
SOFTMAX_OVER_THE_TOKENS = SharedMisconception(
    "softmax-over-the-tokens",
    "Your weights sum to one over the tokens, which do not compete here. Who shares out a whole, "
    "and among whom?",
)
PADDING_TAKES_PART = SharedMisconception(
    "padding-takes-part",
    "Padding is treated like words: it goes to experts, is counted or takes weight. Which rows "
    "are those of words?",
)
RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "Your numbers are right, but they come in another order. In which order are they asked for?",
)

# Latents

WRONG_SCALE = SharedMisconception(
    "wrong-scale",
    "Your scores are too large or too small. How many products are added up in one score, those "
    "of the positions included, and what does that do to its spread?",
)

# How much there is

EXPERTS_MISCOUNTED = SharedMisconception(
    "experts-miscounted",
    "You count another number of experts than are kept, or than one token uses. Which of the two "
    "numbers is about all experts, and which about the chosen ones?",
)
