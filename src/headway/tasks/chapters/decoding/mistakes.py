"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# Which tokens a filter keeps

CROSSING_TOKEN_DROPPED = Mistake(
    "crossing-token-dropped",
    "Your nucleus ends one token too soon: together its tokens have less than p. Which token is "
    "the first with which they reach it?",
)
ONE_TOKEN_TOO_MANY = Mistake(
    "one-token-too-many",
    "One token more is left than the text asks for. Had the sum been reached before it came?",
)
THRESHOLD_FOR_SUM = Mistake(
    "threshold-for-sum",
    "You compare each token by itself with a limit. Is p asked of a single token, or of several "
    "together?",
)
LEAST_LIKELY_KEPT = Mistake(
    "least-likely-kept",
    "You keep the unlikely tokens. At which end of your order are the likely ones?",
)
ORDER_NOT_UNDONE = Mistake(
    "order-not-undone",
    "Your result is in the order of the sorted row, or counts places in it, 0 for the likeliest. "
    "Which token was it that came first when you sorted?",
)
NOT_RENORMALIZED = Mistake(
    "not-renormalized",
    "The right tokens are left, but what they have doesn't add up to one. Who gets what the "
    "others had?",
)
TIES_ALL_KEPT = Mistake(
    "ties-all-kept",
    "Where tokens are equally likely, too many of them are left. Which of several equals does "
    "the text keep?",
)
LAST_OF_EQUALS_KEPT = Mistake(
    "last-of-equals-kept",
    "Of tokens that are equally likely you keep those with the higher ids. Which of them come "
    "first in the text's order, and does your way of sorting leave equals in theirs?",
)
ROWS_MIXED = Mistake(
    "rows-mixed",
    "One row's result depends on the others: tokens compete with those of other rows, or several "
    "rows share a limit, a total or a random number. What does a row have of its own?",
)
SECOND_SOFTMAX = Mistake(
    "second-softmax",
    "You take a softmax of what are weights or probabilities already. What does a softmax make of "
    "a zero, and of numbers between 0 and 1?",
)
FILTER_IGNORED = Mistake(
    "filter-ignored",
    "One of the filters makes no difference to what comes out. Which argument do you not use, or "
    "undo again?",
)
FILTERS_IN_ANOTHER_ORDER = Mistake(
    "filters-in-another-order",
    "This is right as long as there is one filter; several come in another order than the text "
    "asks. Whose result does each of them get?",
)
SECOND_FILTER_SEES_THE_WHOLE = Mistake(
    "second-filter-sees-the-whole",
    "The later filter still counts what the earlier one has taken away. Once some tokens are "
    "gone, of what is p a share?",
)

# Temperature

TEMPERATURE_UPSIDE_DOWN = Mistake(
    "temperature-upside-down",
    "A low temperature makes your choices more even, and a high one less. Which way should it go?",
)
TEMPERATURE_ON_PROBABILITIES = Mistake(
    "temperature-on-probabilities",
    "The temperature works on probabilities where logits are divided by it. What do you get at "
    "temperature 1, and what if all probabilities are divided by the same number?",
)
TEMPERATURE_WITHOUT_EFFECT = Mistake(
    "temperature-without-effect",
    "Whatever the temperature is, what you get is what temperature 1 gives. Where does it come in, "
    "and what do shares become if all weights are divided by the same number?",
)

# Drawing

LIKELIEST_ALWAYS = Mistake(
    "likeliest-always",
    "You choose the likeliest token, whatever the random number is. How often should the second "
    "one come?",
)
CHANCE_FROM_ELSEWHERE = Mistake(
    "chance-from-elsewhere",
    "Your tokens come as often as they should, but they aren't the ones that the text's numbers "
    "choose. Which generator does it name, how many numbers does a batch take, and which token "
    "does a small number choose?",
)
ONE_PLACE_OFF = Mistake(
    "one-place-off",
    "Your ids are off by one place. If a random number is below the first sum, which token is "
    "that, and how many sums are at most as large as the number?",
)

# Probabilities of sequences

PROBABILITIES_ADDED = Mistake(
    "probabilities-added",
    "Probabilities of words that follow each other are added, or averaged. What is the "
    "probability that two things happen one after the other?",
)
LOGARITHMS_MULTIPLIED = Mistake(
    "logarithms-multiplied",
    "Logarithms of probabilities are multiplied. What becomes of a product under a logarithm?",
)
UNDERFLOW = Mistake(
    "underflow",
    "Short texts are right, and in a long one everything has the same score. How small does a "
    "product of hundreds of probabilities become?",
)
CHOSEN_BY_THE_LAST_WORD = Mistake(
    "chosen-by-the-last-word",
    "You rank hypotheses by their last word alone. What about the words before it?",
)

# Which hypotheses live on

ONE_CHILD_EACH = Mistake(
    "one-child-each",
    "Each of your beams goes on with one word, or one beam with all of them. Can two of the best "
    "continuations belong to the same beam, and another beam have none?",
)
GREEDY = Mistake(
    "greedy",
    "This is the greedy choice: the likeliest word at each step. What would you find if a word "
    "that is less likely now is followed by likelier ones?",
)
ANOTHER_NUMBER_OF_BEAMS = Mistake(
    "another-number-of-beams",
    "More or fewer hypotheses live on than should. How many may, after each step?",
)
FINISHED_TAKES_A_PLACE = Mistake(
    "finished-takes-a-place",
    "Each hypothesis that ends leaves your beam narrower. How many unfinished ones live on?",
)
FINISHED_GOES_ON = Mistake(
    "finished-goes-on",
    "In your hypotheses, words come after an end. What may still be added to one that has ended?",
)
FINISHED_LOST = Mistake(
    "finished-lost",
    "Hypotheses that ended on the way are missing. Where do they wait until the search is over?",
)
FINISHED_TOO_EASILY = Mistake(
    "finished-too-easily",
    "Among yours are hypotheses that ended, but were not among the best continuations of their "
    "step. Which ends count?",
)
UNFINISHED_LOST = Mistake(
    "unfinished-lost",
    "Hypotheses that have no end after the last step are missing, or those that end in it. "
    "What becomes of each when there are no more steps?",
)
NO_LENGTH_TERM = Mistake(
    "no-length-term",
    "The length does not count as the text asks, in the scores or in the order of the hypotheses. "
    "By what is ln P divided, where does α stand, and what are hypotheses ranked by at the end?",
)
LENGTH_OFF = Mistake(
    "length-off",
    "The length that you divide by counts a word too many or too few, or the same for all. "
    "Does the end count, and does the start?",
)
IMPOSSIBLE_KEPT = Mistake(
    "impossible-kept",
    "Some of your hypotheses have probability zero. Can such a text ever be written?",
)
SCORES_WITHOUT_LENGTH = Mistake(
    "scores-of-another-kind",
    "You have the right hypotheses, but the numbers aren't the scores asked for. What does the "
    "text call a score?",
)
ORDER_OF_RESULTS = Mistake(
    "order-of-results",
    "The right things come in another order, or fewer or more of them. What comes first, and how "
    "many are asked for?",
)
START_IN_THE_TEXT = Mistake(
    "start-in-the-text",
    "Your result contains words that were given, or lacks the end. Which words were chosen?",
)
CONTEXT_IN_ANOTHER_ORDER = Mistake(
    "context-in-another-order",
    "You look up the words before in the wrong order, or they aren't the latest ones. Which axis "
    "is for the oldest word?",
)
