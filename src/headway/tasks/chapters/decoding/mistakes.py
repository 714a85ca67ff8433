"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# Which tokens a filter keeps

ONE_TOKEN_OFF = SharedMisconception(
    "one-token-off",
    "One token too many or too few is left. Which is the last one that the text lets in?",
)
EQUALITY_MISTAKEN = SharedMisconception(
    "equality-mistaken",
    "It goes wrong where a number equals the limit, or would if nothing were rounded. On which "
    "side does the text put equality?",
)
SUMMED_IN_ANOTHER_ORDER = SharedMisconception(
    "summed-in-another-order",
    "You add up the tokens in another order than the text. Whose turn is it first there?",
)
THRESHOLD_FOR_SUM = SharedMisconception(
    "threshold-for-sum",
    "You compare each token by itself with a limit. Is p asked of a single token, or of several "
    "together?",
)
LEAST_LIKELY_KEPT = SharedMisconception(
    "least-likely-kept",
    "You keep the unlikely tokens. At which end of your order are the likely ones?",
)
ORDER_NOT_UNDONE = SharedMisconception(
    "order-not-undone",
    "Your result has the places, the order or the weights of a sorted row. Which id does each "
    "token have?",
)
NOT_RENORMALIZED = SharedMisconception(
    "not-renormalized",
    "The right tokens are left, but what they have doesn't add up to one. Who gets what the "
    "others had?",
)
TIES_BROKEN_OTHERWISE = SharedMisconception(
    "ties-broken-otherwise",
    "It goes wrong where tokens are equally likely. Which of several equals come first, and how "
    "many of them may stay?",
)
EXCLUDED_MISTAKEN = SharedMisconception(
    "excluded-mistaken",
    "It goes wrong where tokens are excluded already, by a weight of 0 or a logit of −∞. What "
    "do you make of such a token?",
)
LIKELIER_TOKEN_DROPPED = SharedMisconception(
    "likelier-token-dropped",
    "A token is dropped, and one that is less likely stays. By what do you choose?",
)
ANOTHER_NUMBER_KEPT = SharedMisconception(
    "another-number-kept",
    "The likeliest tokens are left, but more or fewer of them than should be. What do you count or "
    "add up, and what tells you where to stop?",
)
ROWS_MIXED = SharedMisconception(
    "rows-mixed",
    "Your rows share something: a limit, a count, a total, an order or a random number. What does "
    "a row have of its own?",
)
SECOND_SOFTMAX = SharedMisconception(
    "second-softmax",
    "You take a softmax of what are weights or probabilities already. What does a softmax make of "
    "a zero, and of numbers between 0 and 1?",
)
FILTER_IGNORED = SharedMisconception(
    "filter-ignored",
    "You get what comes out without a filter that the text asks for. Which tokens does yours take "
    "away, if any?",
)
STEPS_IN_ANOTHER_ORDER = SharedMisconception(
    "steps-in-another-order",
    "Where several steps follow each other, the result is not the one asked for. What does each of "
    "them get from the one before?",
)

# Special numbers

AT_AN_EDGE = SharedMisconception(
    "sizes-at-an-edge",
    "It goes wrong at an edge: for a single row, step, beam or token, for a number that is 0 or 1, "
    "or as small or large as it can be. What does your code take for granted there?",
)
SOME_NUMBERS = SharedMisconception(
    "right-for-some-numbers",
    "This is right for some of the numbers that may be given, and wrong for others. Which number "
    "or choice in your code suits only some of them?",
)

# Temperature

TEMPERATURE_UPSIDE_DOWN = SharedMisconception(
    "temperature-upside-down",
    "A low temperature makes your choices more even, and a high one less. Which way should it go?",
)
TEMPERATURE_MISPLACED = SharedMisconception(
    "temperature-misplaced",
    "The temperature acts on probabilities, or acts twice. In which one place does it belong?",
)
TEMPERATURE_WITHOUT_EFFECT = SharedMisconception(
    "temperature-without-effect",
    "You get what temperature 1 gives, where another is asked for. Which numbers should the "
    "temperature act on?",
)

# Drawing

LIKELIEST_ALWAYS = SharedMisconception(
    "likeliest-always",
    "You choose the likeliest token, whatever the random number is. How often should the second "
    "one come?",
)
CHANCE_FROM_ELSEWHERE = SharedMisconception(
    "chance-from-elsewhere",
    "Your tokens come about as often as they should, but they are not those that the numbers of "
    "the text choose. Which number is whose, and how does it choose a token?",
)
ONE_PLACE_OFF = SharedMisconception(
    "one-place-off",
    "Most of your ids are one too high, or most are one too low. Which id does the first token "
    "have, and which does yours give it?",
)

