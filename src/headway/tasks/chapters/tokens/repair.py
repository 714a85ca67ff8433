"""Debug: WordPiece's encoder, which does not look for all of its long tokens."""

from collections.abc import Sequence

import numpy as np

from headway.tasks.chapters.tokens.mistakes import END_OF_THE_WORD
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def word_pieces(word, vocabulary):
    """The longest token that the rest of the word begins with, again and again."""
    longest = len(max(vocabulary, key=len))
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if tokens else ""
        for end in range(min(start + longest, len(word)), start, -1):
            if mark + word[start:end] in vocabulary:
                break
        else:
            return ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens


LONGEST = "len(max(vocabulary, key=len))"
# The faulty function that the notebook hands out.
(given_word_pieces,) = changed(word_pieces, LONGEST, "len(max(vocabulary))")


def piece_cases(rng: np.random.Generator) -> list[Case]:
    def shuffled(*tokens: str) -> list[str]:
        return [tokens[i] for i in rng.permutation(len(tokens))]

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
            "a long token at the start and a long one behind it",
            "abcdefz",
            ["abc", "ab", "##def", "##de", *singles],
            core=True,
        ),
        case(
            "a word that only a long token begins",
            "abcz",
            ["abc", "d", "z", "##z", "##b"],
        ),
        case("few tokens, one of them long", "abcdefga", ["abcdefg", "##a", "zz"]),
        case(
            "the longest token is a continuation",
            "aabcdefgz",
            ["a", "z", "ab", "##abcdefg", "##ab", "##c", *singles[2:]],
        ),
        case(
            "two splits, of which the longest match comes to the longer list",
            "abcde",
            ["abc", "ab", "##cde", *singles],
        ),
        case("a part that is not there", "abcab", ["abc", "ab", "##b", "zz"]),
        case("the longest match leads nowhere", "abcd", ["abc", "ab", "##cd", "zz"]),
        case("a continuation at the start", "bca", ["##bc", "##a", "b", "##c", "zzz"]),
        case("no letters", "", ["abc", "z"]),
    ]


MATCH, UNKNOWN = "range(min(start + longest, len(word)), start, -1)", 'return ["[UNK]"]'


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


repair_task = Task(
    id="05-tokens/repair",
    title="Repair WordPiece's encoder",
    kind="debug",
    points=2,
    minutes=10,
    answer="word_pieces",
    cases=piece_cases,
    reference=word_pieces,
    given=given_word_pieces,
    misconceptions=(
        Misconception(
            "another-limit-for-the-longest",
            any_of(
                changed(
                    word_pieces,
                    LONGEST,
                    "len(max(vocabulary)) + 1",
                    "len(max(vocabulary)) + 2",
                    "len(min(vocabulary))",
                    "len(vocabulary)",
                    "len(vocabulary[0])",
                    "len(vocabulary[-1])",
                    "3",
                    "5",
                    "len(max((t for t in vocabulary if t[0] != '#'), key=len))",
                    "len(max(vocabulary, key=len)) - 2",
                ),
            ),
            "Your limit is another number, which is enough for some vocabularies and not for all. "
            "What must it be the length of, whichever mark that token has?",
        ),
        Misconception(
            "shortest-first",
            changed(
                word_pieces,
                MATCH,
                "range(start + 1, min(start + longest, len(word)) + 1)",
            ),
            "Yours takes the shortest token that fits. With which end should the search begin?",
        ),
        END_OF_THE_WORD.by(
            changed(
                word_pieces,
                MATCH,
                "range(min(start + longest, len(word)) - 1, start, -1)",
                "range(min(start + longest, len(word) - 1), start, -1)",
            ),
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
            "Where a part is not found, yours keeps other tokens of the word, or gives nothing. "
            "What does the text ask for?",
        ),
        Misconception(
            "goes-back",
            any_of(_with_going_back, _fewest),
            "Yours finds a way where the longest match comes to a dead end, or a shorter list. "
            "Does the rule of the text ever take back a token?",
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
            "A token at the start of the word is looked for or written with the mark of a "
            "continuation, or a continuation without. Which tokens have it?",
        ),
    ),
    compare=equal(),
)
