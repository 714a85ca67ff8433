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
    "This is right for one text. In a batch, texts get into each other's rows. How do you find a "
    "text's own?",
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
    "This is right for a first piece of text. After it positions begin at 0 again: those of keys, "
    "of queries, or of both. Where is the first new token?",
)
NEW_TOKENS_MISPLACED = Mistake(
    "new-tokens-misplaced",
    "Your new tokens are one place off, or they all get the same position. If S tokens are held, "
    "at which positions are the first and the last of the new ones?",
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
OWN_WORDS_IN_THE_SOURCE = Mistake(
    "own-words-in-the-source",
    "Your cross-attention has other keys than those of the source: the target's own, or more with "
    "each step. Whose keys does it need, and does the source get longer?",
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
    "Your results are right, but not your pieces: they are shorter or longer than asked for, or "
    "what you report isn't what was read. How many tokens go through at once, and which keys are "
    "in the cache by then?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "Your numbers are right, and stand in another order. In which order are they asked for?",
)

# How much it takes

SHARED_HEADS_MISCOUNTED = Mistake(
    "shared-heads-miscounted",
    "You share too little or too much: a key for each query head, too few queries, or one shared "
    "head that is wider. Who asks, who is asked, and how wide is each?",
)
PART_OF_THE_CACHE_COUNTED = Mistake(
    "part-of-the-cache-counted",
    "You count a part of it: keys without values, one layer, or one text. What does each layer "
    "keep of each text, and how many bytes does a number take?",
)
NOT_KEYS_AND_VALUES = Mistake(
    "not-keys-and-values",
    "You keep something else than keys and values: queries, or what goes into the projections. "
    "What will a later token look at?",
)
BITS_AND_BYTES_MIXED_UP = Mistake(
    "bits-and-bytes-mixed-up",
    "You keep the right numbers, and the unit or their width is another one. How many bits does a "
    "number take here, how many make a byte, and how many bytes a KiB?",
)
