"""Mistakes of several tasks of this assignment; each task gives them its own wrong answers."""

from functools import partial

from headway.tasks.engine.mistakes import Misconception

# What a new token sees

own_token_unseen = partial(
    Misconception,
    "own-token-unseen",
    hint="A new token looks at what came before it, and not at itself. What would the very first "
    "token of a text look at?",
)
held_tokens_unseen = partial(
    Misconception,
    "held-tokens-unseen",
    hint="Right where nothing was held. Otherwise what was held before makes no difference to "
    "what you mix. What are keys and values that come in for?",
)
mask_not_shifted = partial(
    Misconception,
    "mask-not-shifted",
    hint="Your causal mask begins at the first key, so that a new token sees too few of those "
    "before it. How many tokens stand before the first query?",
)
mask_missing = partial(
    Misconception,
    "mask-missing",
    hint="Right for single tokens. Several that are read together all see each other. Which of "
    "them come later?",
)
texts_mixed_up = partial(
    Misconception,
    "texts-mixed-up",
    hint="Right for one text. In a batch some texts look at what is held of another one. How do "
    "you find a text's own rows?",
)
layers_mixed_up = partial(
    Misconception,
    "layers-mixed-up",
    hint="Right where nothing is held, and for one layer. Otherwise a layer goes on with the cache "
    "of another one. What does a layer make keys of?",
)

# What attention makes of it

keys_and_values_swapped = partial(
    Misconception,
    "keys-and-values-swapped",
    hint="Keys and values have changed places. Which of the two does a query meet?",
)
scale_mistaken = partial(
    Misconception,
    "scale-mistaken",
    hint="The products of queries and keys are as they should be, and the weights are too sharp or "
    "too flat. Over how many products does a score add up, and what does that do to its spread?",
)
softmax_over_another_axis = partial(
    Misconception,
    "softmax-over-another-axis",
    hint="Your weights sum to one over heads or beams, which compete for a token. Who shares out "
    "a whole in attention, and among whom?",
)

# Where a new token stands

positions_restart = partial(
    Misconception,
    "positions-restart",
    hint="Right for a first piece of text. After it the positions begin at 0 again. Where does the "
    "first new token stand?",
)
position_off_by_one = partial(
    Misconception,
    "position-off-by-one",
    hint="Your new tokens stand one place beside their own. If S tokens are held, at which "
    "positions are the first and the last of them?",
)
same_position_for_all = partial(
    Misconception,
    "same-position-for-all",
    hint="Right for one new token. Several of them all get the same position. How far is each from "
    "the next?",
)

# What the cache holds afterwards

cache_not_handed_on = partial(
    Misconception,
    "cache-not-handed-on",
    hint="What is handed on does not hold all the keys and values that there are, old ones and "
    "new. What will the tokens that come next miss?",
)
newest_not_behind_the_old = partial(
    Misconception,
    "newest-not-behind-the-old",
    hint="The newest keys and values do not stand behind those that were held. Which axis counts "
    "the tokens, and at which of its ends does the text want the newest?",
)
newest_overwritten = partial(
    Misconception,
    "newest-overwritten",
    hint="Your new token takes the place of the one that came right before it. Which token may be "
    "forgotten?",
)
cross_cache_grows = partial(
    Misconception,
    "cross-cache-grows",
    hint="Your cross-attention has more keys than the source has tokens. Does the source get "
    "longer while the target is written?",
)

# How much is read

everything_read_again = partial(
    Misconception,
    "everything-read-again",
    hint="In your steps the whole text goes through the model again. Which of its tokens are in "
    "the cache already?",
)
last_choice_read_too = partial(
    Misconception,
    "last-choice-read-too",
    hint="You count the last chosen token among those that are read. Does anybody ask what comes "
    "after it?",
)
pieces_of_another_length = partial(
    Misconception,
    "pieces-of-another-length",
    hint="Your results are right, and the prompt is read in shorter or longer pieces than it "
    "should be. How many of its tokens may be read at once?",
)
order_swapped = partial(
    Misconception,
    "order-swapped",
    hint="Your numbers are right, and stand in another order. In which order are they asked for?",
)

# How much it takes

query_heads_counted = partial(
    Misconception,
    "query-heads-counted",
    hint="You count a key for each query head, or make a shared one wider. Which heads are stored "
    "where several queries share one, and how wide is each?",
)
values_forgotten = partial(
    Misconception,
    "values-forgotten",
    hint="This is half of it. What is kept besides the keys, and how many bytes has a number?",
)
queries_cached = partial(
    Misconception,
    "queries-cached",
    hint="You keep queries in the cache. Which later token asks with an old query?",
)
one_layer_or_text = partial(
    Misconception,
    "one-layer-or-text",
    hint="You count one layer, or one text of the batch. Can it use the keys of another one?",
)
number_width_mistaken = partial(
    Misconception,
    "number-width-mistaken",
    hint="Your count does not fit the width of a number. How many bits has one here, how many "
    "bytes are they, and how many different keys has a layer for a token?",
)
unit_mistaken = partial(
    Misconception,
    "unit-mistaken",
    hint="You have counted rightly, in another unit than the one asked for. How many bits make a "
    "byte, and how many bytes a KiB?",
)
