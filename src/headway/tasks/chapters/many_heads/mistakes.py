"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# Cutting and joining

VIEW_WITHOUT_TRANSPOSE = Mistake(
    "view-without-transpose",
    "The shapes are right and the numbers are not. A view reads on in the order in which numbers "
    "lie in memory, and here it brings together what does not belong together. In which order do "
    "the axes have to stand when one of them is cut, or two are joined?",
)
VIEW_BOTH_WAYS = Mistake(
    "view-both-ways",
    "Your way out of the heads undoes your way in, and yet a head of yours holds whole tokens in "
    "place of some columns of every token. With a causal mask, change the last token: may an "
    "earlier output change with it?",
)
HEADS_INTERLEAVED = Mistake(
    "heads-interleaved",
    "Your heads take turns, number by number. Here the numbers of a head stand next to each other, "
    "wherever all heads stand in one row. Which of the two axes has to run slower when a row is "
    "cut or put together?",
)
HEADS_AFTER_TIME = Mistake(
    "heads-after-time",
    "Your heads stand behind the time: for each token you have its heads. A product over the last "
    "two axes lets the heads of one token look at each other. What should stand right behind the "
    "batch?",
)
WRONG_AXES_EXCHANGED = Mistake(
    "wrong-axes-exchanged",
    "Two axes have changed places that should have stayed as they were. Say what each axis counts, "
    "step by step: where does it stop being what is asked for?",
)
NOT_MERGED = Mistake(
    "not-merged",
    "Head and column are still two axes, or your heads stand behind each other in time. How many "
    "numbers belong to one token when it leaves the layer, and along which axis do they stand?",
)
HEADS_ADDED = Mistake(
    "heads-added",
    "Your heads end up as one, as if they were added to each other or averaged: no more numbers "
    "are left than a single head has. Can anyone tell afterwards which head said what?",
)
HEADS_SWAPPED = Mistake(
    "heads-swapped",
    "Your heads have changed places: one uses, or writes to, what belongs to another. Which "
    "weights, which columns and which place in the output belong to the first head?",
)
HEADS_OF_ANOTHER_WIDTH = Mistake(
    "heads-of-another-width",
    "Your heads are too wide or too narrow: each has all the columns, there is only one, or the "
    "number of heads and their width have changed places. How wide is one of H heads that share C "
    "columns?",
)
VIEW_REFUSED = Mistake(
    "view-refused",
    "Your code raises where there are several heads and several tokens. After two axes have "
    "changed places, do numbers still lie in memory in the order of the axes, and what does a view "
    "need of them?",
)
OPEN_LENGTH = Mistake(
    "open-length",
    "This is right but where there is no token at all. There a length that you leave open, a −1, "
    "could be anything. Which number is it, and is it known without counting what is there?",
)
WIDTH_NOT_CHECKED = Mistake(
    "width-not-checked",
    "All is right but for a width that does not divide. There nothing is raised in time, or "
    "another error than the one asked for. When can the mistake be known, and what should happen?",
)

# Matrices

MATRIX_TRANSPOSED = Mistake(
    "matrix-transposed",
    "At least one of your matrices is the transpose of what belongs there. Which of its two axes "
    "has to meet the numbers that go in, and which gives those that come out?",
)
OUTPUT_FORGOTTEN = Mistake(
    "output-forgotten",
    "The last layer is left out, or its bias is. What mixes what the heads bring back, what is "
    "added to it where there are biases, and does a layer with a single head have that too?",
)

# Looking

ONE_MAP_FOR_ALL_HEADS = Mistake(
    "one-map-for-all-heads",
    "All of your heads share one map of weights, so that each looks exactly where the others do. "
    "What does one have several heads for?",
)
SELF_ATTENTION_FOR_CROSS_ATTENTION = Mistake(
    "self-attention-for-cross-attention",
    "Your tokens look at each other even where there is a memory. Where do keys and values come "
    "from, and how many tokens are looked at?",
)
MEMORY_ASKS = Mistake(
    "memory-asks",
    "Your weights or your result have a row for each token of the memory. Who asks, and who is "
    "asked?",
)
MASK_IGNORED = Mistake(
    "mask-ignored",
    "This is right without a mask. With one, or with one beside a memory, your result is the same "
    "as without. Where should it come in?",
)
MASK_INVERTED = Mistake(
    "mask-inverted",
    "This is right without a mask. With one, you look exactly where it is forbidden: what does "
    "True mean in a mask of this book?",
)
SCORES_TOO_SMALL = Mistake(
    "scores-too-small",
    "Your weights are spread: others than the one that is meant get something too, which tells "
    "most where there are many. What makes a softmax nearly hard?",
)
INFINITE_SCORES = Mistake(
    "infinite-scores",
    "Some of your numbers are infinite where finite ones are asked for: zero times infinity, for "
    "one, is not a number. How large do they have to be?",
)
LENGTHS_FOR_SQUARES = Mistake(
    "lengths-for-squares",
    "You compare lengths: roots have been taken, or no squares. What does the square in the name "
    "say?",
)
ATTENTION_SUSPECTED = Mistake(
    "attention-suspected",
    "Inside each head of the listing all is right: the scores, the mask, weights that add up to "
    "one, and the mixtures. In which order do the axes of the mixtures stand, and which order is "
    "read afterwards?",
)
