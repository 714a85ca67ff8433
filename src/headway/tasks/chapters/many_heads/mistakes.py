"""Mistakes that are made in several tasks of the chapter.

Each is called with the wrong answers that make it in a task.
"""

from collections.abc import Callable

from headway.tasks.engine.mistakes import Misconception


def _shared(name: str, hint: str) -> Callable[..., Misconception]:
    return Misconception(name, None, hint).by


# --- cutting and joining ---------------------------------------------------------------------

view_without_transpose = _shared(
    "view-without-transpose",
    "The shapes are right and the numbers are not. A view reads on in the order in which numbers "
    "lie in memory, and here it brings together what does not belong together. In which order do "
    "the axes have to stand when one of them is cut, or two are joined?",
)
view_both_ways = _shared(
    "view-both-ways",
    "Your way out of the heads undoes your way in, and yet a head of yours holds whole tokens in "
    "place of some columns of every token. With a causal mask, change the last token: may an "
    "earlier output change with it?",
)
interleaved = _shared(
    "interleaved",
    "Your heads take turns, number by number. Here the numbers of a head stand next to each other, "
    "wherever all heads stand in one row. Which of the two axes has to run slower when a row is "
    "cut or put together?",
)
heads_after_time = _shared(
    "heads-after-time",
    "Your heads stand behind the time: for each token you have its heads. A product over the last "
    "two axes lets the heads of one token look at each other. What should stand right behind the "
    "batch?",
)
wrong_axes_exchanged = _shared(
    "wrong-axes-exchanged",
    "Two axes have changed places that should have stayed as they were. Say what each axis counts, "
    "step by step: where does it stop being what is asked for?",
)
not_merged = _shared(
    "not-merged",
    "Head and column are still two axes. How many numbers belong to one token when it leaves the "
    "layer, and along which axis do they stand?",
)
heads_added = _shared(
    "heads-added",
    "Your heads end up as one, as if they were added to each other or averaged: no more numbers "
    "are left than a single head has. Can anyone tell afterwards which head said what?",
)
heads_swapped = _shared(
    "heads-swapped",
    "Your heads have changed places: one uses, or writes to, what belongs to another. Which "
    "weights, which columns and which place in the output belong to the first head?",
)
heads_of_full_width = _shared(
    "heads-of-full-width",
    "You give each head the full width, as many columns as the model has. How wide is one head, if "
    "all heads share the columns?",
)
width_not_checked = _shared(
    "width-not-checked",
    "All is right but for a width that does not divide. There nothing is raised in time, or "
    "another error than the one asked for. When can the mistake be known, and what should happen?",
)

# --- a fused projection ----------------------------------------------------------------------

thirds_in_another_order = _shared(
    "thirds-in-another-order",
    "Queries, keys and values have changed places with each other. In which order do the three "
    "stand in a fused matrix?",
)
thirds_mixed_up = _shared(
    "thirds-mixed-up",
    "Each of your three parts holds numbers of queries, keys and values: you cut the fused columns "
    "in another order than the one they are laid out in. What does the first third of them hold?",
)
matrix_transposed = _shared(
    "matrix-transposed",
    "At least one of your matrices is turned over: it is the transpose of what belongs there. "
    "Which of its two axes has to meet the numbers that go in, and which gives those that come "
    "out?",
)
output_forgotten = _shared(
    "output-forgotten",
    "The last matrix is left out: what the heads bring back only stands side by side. What mixes "
    "it, and does a layer with a single head have that too?",
)

# --- looking ---------------------------------------------------------------------------------

one_map_for_all_heads = _shared(
    "one-map-for-all-heads",
    "All of your heads share one map of weights, so that each looks exactly where the others do. "
    "What does one have several heads for?",
)
memory_ignored = _shared(
    "memory-ignored",
    "Your tokens look at each other even where there is a memory. Where do keys and values come "
    "from, and how many tokens are looked at?",
)
memory_asks = _shared(
    "memory-asks",
    "Your result has a row for each token of the memory. Who asks, and who is asked?",
)
mask_ignored = _shared(
    "mask-ignored",
    "Right without a mask. With one, your result is the same as without. Where should it come in?",
)
mask_inverted = _shared(
    "mask-inverted",
    "Right without a mask. With one, you look exactly where it is forbidden. What does True mean "
    "in a mask of this book, and what does it mean to torch?",
)
hidden_tokens_get_weight = _shared(
    "hidden-tokens-get-weight",
    "Right without a mask. With one, hidden tokens still get weight, because their scores are "
    "numbers like any other. What is e to the power of such a score?",
)
scores_too_small = _shared(
    "scores-too-small",
    "Your weights are spread: others than the one that is meant get something too, which tells "
    "most where there are many. What makes a softmax nearly hard?",
)
attention_suspected = _shared(
    "attention-suspected",
    "Inside each head of the listing all is right: the scores, the mask, weights that add up to "
    "one, and the mixtures. In which order do the axes of the mixtures stand, and which order is "
    "read afterwards?",
)
