"""Build: from a text to ids, the merge that was learned first goes first."""

from collections import Counter
from itertools import pairwise, permutations

import numpy as np

from headway.tasks.chapters.tokens.merge import merge
from headway.tasks.chapters.tokens.mistakes import (
    ACROSS_BORDERS,
    ANOTHER_RESULT,
    EMPTY_OR_SINGLE,
    FROM_THE_RIGHT,
    JOINED_WHOLE,
    LONGEST_FIRST,
    MERGES_OF_MERGES,
    NEW_SYMBOL,
    NOT_AS_LEARNED,
    OTHER_BYTES,
    SPACES_CHANGED,
)
from headway.tasks.chapters.tokens.words import BYTES, draw_texts, learn, words_of
from headway.tasks.engine.compare import equal
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import changed
from headway.tasks.engine.task import Case, Task
from headway.text.pieces import pieces


def encode(text, merges):
    """The ids of a text: in each piece, the merges in the order in which they were learned."""
    ranks, encoded = {tuple(pair): rank for rank, pair in enumerate(merges)}, []
    for piece in pieces(text):
        ids = list(piece.encode())
        while known := [pair for pair in pairwise(ids) if pair in ranks]:
            first = min(known, key=ranks.get)
            ids = merge(ids, first, 256 + ranks[first])
        encoded += ids
    return encoded


