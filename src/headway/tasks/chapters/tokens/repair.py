"""Debug: WordPiece's encoder, which does not look for all of its long tokens."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from headway.tasks.chapters.tokens.mistakes import END_OF_THE_WORD, LONGEST_CUT_SHORT
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def word_pieces(word, vocabulary):
    """The longest token that the rest of the word begins with, again and again."""
    known = set(vocabulary)
    tokens, start = [], 0
    while start < len(word):
        mark, end = "##" if tokens else "", len(word)
        while end > start and mark + word[start:end] not in known:
            end -= 1
        if end == start:
            return ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens


def given_word_pieces(word, vocabulary):
    """The faulty function that the notebook hands out."""
    known = set(vocabulary)
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if tokens else ""
        end = start
        for stop in range(start + 1, len(word) + 1):
            if mark + word[start:stop] not in known:
                break
            end = stop
        if end == start:
            return ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens


def piece_cases(rng: np.random.Generator) -> list[Case]:
    def shuffled(first: str, *others: str) -> list[str]:
        """In any order, but the first and the last stay there: where it matters, they are short."""
        *middle, last = others
        return [first, *(middle[i] for i in rng.permutation(len(middle))), last]

    def named(text: str) -> str:
        """A word with other letters, whose order stays: z remains the last of them."""
        return "".join(letters.get(letter, letter) for letter in text)

    drawn = np.sort(rng.permutation(24)[:8]) + ord("a")
    letters = dict(zip("abcdefgz", [*map(chr, drawn[:7]), "z"], strict=True))

    def case(label: str, word: str, tokens: Sequence[str], **kind) -> Case:
        return Case(label, named(word), [named(token) for token in shuffled(*tokens)], **kind)

    singles = [mark + letter for letter in "abcdefgz" for mark in ("", "##")]
    return [
        case(
            "long tokens whose beginnings are no tokens",
            "abcdefgbcdz",
            ["a", "abcdefg", "##bcd", *singles, "ab"],
            core=True,
        ),
        case(
            "a word that only a long token begins",
            "abcdz",
            ["abcd", "d", "z", "##z", "##b"],
            path="long tokens",
        ),
        case(
            "a long continuation that nothing leads to",
            "adefgbz",
            ["a", "ab", "##defgb", "##z", "zz"],
            path="long tokens",
        ),
        case(
            "a token of which all beginnings are tokens",
            "abcdefz",
            ["a", "ab", "abc", "abcd", "abcde", "abcdef", "##b", "##c", "##z"],
            path="beginnings",
        ),
        case(
            "two splits, of which the longest match comes to the longer list",
            "abcde",
            ["abc", "ab", "##cde", *singles],
            path="beginnings",
        ),
        case("a part that is not there", "abcab", ["abc", "ab", "##b", "zz"], path="dead ends"),
        case(
            "the longest match leads nowhere",
            "abcd",
            ["abc", "ab", "##cd", "zz"],
            path="dead ends",
        ),
        case("a continuation at the start", "bca", ["##bc", "##a", "b", "##c", "zzz"]),
        case("no letters", "", ["abc", "z"]),
    ]


DOWN, MATCH = '"##" if tokens else "", len(word)', "mark + word[start:end] not in known"
UNKNOWN = 'return ["[UNK]"]'


def _with_going_back(word, vocabulary, mark=""):
    """The longest match that leads to an end."""
    if not word:
        return []
    for end in range(len(word), 0, -1):
        if mark + word[:end] in vocabulary:
            rest = _with_going_back(word[end:], vocabulary, "##")
            if rest != ["[UNK]"]:
                return [mark + word[:end], *rest]
    return ["[UNK]"]


def _fewest(word, vocabulary):
    """The split with the fewest tokens, wherever it is long."""
    best = {len(word): []}
    for start in range(len(word) - 1, -1, -1):
        mark = "##" if start else ""
        found = [
            [mark + word[start:end], *best[end]]
            for end in range(start + 1, len(word) + 1)
            if end in best and mark + word[start:end] in vocabulary
        ]
        if found:
            best[start] = min(found, key=len)
    return best.get(0, ["[UNK]"])


def _looking_ahead(word, vocabulary, gap, again=True):
    """Grows a token, and jumps over as many letters as `gap` where a longer one is known."""
    tokens, start = [], 0
    while start < len(word):
        mark, end = "##" if tokens else "", start
        jump = gap if again or not tokens else 0
        while True:
            ends = range(end + 1, min(end + 1 + jump, len(word)) + 1)
            longer = [n for n in ends if mark + word[start:n] in vocabulary]
            if not longer:
                break
            end = longer[0]
        if end == start:
            return ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens


def _first_fitting(word, vocabulary, choose=lambda fitting: fitting[0]):
    """The token that comes first among those that fit."""
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if tokens else ""
        ends = range(start + 1, len(word) + 1)
        written = {mark + word[start:end]: end for end in ends}
        fitting = [token for token in vocabulary if token in written]
        if not fitting:
            return ["[UNK]"]
        tokens.append(choose(fitting))
        start = written[tokens[-1]]
    return tokens


repair_task = Task(
    id="05-tokens/repair",
    title="Repair WordPiece's encoder",
    kind="debug",
    points=2,
    minutes=8,
    answer="word_pieces",
    cases=piece_cases,
    reference=word_pieces,
    given=given_word_pieces,
    misconceptions=(
        Misconception(
            "stops-at-a-gap",
            any_of(
                *(partial(_looking_ahead, gap=gap) for gap in (1, 2, 3)),
                partial(_looking_ahead, gap=99, again=False),
            ),
            "Yours finds some long tokens and misses others. If a token is in the vocabulary, must "
            "its first two or three letters be a token?",
        ),
        LONGEST_CUT_SHORT.by(
            any_of(
                changed(
                    word_pieces,
                    DOWN,
                    *(f'"##" if tokens else "", min(start + {limit}, len(word))' for limit in "34"),
                    *(
                        f'"##" if tokens else "", min(start + {limit}, len(word))'
                        for limit in (
                            "len(max(vocabulary))",
                            "len(max((t for t in vocabulary if t[0] == '#'), key=len))",
                            "len(max((t for t in vocabulary if t[0] != '#'), key=len, default=''))",
                            "len(max(vocabulary, key=len)) - 2",
                        )
                    ),
                ),
            ),
        ),
        Misconception(
            "not-the-longest",
            any_of(
                partial(_first_fitting, choose=partial(min, key=len)),
                _first_fitting,
                partial(_first_fitting, choose=lambda fitting: fitting[-1]),
            ),
            "Of the tokens that fit, yours takes the shortest, or one by its place in the list. "
            "Which one is asked for?",
        ),
        END_OF_THE_WORD.by(
            changed(word_pieces, DOWN, '"##" if tokens else "", len(word) - 1'),
        ),
        Misconception(
            "parts-beside-the-unknown",
            changed(
                word_pieces,
                UNKNOWN,
                'return [*tokens, "[UNK]"]',
                "return tokens",
                "return []",
                'tokens.append("[UNK]"); break',
                'tokens.append("[UNK]"); start += 1; continue',
                "start += 1; continue",
            ),
            "Where a part of a word is not found, yours returns other tokens of it, or nothing. "
            "What does the text ask for?",
        ),
        Misconception(
            "goes-back",
            any_of(_with_going_back, _fewest),
            "Yours finds a way out of a dead end, or a shorter list. Does the rule of the text "
            "ever take back a token?",
        ),
        Misconception(
            "marks-misplaced",
            any_of(
                changed(word_pieces, '"##" if tokens else ""', '""'),
                changed(word_pieces, '"##" if tokens else ""', '"##"'),
                changed(word_pieces, "tokens.append(mark + word", "tokens.append(word"),
                changed(
                    word_pieces, '"##" if tokens else ""', '"##" if start + 1 < len(word) else ""'
                ),
            ),
            "The mark of a continuation is at the start of a word, or missing further on. Which "
            "tokens have it?",
        ),
    ),
    compare=equal(),
)
