"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# What is counted

OVERLAP_NOT_COUNTED = Mistake(
    "overlap-not-counted",
    "Where one symbol stands three times or more in a row, you count a pair less often than the "
    "text says. At how many places does a pair begin there?",
)
TIMES_IGNORED = Mistake(
    "times-ignored",
    "Your counts are right for a text in which every word stands once. What does the number beside "
    "a word say about its pairs?",
)
ONCE_A_WORD = Mistake(
    "counted-once-a-word",
    "A pair that stands twice in a word is counted like one that stands there once. How many "
    "times would its merge shorten the word?",
)
ACROSS_BORDERS = Mistake(
    "across-borders",
    "The end of one word meets the beginning of the next in yours. May a token hold a part of both?",
)
ORDER_OF_PAIR_LOST = Mistake(
    "order-of-the-pair-lost",
    "You treat a pair and the same pair the other way round as one. Does h a stand for the same "
    "text as a h?",
)

# Which pair is chosen

FIRST_SEEN_OF_EQUALS = Mistake(
    "first-seen-of-equals",
    "Of pairs that stand equally often, yours are in the order in which they were met, or met last. "
    "Which order does the text state for them?",
)
GREATEST_OF_EQUALS = Mistake(
    "greatest-of-equals",
    "Of pairs that stand equally often you put the greater one first, on the left side, on the "
    "right side or on both. Which one does the text put first?",
)
COMPARED_AS_TEXT = Mistake(
    "ids-compared-as-text",
    "Your ids are in alphabetical order: 10 comes before 9. Are they numbers or text where you "
    "compare them?",
)
RAREST_FIRST = Mistake(
    "rarest-first",
    "Yours begins with the pair that stands least often. Which merge makes a text shorter?",
)
COUNTS_OF_THE_START = Mistake(
    "counts-of-the-start",
    "You count once, before the first merge, and merge by that list. Which pairs are there after "
    "it that were not there before, and which are gone?",
)
MERGED_ON_AND_ON = Mistake(
    "merged-on-and-on",
    "Your training goes on where no pair stands twice any more, or goes on too long by some rule "
    "of its own. What does a merge save there?",
)
STOPPED_EARLY = Mistake(
    "stopped-early",
    "Your list of merges ends before it must: a pair that is left stands twice in the text, or "
    "fewer merges were made than asked for. How often must a pair stand to be merged?",
)
MERGES_MISCOUNTED = Mistake(
    "merges-miscounted",
    "The number that is given counts merges. Are the bytes among them in yours, or was the first "
    "or last one lost?",
)

# How a pair is merged

ALL_AT_ONCE = Mistake(
    "all-pairs-at-once",
    "You merge several kinds of pairs in one pass, and where they compete, chance or the place "
    "decides. Which of them would have been merged first, and is the other still there then?",
)
FIRST_PLACE_ONLY = Mistake(
    "first-place-only",
    "You merge a pair at one place only. What about the other places where it stands?",
)
FROM_THE_RIGHT = Mistake(
    "merged-from-the-right",
    "In a row of three equal symbols you merge the last two. From which side does the text go?",
)
REVERSED_PAIR_MERGED = Mistake(
    "reversed-pair-merged",
    "You also merge the two symbols where they stand the other way round. Which text would the new "
    "symbol stand for?",
)
SYMBOL_USED_TWICE = Mistake(
    "symbol-used-twice",
    "A symbol that was merged is used once more: it is part of two new symbols, or stands beside "
    "them. How far do you go on after a merge?",
)
MERGED_AGAIN = Mistake(
    "merged-again",
    "You go on where a merge has made the pair anew, with a new symbol in it. One pass from left "
    "to right is asked: does it look back?",
)
LAST_SYMBOL = Mistake(
    "end-of-the-word",
    "At the end of the word something is lost, is doubled, or is not merged. Which neighbor does "
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
FREQUENT_FIRST = Mistake(
    "most-frequent-first",
    "Yours merges what stands most often in the text at hand. The list was learned on another text: "
    "what does its order say?",
)
PLACE_FOR_RANK = Mistake(
    "place-for-rank",
    "Yours merges the first pair from the left or the right that is in the list at all. Of two "
    "merges that both fit, which was learned first?",
)
RANKS_REVERSED = Mistake(
    "latest-merge-first",
    "Yours begins with the merges that were learned last. On what would they build, if the first "
    "ones have not been made?",
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

# Bytes and letters

CODE_POINTS = Mistake(
    "code-points-for-bytes",
    "You count or number letters, not bytes. As long as all letters are plain English ones, the two "
    "are the same. How many bytes has an é, and what are they?",
)
DECODED_ONE_BY_ONE = Mistake(
    "decoded-token-by-token",
    "Each of your tokens becomes text by itself. What if the two bytes of an é stand in two tokens?",
)
ONE_LEVEL = Mistake(
    "one-level-undone",
    "You undo one merge, or a few. What if the two parts of a token were merged themselves?",
)
TOO_DEEP = Mistake(
    "nested-too-deep",
    "Yours follows a token into its parts by calling itself, and gives up where thousands of merges "
    "build on each other. Which tokens are known already when a merge makes a new one?",
)
INVALID_REFUSED = Mistake(
    "invalid-bytes-refused",
    "Yours raises where the bytes are no UTF-8. A model may write any ids: what is to be shown for "
    "them?",
)
INVALID_DROPPED = Mistake(
    "invalid-bytes-dropped",
    "Bytes that are no UTF-8 leave no trace in yours, or another sign than the one that is asked "
    "for. How does a reader see that something was there?",
)
SPACES_CHANGED = Mistake(
    "spaces-changed",
    "Your spaces are not those of the text: some are lost or added, or stand in other tokens. To "
    "which piece does the space before a word belong, and what joins pieces again?",
)

# Splits

TOKENS_FOR_BITS = Mistake(
    "few-tokens-for-few-bits",
    "Yours prefers what has the fewest tokens. Does each of them cost the same?",
)
