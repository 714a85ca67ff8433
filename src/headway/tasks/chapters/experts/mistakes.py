"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# Who is chosen, and with what weight

OTHER_EXPERTS_CHOSEN = SharedMisconception(
    "other-experts-chosen",
    "You take other experts than those with the largest scores of a token, or another number of "
    "them. Along which axis do the experts of one token compete, and how many of them win?",
)
WHOLE_TOO_SMALL = SharedMisconception(
    "whole-too-small",
    "Your weights are too large where they should be shares of a whole that all experts divide. "
    "What does an expert add to that whole if it isn't chosen, or if its score is 0?",
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
PADDING_TAKES_PART = SharedMisconception(
    "padding-takes-part",
    "Padding is treated like words: it goes to experts, is counted, takes weight or gets a result. "
    "Which rows are those of words?",
)
RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "Your numbers are right, but they come in another order. In which order are they asked for?",
)