# Probabilities of sequences

SUM_FOR_PRODUCT = SharedMisconception(
    "sum-for-product",
    "The numbers of words that follow each other are added where they should be multiplied, or "
    "the other way round. What is the probability that two things happen one after the other?",
)
UNDERFLOW = SharedMisconception(
    "underflow",
    "Short texts are right, and a long one isn't. What becomes of your numbers after hundreds of "
    "words, and of a product of probabilities above all?",
)
CHOSEN_BY_THE_LAST_WORD = SharedMisconception(
    "chosen-by-the-last-word",
    "You rank hypotheses by their last word alone. What about the words before it?",
)

# Which hypotheses live on

ONE_CHILD_EACH = SharedMisconception(
    "one-child-each",
    "Each of your beams goes on with one word, or one beam with all of them. Can two of the best "
    "continuations belong to the same beam?",
)
GREEDY = SharedMisconception(
    "greedy",
    "This is the greedy choice: the likeliest word at each step. What would you find if a word "
    "that is less likely now is followed by likelier ones?",
)
BEAM_OF_ANOTHER_WIDTH = SharedMisconception(
    "beam-of-another-width",
    "More or fewer unfinished hypotheses live on than should. How many may, after each step, "
    "whether one has ended or not?",
)
FINISHED_GOES_ON = SharedMisconception(
    "finished-goes-on",
    "In your hypotheses, words come after an end. What may still be added to one that has ended?",
)
HYPOTHESES_LOST = SharedMisconception(
    "hypotheses-lost",
    "Some hypotheses are missing at the end: of those that end, or of those that got no end. "
    "Where does each kind wait until the search is over?",
)
FINISHED_TOO_EASILY = SharedMisconception(
    "finished-too-easily",
    "You take hypotheses for finished that the text doesn't. When does a hypothesis count?",
)
LENGTH_TERM_MISTAKEN = SharedMisconception(
    "length-term-mistaken",
    "The length does not count as the text asks: in a score, or where hypotheses are chosen and "
    "put in order. By what exactly is ln P divided, and when?",
)
WRONG_WHERE_LENGTH_COUNTS = SharedMisconception(
    "wrong-where-length-counts",
    "It goes wrong where α is above 0. What do you decide by ln P, and what by scores, and can the "
    "order turn around while texts get longer?",
)
IMPOSSIBLE_KEPT = SharedMisconception(
    "impossible-kept",
    "Some of your hypotheses have probability zero. Can such a text ever be written?",
)
IMPOSSIBLE_WORDS = SharedMisconception(
    "impossible-words-mistaken",
    "It goes wrong where words cannot follow, so that ln P is −∞. What becomes of such a "
    "continuation in your sums, comparisons and counts?",
)
ANOTHER_BEGINNING_LIVES = SharedMisconception(
    "another-beginning-lives",
    "A text of yours lives on, or its beginning has, that isn't among the K best of its step. How "
    "many live on, and by what do you rank them?",
)
LONGER_TEXT_MISSED = SharedMisconception(
    "longer-text-missed",
    "Longer texts are better than yours. Does your search stop, or drop them, before it can know "
    "that they are worse?",
)
NOT_IN_THE_FORM = SharedMisconception(
    "not-in-the-form-asked-for",
    "What you return doesn't have the form that is asked for. What should each part of it be, and "
    "what is it in yours?",
)
SCORE_OF_OTHER_WORDS = SharedMisconception(
    "score-of-other-words",
    "A score of yours is not that of the words beside it. Work it out for these words: what "
    "differs, ln P, the length or the division?",
)
RESULTS_IN_ANOTHER_FORM = SharedMisconception(
    "results-in-another-form",
    "What you found is right, but you hand it back in another order, number or form. What does "
    "the text ask for, from first to last?",
)
OTHER_WORDS_THAN_CHOSEN = SharedMisconception(
    "other-words-than-chosen",
    "Your text has words that were given, or it has too few or too many. Which words were chosen, "
    "from the first to the last?",
)
LOOKED_UP_ELSEWHERE = SharedMisconception(
    "looked-up-elsewhere",
    "You look up probabilities in another place of the table. What does each of its axes stand "
    "for?",
)
