"""Measure how much answers resemble each other, beyond what everybody writes.

Each run of `PIECE` consecutive tokens of an answer is a *piece*. Pieces that occur in the starter
code, in the course's solution, in the modules that the chapter explains, or in the answers of many
students are left out. For each task, two students have as many pieces alike as the longest common
subsequence of their remaining pieces is long (RapidFuzz). The *share* is the sum over all tasks,
divided by the number of pieces of the student who has fewer: 0 to 1. So adding code to a copy does
not lower it.

The text read, the pieces compared and the pairs returned are limited, so the time is bounded.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from headway.grading.desk.answers import ClassAnswers
from headway.grading.desk.tokens import MOST_TOKENS, Token, tokens_of

PIECE = 7  # tokens
MOST_PIECES = 3_000  # compared per answer
FEW_PIECES = 15  # an answer with fewer pieces is too short to compare
LEAST = 60  # pieces that each student of a pair must have
MANY, MANY_OF = 4, 10  # left out: pieces of more than four students and a tenth of the class
MOST_TASKS = 16  # of one assignment; their shared pieces are cached
SHOWN_FROM = 0.5
MOST_PAIRS = 30


@dataclass(frozen=True)
class Pieces:
    """The pieces of an answer.

    Attributes:
        tokens: all tokens of the answer.
        starts: index of the first token of each piece that is kept.
        keys: a hash of each piece that is kept.
    """

    tokens: Sequence[Token]
    starts: Sequence[int]
    keys: Sequence[int]


@dataclass(frozen=True)
class Pair:
    """Two students whose answers resemble each other.

    Attributes:
        one, other: the students.
        share: pieces alike, divided by the pieces of the student who has fewer; 0 to 1.
        alike: cell name → how many pieces are alike, largest first.
        pieces: how many pieces each of the two students has.
    """

    one: str
    other: str
    share: float
    alike: Mapping[str, int]
    pieces: tuple[int, int]


@dataclass(frozen=True)
class Resemblance:
    """The result for a class.

    Attributes:
        pairs: pairs with a share of `SHOWN_FROM` or more, highest first.
        compared: how many pairs had enough pieces to compare.
        median: median share of the compared pairs; 0 if there are none.
        short: how many students had too few pieces of their own.
        pieces: by student and cell name, for the students in `pairs`.
        long: students with an answer so long that its end may not be compared.
    """

    pairs: Sequence[Pair]
    compared: int = 0
    median: float = 0.0
    short: int = 0
    pieces: Mapping[tuple[str, str], Pieces] = field(default_factory=dict)
    long: Sequence[str] = ()


def resemblance(of_class: ClassAnswers) -> Resemblance:
    """Compare the answers of every pair of students."""
    students = list(of_class.answers)
    alike: dict[str, np.ndarray] = {}
    own = np.zeros(len(students), np.int64)
    for name in of_class.shared:
        pieces = _own_pieces(of_class, name)
        keys = [pieces[student].keys if student in pieces else [] for student in students]
        own += np.array([len(of_answer) for of_answer in keys], np.int64)
        alike[name] = cdist(keys, keys, scorer=LCSseq.similarity, dtype=np.int32)
    total = sum(alike.values(), np.zeros((len(students),) * 2, np.int32))
    enough = own >= LEAST
    rows, columns = np.triu_indices(len(students), 1)
    compared = enough[rows] & enough[columns]
    rows, columns = rows[compared], columns[compared]
    shares = total[rows, columns] / np.minimum(own[rows], own[columns])
    order = np.argsort(-shares, kind="stable")[:MOST_PAIRS]
    pairs = [
        Pair(
            students[a],
            students[b],
            float(share),
            _most_first({name: int(of_task[a, b]) for name, of_task in alike.items()}),
            (int(own[a]), int(own[b])),
        )
        for a, b, share in zip(rows[order], columns[order], shares[order], strict=True)
        if share >= SHOWN_FROM
    ]
    median = float(np.median(shares)) if len(shares) else 0.0
    long = [name for name, own in of_class.answers.items() if any(map(_is_long, own.values()))]
    return Resemblance(
        pairs, len(shares), median, int((~enough).sum()), _pieces_of(of_class, pairs), long
    )


def why_nothing(of_class: ClassAnswers) -> str:
    """A sentence that says why no pair of the class was compared."""
    if len(of_class.answers) < 2:
        return "Fewer than two submissions can be read, so there is nothing to compare."
    return (
        f"It takes two students with {LEAST} pieces of their own, and there are fewer: the others "
        "have too little that is not in what was handed out, in the solution or in many answers."
    )


def _is_long(code: str) -> bool:
    return len(code) > MOST_TOKENS or (
        len(code) > MOST_PIECES and len(tokens_of(code)) > MOST_PIECES
    )


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: n for name, n in sorted(counts.items(), key=lambda item: -item[1]) if n}


def _pieces_of(of_class: ClassAnswers, pairs: Sequence[Pair]) -> dict[tuple[str, str], Pieces]:
    """Compute the pieces of the pairs again; keeping those of the whole class needs much memory."""
    wanted = {student for pair in pairs for student in (pair.one, pair.other)}
    return {
        (student, name): pieces
        for name in {name for pair in pairs for name in pair.alike}
        for student, pieces in _own_pieces(of_class, name).items()
        if student in wanted
    }


def _own_pieces(of_class: ClassAnswers, name: str) -> dict[str, Pieces]:
    """The pieces of each student's answer to one task, without shared and common pieces."""
    shared = _shared_keys(of_class.shared[name], frozenset(of_class.known))
    found, often = {}, Counter()
    for student, answers in of_class.answers.items():
        if name in answers:
            tokens = tokens_of(answers[name], of_class.known)
            keys = _keys(tokens)
            kept = [at for at, key in enumerate(keys) if key not in shared][:MOST_PIECES]
            found[student] = Pieces(tokens, kept, [keys[at] for at in kept])
            often.update(set(found[student].keys))
    most = max(MANY, len(of_class.answers) / MANY_OF)
    pieces = {student: _without(of, often, most) for student, of in found.items()}
    return {student: of for student, of in pieces.items() if len(of.keys) >= FEW_PIECES}


