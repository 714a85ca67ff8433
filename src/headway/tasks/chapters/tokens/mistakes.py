"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# What is counted

OVERLAP_NOT_COUNTED = Mistake(
    "overlap-not-counted",
    "Where a symbol comes three times or more in a row, you count a pair less often than the text "
    "says. At how many places does a pair begin there?",
)
TIMES_IGNORED = Mistake(
    "times-ignored",
    "Your counts are right for a text in which every word occurs once. What does the number next "
    "to a word say about its pairs?",
)
ONCE_A_WORD = Mistake(
    "counted-once-a-word",
    "You count a pair that occurs twice in a word like one that occurs there once. How many times "
    "would its merge shorten the word?",
)
ACROSS_BORDERS = Mistake(
    "across-borders",
    "The end of one word meets the beginning of the next in yours. May a token hold a part of "
    "both?",
)
ORDER_OF_PAIR_LOST = Mistake(
    "order-of-the-pair-lost",
    "You treat a pair and its mirror image as one. Do h a and a h make the same text?",
)

# Which pair is chosen

FIRST_SEEN_OF_EQUALS = Mistake(
    "first-seen-of-equals",
    "Of equally frequent pairs, yours are in the order in which they were met, or met "
    "last. Which order does the text state for them?",
)
GREATEST_OF_EQUALS = Mistake(
    "greatest-of-equals",
    "Of equally frequent pairs you put the greater one first, on the left side, on the "
    "right side or on both. Which one does the text put first?",
)
IDS_AS_TEXT = Mistake(
    "ids-as-text",
    "You take ids for text: 10 comes before 9, or the digits of a pair are found in other ids. "
    "Where does an id end and the next begin?",
)
RAREST_FIRST = Mistake(
    "not-the-most-frequent-first",
    "The most frequent pair isn't at the top of yours, or isn't merged first. Which merge makes a "
    "text shorter?",
)
COUNTS_OF_THE_START = Mistake(
    "counts-of-the-start",
    "You count before a merge, and take these counts for what is there after it. Which pairs has "
    "the merge made, and which are gone?",
)
MERGED_ON_AND_ON = Mistake(
    "merged-on-and-on",
    "Your training goes on after no pair occurs twice any more, or too long by some rule of its "
    "own. What does a merge save there?",
)

STOPPED_EARLY = Mistake(
    "stopped-early",
    "Your list of merges ends too early: a pair that is left occurs twice in the text. How often "
    "must a pair occur to be merged, and do the bytes count as merges?",
)

# How a pair is merged

ALL_AT_ONCE = Mistake(
    "all-pairs-at-once",
    "Where two merges want the same symbol, yours do not go by the order in which they were "
    "learned. Which of them would have been made first, and is the other pair still there then?",
)
FIRST_PLACE_ONLY = Mistake(
    "first-place-only",
    "You merge a pair at one place only. What about the other places where it occurs?",
)
FROM_THE_RIGHT = Mistake(
    "merged-from-the-right",
    "In a row of three equal symbols you merge the last two. From which side does the text go?",
)
REVERSED_PAIR_MERGED = Mistake(
    "reversed-pair-merged",
    "You also merge the two symbols in reverse order. Which text would the new symbol be?",
)
STEP_AFTER_MERGE = Mistake(
    "step-after-a-merge",
    "After a merge yours goes on at the wrong place: a symbol is used once more, or one is left "
    "out. How many symbols does a pair take up?",
)
MERGED_AGAIN = Mistake(
    "merged-again",
    "You go on where a merge has made the pair anew, with a new symbol in it. One pass from left "
    "to right is asked: does it look back?",
)
END_OF_THE_WORD = Mistake(
    "end-of-the-word",
    "At the end of the word something is lost, is doubled, or is not found. Which neighbor does "
    "the last symbol have, and where does your loop stop?",
)
EMPTY_OR_SINGLE = Mistake(
    "empty-or-single",
    "Where there is nothing, or a single symbol, yours fails or gives something else than what was "
    "there. How many pairs are there in it?",
)
NEW_SYMBOL = Mistake(
    "ids-of-new-symbols",
    "Your new symbols have other ids than the text gives them. Which id does the first merge make, "
    "which the second, and what decides it?",
)

# Which merge comes first in encoding

LONGEST_FIRST = Mistake(
    "longest-match",
    "Yours takes the longest token that fits, from the left. Does the list of merges get to it, or "
    "did an earlier merge use one of its letters?",
)
NOT_AS_LEARNED = Mistake(
    "not-in-the-order-of-learning",
    "Of two merges that both fit, yours makes the one that is further left or right, was learned "
    "later, or is more frequent in the text at hand. What does the order of the list say?",
)
NEW_PAIRS_MISSED = Mistake(
    "new-pairs-missed",
    "Yours merges bytes with bytes, and stops where a merge would need the result of another one, "
    "or stops after some number of merges. Which pairs are there after a merge that were not there "
    "before?",
)
JOINED_WHOLE = Mistake(
    "joined-text-for-pair",
    "Yours merges two neighbors whenever the text of both together is a token. That token was "
    "learned from another pair: is yours in the list?",
)

LONGEST_CUT_SHORT = Mistake(
    "longest-cut-short",
    "Yours looks no further than some number of letters, which is enough for some vocabularies and "
    "not for all. How long may a token be?",
)

# Bytes and letters

CODE_POINTS = Mistake(
    "code-points-for-bytes",
    "You count or number letters, not bytes. As long as all letters are plain English ones, the "
    "two are the same. How many bytes has an é, and what are they?",
)
DECODED_ONE_BY_ONE = Mistake(
    "decoded-token-by-token",
    "Each of your tokens becomes text by itself. What if the two bytes of an é are in two tokens?",
)
ONE_LEVEL = Mistake(
    "one-level-undone",
    "You undo one merge, or a few. What if the two parts of a token were merged themselves?",
)
INVALID_BYTES = Mistake(
    "invalid-bytes",
    "Where bytes are no UTF-8, yours raises, leaves no trace of them, or shows another sign than "
    "the one asked for. A model may write any ids: what is to be shown for them?",
)
SPACES_CHANGED = Mistake(
    "spaces-changed",
    "Your spaces are not those of the text: some are lost or added, or are in other tokens. To "
    "which piece does the space before a word belong, and what joins pieces again?",
)

# Results

TOO_DEEP = Mistake(
    "calls-in-calls",
    "Yours calls itself, one call in another, and gives up where thousands of merges or pieces "
    "build on each other. In which order could the same be computed without?",
)
REVERSED = Mistake(
    "parts-in-another-order",
    "Your parts are those of the text, in another order. Which one comes first, and where did you "
    "begin to collect them?",
)
ANOTHER_RESULT = Mistake(
    "another-kind-of-result",
    "Your code may know the answer, but what it returns is something else, or has another form or "
    "order. What is to be returned, by the docstring?",
)
