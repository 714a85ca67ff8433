"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# What a new token sees

OWN_TOKEN_UNSEEN = SharedMisconception(
    "own-token-unseen",
    "A new token looks at what came before it, and not at itself. What would the very first token "
    "of a text look at?",
)
HELD_TOKENS_UNSEEN = SharedMisconception(
    "held-tokens-unseen",
    "What was held before makes no difference to what you mix. What are keys and values that come "
    "in for?",
)
CAUSAL_MASK_MISPLACED = SharedMisconception(
    "causal-mask-misplaced",
    "Some new tokens see what comes after them, or too little of what comes before. How many "
    "tokens stand before the first query?",
)
TEXTS_MIXED_UP = SharedMisconception(
    "texts-mixed-up",
    "This is right for one text, but in a batch, texts get into each other's rows. How do you "
    "find a text's own?",
)
LAYERS_MIXED_UP = SharedMisconception(
    "layers-mixed-up",
    "A layer goes on with the cache of another one, which shows where there are several. What "
    "does a layer make keys of?",
)
PADDING_TAKES_WEIGHT = SharedMisconception(
    "padding-takes-weight",
    "Padding takes weight from the words, even where its vector or its score is zero. Which score "
    "gets no share of a softmax?",
)

# What attention makes of it

KEYS_AND_VALUES_SWAPPED = SharedMisconception(
    "keys-and-values-swapped",
    "Keys and values have changed places, or one of them stands for both. Which of the two does a "
    "query meet, and which is mixed?",
)
WRONG_SCALE = SharedMisconception(
    "wrong-scale",
    "Your weights are too sharp or too flat. How many products are added up in one score, and "
    "what does that do to its spread?",
)
SOFTMAX_OVER_THE_WRONG_AXIS = SharedMisconception(
    "softmax-over-the-wrong-axis",
    "Your weights sum to one over heads or beams, which compete for a token. Who shares out a "
    "whole in attention, and among whom?",
)

# Where a new token stands

NEW_POSITIONS_MISTAKEN = SharedMisconception(
    "new-positions-mistaken",
    "Your new tokens have other positions than theirs, in keys, queries or both. How many tokens "
    "of the text come before the first of the new ones, and before the last?",
)

# What the cache holds afterwards

CACHE_NOT_HANDED_ON = SharedMisconception(
    "cache-not-handed-on",
    "What you hand on does not hold all the keys and values that there are, old ones and new. "
    "What will the tokens that come next miss?",
)
NEWEST_MISPLACED = SharedMisconception(
    "newest-misplaced",
    "The newest keys and values are not where the text wants them. Which place is theirs, and "
    "which older ones give way?",
)
OWN_WORDS_IN_THE_SOURCE = SharedMisconception(
    "own-words-in-the-source",
    "Your cross-attention has other keys than those of the source, or more with each step. Whose "
    "keys does it need, and does the source get longer?",
)

# What is scored

OTHER_POSITIONS_SCORED = SharedMisconception(
    "other-positions-scored",
    "Your logits are those of other positions than the text asks for, or of fewer. Which tokens "
    "does it want scored?",
)

# How much is read

EVERYTHING_READ_AGAIN = SharedMisconception(
    "everything-read-again",
    "In your steps the whole text goes through the model again. Which of its tokens are in the "
    "cache already?",
)
READ_FOR_NO_CHOICE = SharedMisconception(
    "read-for-no-choice",
    "Something is read, or counted as read, that no choice needs. Which read is each choice made "
    "from?",
)
PIECES_MISJUDGED = SharedMisconception(
    "pieces-misjudged",
    "Your pieces are not those that are asked for, or you report other sizes. How many tokens go "
    "through at once, in the first piece and in the last?",
)
RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "Your numbers are right, but they come in another order. In which order are they asked for?",
)

# How much it takes

SHARED_HEADS_MISCOUNTED = SharedMisconception(
    "shared-heads-miscounted",
    "You share too little or too much: a key for each query head, too few queries, or one wider "
    "head. How many heads ask, how many are asked, and how wide is each?",
)
CACHE_CONTENTS_MISTAKEN = SharedMisconception(
    "cache-contents-mistaken",
    "What you keep isn't all the keys and values, or it isn't only those. What will later tokens "
    "look at?",
)
BITS_AND_BYTES_MIXED_UP = SharedMisconception(
    "bits-and-bytes-mixed-up",
    "You keep the right numbers, but their width or the unit is another one. How many bits does a "
    "number take here, and how many the unit that is asked for?",
)
