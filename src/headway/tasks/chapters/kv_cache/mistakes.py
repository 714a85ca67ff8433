"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# What a new token sees

OWN_TOKEN_UNSEEN = Mistake(
    "own-token-unseen",
    "A new token looks at what came before it, and not at itself. What would the very first "
    "token of a text look at?",
)
HELD_TOKENS_UNSEEN = Mistake(
    "held-tokens-unseen",
    "This is right where nothing was held. Otherwise what was held before makes no difference to "
    "what you mix. What are keys and values that come in for?",
)
PREFIX_LEFT_OUT_OF_THE_MASK = Mistake(
    "prefix-left-out-of-the-mask",
    "The triangle of your mask stands too far to the left, so that a new token sees too few of "
    "those before it. How many tokens stand before the first query?",
)
FUTURE_VISIBLE = Mistake(
    "future-visible",
    "This is right for single tokens. Several that are read together all see each other. Which of "
    "them come later?",
)
TEXTS_MIXED_UP = Mistake(
    "texts-mixed-up",
    "This is right for one text. In a batch some texts look at what is held of another one. How "
    "do you find a text's own rows?",
)
LAYERS_MIXED_UP = Mistake(
    "layers-mixed-up",
    "This is right where nothing is held, and for one layer. Otherwise a layer goes on with the "
    "cache of another one. What does a layer make keys of?",
)

# What attention makes of it

KEYS_AND_VALUES_SWAPPED = Mistake(
    "keys-and-values-swapped",
    "Keys and values have changed places, or one of them stands for both. Which of the two does a "
    "query meet, and which is mixed?",
)
WRONG_SCALE = Mistake(
    "wrong-scale",
    "The products of queries and keys are as they should be, and the weights are too sharp or "
    "too flat. Over how many products does a score add up, and what does that do to its spread?",
)
SOFTMAX_OVER_THE_WRONG_AXIS = Mistake(
    "softmax-over-the-wrong-axis",
    "Your weights sum to one over heads or beams, which compete for a token. Who shares out "
    "a whole in attention, and among whom?",
)

# Where a new token stands

POSITIONS_RESTART = Mistake(
    "positions-restart",
    "This is right for a first piece of text. After it the positions begin at 0 again. Where does "
    "the first new token stand?",
)
POSITION_OFF_BY_ONE = Mistake(
    "position-off-by-one",
    "Your new tokens stand one place beside their own. If S tokens are held, at which "
    "positions are the first and the last of them?",
)
SAME_POSITION_FOR_ALL = Mistake(
    "same-position-for-all",
    "This is right for one new token. Several of them all get the same position. How far is each "
    "from the next?",
)

# What the cache holds afterwards

CACHE_NOT_HANDED_ON = Mistake(
    "cache-not-handed-on",
    "What is handed on does not hold all the keys and values that there are, old ones and "
    "new. What will the tokens that come next miss?",
)
NEWEST_NOT_BEHIND_THE_OLD = Mistake(
    "newest-not-behind-the-old",
    "The newest keys and values do not stand behind those that were held. Which axis counts "
    "the tokens, and at which of its ends does the text want the newest?",
)
NEWEST_OVERWRITTEN = Mistake(
    "newest-overwritten",
    "Your new token takes the place of the one that came right before it. Which token may be "
    "forgotten?",
)
CROSS_CACHE_GROWS = Mistake(
    "cross-cache-grows",
    "Your cross-attention has more keys than the source has tokens. Does the source get "
    "longer while the target is written?",
)

# What is scored

OTHER_POSITIONS_SCORED = Mistake(
    "other-positions-scored",
    "Your logits are those of other positions than the text asks for, or of fewer. Which "
    "tokens does the text want scored, and at which one stands what comes after the last?",
)

# How much is read

EVERYTHING_READ_AGAIN = Mistake(
    "everything-read-again",
    "In your steps the whole text goes through the model again. Which of its tokens are in "
    "the cache already?",
)
LAST_CHOICE_READ_TOO = Mistake(
    "last-choice-read-too",
    "You read the last chosen token, or count it among those that are read. Does anybody ask what "
    "comes after it?",
)
PIECES_OF_ANOTHER_LENGTH = Mistake(
    "pieces-of-another-length",
    "Your results are right. You read the prompt in shorter or longer pieces than asked for, or "
    "report other lengths than you read. How many tokens of a text go through at once?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "Your numbers are right, and stand in another order. In which order are they asked for?",
)

# How much it takes

SHARED_HEADS_MISCOUNTED = Mistake(
    "shared-heads-miscounted",
    "You count a key for each query head, share once too often, or make a shared one wider. Which "
    "heads are stored where several queries share one, and how wide is each?",
)
VALUES_FORGOTTEN = Mistake(
    "values-forgotten",
    "This is half of it. What is kept besides the keys, and how many bytes does a number take?",
)
QUERIES_CACHED = Mistake(
    "queries-cached",
    "You keep queries in the cache. Which later token asks with an old query?",
)
ONE_LAYER_OR_ONE_TEXT_COUNTED = Mistake(
    "one-layer-or-one-text-counted",
    "You count one layer, or one text of the batch. Can it use the keys of another one?",
)
NUMBER_WIDTH_MISTAKEN = Mistake(
    "number-width-mistaken",
    "Your count does not fit the width of a number. How many bits does one take here, and how much "
    "of a byte is that, or how many?",
)
UNIT_MISTAKEN = Mistake(
    "unit-mistaken",
    "Your count is right, but in another unit than the one that is asked for. How many bits make "
    "a byte, and how many bytes a KiB?",
)