def letters_of(merges) -> list[bytes]:
    """What each id stands for, as bytes."""
    tokens = [bytes([byte]) for byte in range(BYTES)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tokens


def _longest(text, merges):
    tokens = letters_of(merges)
    ids_of = {token: i for i, token in reversed(list(enumerate(tokens)))}
    encoded = []
    for piece in pieces(text):
        rest = piece.encode()
        while rest:
            size = next(n for n in range(len(rest), 0, -1) if rest[:n] in ids_of)
            encoded.append(ids_of[rest[:size]])
            rest = rest[size:]
    return encoded


def _most_frequent(text, merges):
    ranks, parts = {tuple(p): r for r, p in enumerate(merges)}, []
    parts = [list(piece.encode()) for piece in pieces(text)]
    while True:
        counts = Counter(p for ids in parts for p in pairwise(ids) if p in ranks)
        if not counts:
            return [i for ids in parts for i in ids]
        best = min(counts, key=lambda pair: (-counts[pair], ranks[pair]))
        parts = [merge(ids, best, 256 + ranks[best]) for ids in parts]


def _joined(text, merges):
    """Merges what together is the text of a token, the first of these tokens first."""
    tokens, encoded = letters_of(merges), []
    ids_of = {token: i for i, token in reversed(list(enumerate(tokens)))}
    for piece in pieces(text):
        ids = list(piece.encode())
        while True:
            made = [ids_of.get(tokens[a] + tokens[b]) for a, b in pairwise(ids)]
            if not any(made):
                break
            new = min(i for i in made if i is not None)
            at = made.index(new)
            ids[at : at + 2] = [new]
        encoded += ids
    return encoded


def _ids_by_text(text, merges):
    """The right merges, and of two tokens with the same text the id of the first."""
    tokens = letters_of(merges)
    return [tokens.index(tokens[i]) for i in encode(text, merges)]


def _in_one_pass(text, merges):
    """From left to right, every pair in the list at once; again until nothing changes."""
    ranks, encoded = {tuple(pair): rank for rank, pair in enumerate(merges)}, []
    for piece in pieces(text):
        ids, before = list(piece.encode()), None
        while ids != before:
            before, ids, rest = ids, [], list(ids)
            while rest:
                rank = ranks.get(tuple(rest[:2])) if len(rest) > 1 else None
                ids.append(rest[0] if rank is None else 256 + rank)
                rest = rest[1:] if rank is None else rest[2:]
        encoded += ids
    return encoded


def _in_one_round(text, merges):
    """Merges bytes in the right order, and no merge of merges: one round over the first pairs."""
    firsts = {k: tuple(pair) for k, pair in enumerate(merges) if max(pair) < BYTES}
    encoded = []
    for piece in pieces(text):
        ids = list(piece.encode())
        for rank, pair in firsts.items():
            ids = merge(ids, pair, BYTES + rank)
        encoded += ids
    return encoded


def _with_a_stack(text, merges):
    """Each byte is merged with what stands before it as long as that is a pair of the list."""
    ranks, encoded = {tuple(pair): 256 + k for k, pair in enumerate(merges)}, []
    for piece in pieces(text):
        ids = []
        for byte in piece.encode():
            ids.append(byte)
            while len(ids) > 1 and tuple(ids[-2:]) in ranks:
                ids[-2:] = [ranks[tuple(ids[-2:])]]
        encoded += ids
    return encoded


FIRST = "min(known, key=ranks.get)"
BY_PLACE = changed(encode, FIRST, "known[0]", "known[-1]", "max(known, key=ranks.get)")
MOST_IN_A_PIECE = changed(encode, FIRST, "max(known, key=known.count)")
SHORTCUTS = _longest, _most_frequent, *MOST_IN_A_PIECE, _in_one_pass, _in_one_round
# What an answer may be right without; each costs an eighth of the points.
ORDER, HARDLY = "which merge is next", "hardly anything"


def encode_cases(rng: np.random.Generator) -> list[Case]:
    def spelled(word, *pairs):
        """A word of small letters drawn anew, and merges of its letters and of merges (A, B, …)."""
        letters = rng.permutation(26)[: len(set(word))] + ord("a")
        ids = dict(zip(sorted(set(word)), map(int, letters), strict=True))
        numbers = ids | {letter: 256 + k for k, letter in enumerate("ABCDEFG")}
        made = [(numbers[left], numbers[right]) for left, right in pairs]
        return "".join(chr(ids[letter]) for letter in word), made

    def telling(text, merges):
        """Whether the order of the merges matters in a text, and most of it is merged."""
        right = encode(text, merges)
        return all(way(text, merges) != right for way in (*SHORTCUTS, *BY_PLACE, _with_a_stack))

    def draw():
        """Two sentences that tell, if any of twelve do, and merges that others were cut by."""
        texts = draw_texts(rng, 42)
        merges = learn(words_of(texts[:30]), 90)
        pairs = map(" ".join, permutations(texts[30:], 2))
        return next((text for text in pairs if telling(text, merges)), ""), merges

    two, merges = draw_until(lambda drawn: drawn[0], draw)
    a, b = (chr(i) for i in rng.permutation(26)[:2] + ord("a"))
    border = [(ord(a), ord(" ")), (ord(" "), ord(b)), (ord(a), ord(b)), (257, ord(a))]
    accents = [(0xC3, 0xA9), (ord(a), 256), (0xF0, 0x9F), (258, 0x99)]
    return [
        Case("two sentences, ninety merges", two, merges, core=True),
        Case("pairs across the borders of pieces", f"{a} {b}{a}, {a}{b}  {b}", border, core=True),
        Case(
            "the first merge takes a letter of a longer token",
            *spelled("abcd", "bc", "ab", "Bc", "Cd"),
            path=ORDER,
        ),
        Case(
            "what is frequent here was learned late",
            *spelled("abcbcbcab", "ab", "bc", "cb"),
            path=ORDER,
        ),
        Case(
            "a pair that is not in the list, though its text is a token",
            *spelled("abc", "bc", "ab", "Bc"),
            path=ORDER,
        ),
        Case(
            "two merges that make the same text",
            *spelled("abcbcab", "bc", "ab", "Bc", "aA"),
            path="ids",
        ),
        Case("a merge that begins further left", *spelled("abc", "ab", "bc"), path=ORDER),
        Case("a merge that begins further right", *spelled("abc", "bc", "aA", "ab"), path=ORDER),
        Case(
            "a merge that is left to the later one",
            *spelled("abcd", "ab", "cd", "Ac"),
            path=ORDER,
        ),
        Case(
            "one letter in a row",
            f"{a * 7} {a * 4}",
            [(ord(a), ord(a)), (256, 256), (ord(" "), 257)],
            path=ORDER,
        ),
        Case("letters of several bytes", f"{a}é é{a} 🙂{b}", accents),
        Case("no merges", f"{a}{b} ß {b}", [], path=HARDLY),
        Case("no text", "", [(ord(a), ord(b))], path=HARDLY),
    ]


encode_task = Task(
    id="05-tokens/encode",
    title="From a text to ids",
    kind="build",
    points=2,
    minutes=12,
    answer="encode",
    cases=encode_cases,
    reference=encode,
    misconceptions=(
        LONGEST_FIRST.by(_longest),
        NOT_AS_LEARNED.by(_most_frequent, MOST_IN_A_PIECE, BY_PLACE, _with_a_stack, _in_one_pass),
        JOINED_WHOLE.by(_joined, _ids_by_text),
        MERGES_OF_MERGES.by(
            changed(encode, "if pair in ranks", "if pair in ranks and max(pair) < 256"),
            changed(encode, "while known :=", "if known :="),
            _in_one_round,
        ),
        ACROSS_BORDERS.by(
            changed(encode, "in pieces(text)", "in [text]"),
            changed(encode, "in pieces(text)", "in text.splitlines()"),
        ),
        SPACES_CHANGED.by(
            changed(
                encode, "in pieces(text)", "in text.split()", "in map(str.strip, pieces(text))"
            ),
            changed(encode, "in pieces(text)", "in __import__('re').findall(r'\\S+|\\s+', text)"),
            lambda text, merges: encode(" ".join(text.split()), merges),
        ),
        OTHER_BYTES.by(
            changed(encode, "list(piece.encode())", "[ord(letter) for letter in piece]"),
            changed(encode, "list(piece.encode())", "list(piece.encode('latin-1', 'replace'))"),
            changed(encode, "list(piece.encode())", "list(piece.encode('ascii', 'ignore'))"),
        ),
        NEW_SYMBOL.by(
            changed(
                encode,
                "256 + ranks[first]",
                "257 + ranks[first]",
                "ranks[first]",
                "255 + ranks[first]",
            ),
        ),
        FROM_THE_RIGHT.by(
            changed(
                encode,
                "merge(ids, first, 256 + ranks[first])",
                "merge(ids[::-1], first[::-1], 256 + ranks[first])[::-1]",
            ),
        ),
        EMPTY_OR_SINGLE.by(
            changed(encode, "encoded += ids", "encoded = ids"),
            changed(encode, "return encoded", "return encoded or None"),
        ),
        ANOTHER_RESULT.by(
            changed(encode, "encoded += ids", "encoded.append(ids)"),
            changed(encode, "encoded += ids", "encoded += [str(i) for i in ids]"),
            lambda text, merges: [
                letters_of(merges)[i].decode("latin-1") for i in encode(text, merges)
            ],
        ),
    ),
    compare=equal(),
)
