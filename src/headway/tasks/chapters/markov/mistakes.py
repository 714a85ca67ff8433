"""Mistakes of several tasks of this assignment; each task gives them its own wrong answers."""

from functools import partial

from headway.tasks.engine.mistakes import Misconception

# Boundaries

end_missing = partial(
    Misconception,
    "end-missing",
    hint="The end of a sentence is missing in yours, or is there less often than a sentence ends. "
    "What comes after a last word?",
)
start_missing = partial(
    Misconception,
    "start-missing",
    hint="The start of a sentence is missing in yours, if not everywhere. What stands before a "
    "first word, and what can be known about it then?",
)
boundaries_left_out = partial(
    Misconception,
    "boundaries-left-out",
    hint="You have words only, and no boundaries. What comes before the first word of a sentence, "
    "and what follows the last?",
)
boundary_twice = partial(
    Misconception,
    "boundary-counted-twice",
    hint="You count more boundaries than are predicted. How often is a boundary predicted in a "
    "sentence: before its first word, after its last, or both?",
)
end_not_in_the_total = partial(
    Misconception,
    "end-not-in-the-total",
    hint="The ends are in what you divide, and not in the number that you divide by. How many "
    "predictions does a sentence of three words make?",
)
across_boundaries = partial(
    Misconception,
    "counts-across-boundaries",
    hint="One sentence runs into the next in yours: first words follow words of the sentence "
    "before. What stands before the first word of a sentence?",
)

# Shares

rows_for_columns = partial(
    Misconception,
    "rows-for-columns",
    hint="Rows and columns have changed places in yours, what comes before and what comes next. "
    "Which of the two is a row of the table about, and what are its numbers?",
)
another_total = partial(
    Misconception,
    "divided-by-another-total",
    hint="You divide by a number that is not the total of this context. How often was something "
    "counted after it, and what should its shares sum to?",
)
counts_for_probabilities = partial(
    Misconception,
    "counts-for-probabilities",
    hint="You use counts where probabilities are asked for. What must the numbers of a "
    "distribution sum to?",
)
context_ignored = partial(
    Misconception,
    "context-ignored",
    hint="In yours it makes no difference which word has just been said. What do you know about "
    "the next word, once you know it?",
)
how_often_ignored = partial(
    Misconception,
    "how-often-ignored",
    hint="In yours it does not matter, or matters too little, how often something was seen. Is "
    "what was seen nine times not more likely than what was seen once?",
)
most_likely_only = partial(
    Misconception,
    "most-likely-only",
    hint="The most frequent symbol is the only one that can come next in yours. What about the "
    "others that were counted there?",
)
not_smoothed = partial(
    Misconception,
    "not-smoothed",
    hint="What was never counted has probability 0 in yours: nothing was smoothed. What would the "
    "perplexity of a sentence be that holds it?",
)
one_for_any_smoothing = partial(
    Misconception,
    "one-for-any-smoothing",
    hint="You add one to every count. Which amount is asked for, or would fit? Think of a row in "
    "which little was counted: how much of it do the ones take?",
)
added_to_probabilities = partial(
    Misconception,
    "added-to-probabilities",
    hint="You add to probabilities, which summed to one before. What do they sum to now?",
)

# Contexts

first_words_for_last = partial(
    Misconception,
    "first-words-for-last",
    hint="You look at the first words of what you are given. Which of its words come right before "
    "the next one?",
)
whole_prefix = partial(
    Misconception,
    "whole-prefix-as-context",
    hint="All words that were said so far count in yours. How many words back does a chain look, "
    "and which word says most about the next one?",
)

# Means and logarithms

bases_mixed = partial(
    Misconception,
    "bases-mixed",
    hint="You take logarithms to one base, and undo them by powers of another. What is e to the "
    "power of ln 3, and what is 2 to that power?",
)
mean_left_out = partial(
    Misconception,
    "mean-left-out",
    hint="This is made of the probability of all the text, and grows or shrinks with each word. "
    "How many predictions is it, and would a text of twice the length have the same perplexity?",
)
mean_of_probabilities = partial(
    Misconception,
    "mean-of-probabilities",
    hint="You average the probabilities, or one over each of them. A perplexity takes the mean of "
    "something else: what is added up when probabilities are multiplied?",
)
sign_mistaken = partial(
    Misconception,
    "sign-mistaken",
    hint="A sign is lost, or stands in the wrong place. Which sign has the logarithm of a "
    "probability, and can a perplexity lie below 1?",
)
pair_swapped = partial(
    Misconception,
    "pair-swapped",
    hint="Both numbers are right, in the other order. Which one is asked for first?",
)
