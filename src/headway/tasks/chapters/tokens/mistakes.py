"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# What is counted

OVERLAP_NOT_COUNTED = SharedMisconception(
    "overlap-not-counted",
    "Where a symbol comes three times or more in a row, you count a pair less often than the text "
    "says. At how many places does a pair begin there?",
)
TIMES_IGNORED = SharedMisconception(
    "times-ignored",
    "You count pairs as if every word occurred once. What does the number next to a word say about "
    "its pairs?",
)
ONCE_A_WORD = SharedMisconception(
    "counted-once-a-word",
    "You count a pair that occurs twice in a word like one that occurs there once. How many times "
    "would its merge shorten the word?",
)
ACROSS_BORDERS = SharedMisconception(
    "across-borders",
    "The end of one word meets the beginning of the next in yours. May a token hold a part of "
    "both?",
)
ORDER_OF_PAIR_LOST = SharedMisconception(
    "order-of-the-pair-lost",
    "You take a pair for its mirror image, or both for one. Do h a and a h make the same text?",
)

SYMBOLS_MISCOUNTED = SharedMisconception(
    "symbols-miscounted",
    "The number of symbols after the merges is off. Which pairs are merged, and how many symbols "
    "go and come each time?",
)

# Which pair is chosen

EQUALS_IN_ANOTHER_ORDER = SharedMisconception(
    "equals-in-another-order",
    "Of equally frequent pairs, you put another one first than the text does. Which order does it "
    "give them?",
)
IDS_AS_TEXT = SharedMisconception(
    "ids-as-text",
    "You treat ids as text: 10 comes before 9, or the digits of a pair are found in other ids. "
    "What tells where an id ends?",
)
RAREST_FIRST = SharedMisconception(
    "not-the-most-frequent-first",
    "The most frequent pair isn't at the top of yours, or isn't merged first. Which merge makes a "
    "text shorter?",
)
COUNTS_AFTER_THE_MERGE = SharedMisconception(
    "counts-after-the-merge",
    "Your counts after a merge are not those of the text that it leaves. Which pairs has the merge "
    "made, and which are gone?",
)

# How a pair is merged

FIRST_PLACE_ONLY = SharedMisconception(
    "first-place-only",
    "You merge a pair at one place only. What about the other places where it occurs?",
)
FROM_THE_RIGHT = SharedMisconception(
    "merged-from-the-right",
    "In a row of three equal symbols you merge the last two. From which side does the text go?",
)
END_OF_THE_WORD = SharedMisconception(
    "end-of-the-word",
    "At the end of the word, something is lost, doubled or not found. Which neighbor does the last "
    "symbol have, and where does your loop stop?",
)
EMPTY_OR_SINGLE = SharedMisconception(
    "empty-or-single",
    "Where there is nothing, or a single symbol or piece, yours fails or gives the wrong thing. "
    "What should come out there?",
)
NEW_SYMBOL = SharedMisconception(
    "ids-of-new-symbols",
    "Your new symbols have other ids than in the text, or you count them from another start. Which "
    "id does the first merge make, and which the last?",
)

MERGES_OF_MERGES = SharedMisconception(
    "merges-of-merges",
    "In the text merges build on merges; in yours they do not, or to another depth. What may the "
    "two symbols of a pair be?",
)

# Which merge comes first in encoding

LONGEST_FIRST = SharedMisconception(
    "longest-match",
    "Yours takes the longest token that fits, from the left. Which merge comes first, and what "
    "does it leave of that token's letters?",
)
NOT_AS_LEARNED = SharedMisconception(
    "not-in-the-order-of-learning",
    "Where two merges want the same symbol, yours does not make the one first that was learned "
    "first. Which pairs are left once that one is made?",
)
JOINED_WHOLE = SharedMisconception(
    "joined-text-for-pair",
    "Yours goes by the joined text of two neighbors. From which pair was a token learned, and what "
    "if two merges make the same text?",
)
LONGEST_CUT_SHORT = SharedMisconception(
    "longest-cut-short",
    "Yours looks no further than some number of letters, which is not enough for every vocabulary. "
    "How long may a token be?",
)

# Bytes and letters

OTHER_BYTES = SharedMisconception(
    "other-bytes-than-utf-8",
    "Letters beyond the English ones have other bytes in yours than in UTF-8. How many bytes do é, "
    "€ and 🙂 take?",
)
DECODED_ONE_BY_ONE = SharedMisconception(
    "decoded-token-by-token",
    "Each of your tokens becomes text by itself. What if the two bytes of an é are in two tokens?",
)
INVALID_BYTES = SharedMisconception(
    "invalid-bytes",
    "Where bytes are no UTF-8, yours raises, drops them, or shows another sign than the one asked "
    "for. A model may write any ids: what should a reader see then?",
)
NO_TOKEN = SharedMisconception(
    "ids-without-a-token",
    "Where an id belongs to no token, yours raises or shows another sign than the one asked for. "
    "Which ids does your table have, and what should a reader see for the others?",
)
SPACES_CHANGED = SharedMisconception(
    "spaces-changed",
    "Your spaces are not those of the text: some are lost or added, or are in other tokens. Which "
    "piece does the space before a word belong to?",
)

# Results

TOO_DEEP = SharedMisconception(
    "calls-in-calls",
    "Yours calls itself, and gives up where thousands of merges or pieces build on each other. In "
    "which order could you compute the same with a loop?",
)
REVERSED = SharedMisconception(
    "parts-in-another-order",
    "You return the right parts in another order. Which one comes first, and where did you begin "
    "to collect them?",
)
ANOTHER_RESULT = SharedMisconception(
    "another-kind-of-result",
    "Your code may know the answer, but it returns something else, or in another form. What does "
    "the docstring ask for?",
)