@lru_cache(maxsize=2 * MOST_TASKS)
def _shared_keys(text: str, known: frozenset[str]) -> frozenset[int]:
    """Keys of the pieces in shared code, for both values of `own_may_hide_python`."""
    ways = (tokens_of(text, known, longest=None, own_may_hide_python=own) for own in (True, False))
    return frozenset(key for tokens in ways for key in _keys(tokens))


def _without(pieces: Pieces, often: Mapping[int, int], most: float) -> Pieces:
    """The pieces that at most `most` students have."""
    kept = [n for n, key in enumerate(pieces.keys) if often[key] <= most]
    starts, keys = ([row[n] for n in kept] for row in (pieces.starts, pieces.keys))
    return Pieces(pieces.tokens, starts, keys)


def _keys(tokens: Sequence[Token]) -> list[int]:
    kinds = [token.kind for token in tokens]
    return [hash(tuple(kinds[at : at + PIECE])) for at in range(len(kinds) - PIECE + 1)]


def alike_spans(one: Pieces, other: Pieces) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The (start, end) character ranges that are alike in two answers: one sorted list for each."""
    blocks = LCSseq.editops(one.keys, other.keys).as_matching_blocks()
    places = [(n, m) for block in blocks for n, m in _places(block)]
    return _spans(one, [n for n, _ in places]), _spans(other, [m for _, m in places])


def _places(block) -> zip:
    return zip(
        range(block.a, block.a + block.size), range(block.b, block.b + block.size), strict=True
    )


def _spans(pieces: Pieces, places: Sequence[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place in places:
        first = pieces.starts[place]
        start, end = pieces.tokens[first].start, pieces.tokens[first + PIECE - 1].end
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found
