"""What comes out of a translator that was trained or used in a wrong way, told from its texts.

A network that has learned the wrong thing says its own words, never those of another one; what
tells the mistake is how its texts fail. The limits lie between what was measured with ten seeds.
"""

import re
from collections import Counter
from collections.abc import Container, Sequence

import numpy as np

STUCK = "one word, or a few in a circle"
ONE_FOR_ALL = "one text for all"
ANOTHER_ORDER = "the right words in another order"
NEARLY = "half of the texts exact, or right until they run on"
WORDS_MISTAKEN = "sentences of the right length with other words"
CUT = "a beginning or an end of what is right"
SOME_EMPTY = "empty texts among others"
SHUFFLED = "the right texts in another order"
SPELLED = "the right texts but for spaces and special symbols"
REMEMBERED = "translations of known sentences"
ELSE = "another way"

NEARLY_ALL, MOST, SOME = 0.95, 0.5, 0.12
MOSTLY_CUT, SEVERAL = 0.8, 0.05
LONG = 10  # words; few right translations are as long


def behavior_of(texts: Sequence[str], truth: Sequence[str], known: Container[str]) -> str:
    """How texts fail.

    Args:
        known: the translations that stand in the notebook.
    """
    said, right = ([words_of(text) for text in side] for side in (texts, truth))
    if np.mean([len(words) >= LONG and len(set(words[1:])) == 1 for words in said]) >= NEARLY_ALL:
        return STUCK
    if Counter(texts).most_common(1)[0][1] >= NEARLY_ALL * len(texts):
        return ONE_FOR_ALL
    pairs = [pair for pair in zip(said, right, strict=True) if pair[0] != pair[1]]
    exact = 1 - len(pairs) / len(texts)
    if exact >= NEARLY_ALL:
        return SPELLED
    if exact < MOST and (Counter(texts) & Counter(truth)).total() >= NEARLY_ALL * len(texts):
        return SHUFFLED
    if exact < SOME and np.mean([text in known for text in texts]) >= NEARLY_ALL:
        return REMEMBERED
    if np.mean([_is_cut(*pair) for pair in pairs]) >= MOSTLY_CUT:
        return CUT
    if exact < MOST and np.mean([not text for text in texts]) >= SEVERAL:
        return SOME_EMPTY
    if np.mean([sorted(mine) == sorted(theirs) for mine, theirs in pairs]) >= SOME:
        return ANOTHER_ORDER
    if exact >= MOST or np.mean([_runs_on(*pair) for pair in pairs]) >= MOST:
        return NEARLY
    if np.mean([_in_a_circle(words) for words in said]) >= MOST:
        return STUCK
    lengths = sum(map(len, said)) / sum(map(len, right))
    common = np.mean([_common(*pair) for pair in zip(said, right, strict=True)])
    return WORDS_MISTAKEN if 0.75 < lengths < 1.25 and common > 1 / 5 else ELSE


def words_of(text: str) -> list[str]:
    """The words, however they are spelled, without special symbols: j'aime <end> → j' aime."""
    return re.sub("<[^<>]*>", " ", text).replace("'", "' ").split()


def _is_cut(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    n = len(mine)
    return bool(mine) and mine in (theirs[:n], theirs[-n:])


def _in_a_circle(words: Sequence[str]) -> bool:
    """Whether a text goes on for long with few words, as nobody's translation does."""
    return len(words) >= LONG and len(set(words)) <= len(words) / 2


def _runs_on(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether a text has most of what is right at its beginning, and does not end in time."""
    same = sum(a == b for a, b in zip(mine, theirs, strict=False))
    return len(mine) > len(theirs) and same >= 2 / 3 * len(theirs)


def _common(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """The share of the right words that a text has, wherever they stand."""
    return sum((Counter(mine) & Counter(theirs)).values()) / len(theirs)
