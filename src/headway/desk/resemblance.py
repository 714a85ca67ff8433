"""How much answers resemble each other, beyond what everybody writes.

Of an answer's tokens every `PIECE` in a row are a *piece*. Pieces are left out that stand in what
was handed out, in the course's solution or in the modules that the chapter explains, and those that
many of the class have. Of two students, as many of what is left are alike as the longest common
subsequence of their answers has pieces, task by task; RapidFuzz finds it. The *share* is that
number by the number of pieces of the one who has fewer, 0 to 1, over the whole assignment: so code
that is added to a copy does not lower it.

Times are bounded: by the length that is read, the pieces that are compared and the pairs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from headway.desk.answers import ClassAnswers
from headway.desk.tokens import MOST_TOKENS, Token, tokens_of

PIECE = 7  # tokens
MOST_PIECES = 3_000  # of an answer that are compared
FEW_PIECES = 15  # an answer with fewer is too short to tell anything
LEAST = 60  # pieces that both students must have
MANY, MANY_OF = 4, 10  # pieces that more than four, and more than a tenth, of the class have
MOST_TASKS = 16  # of an assignment, whose shared pieces are kept
SHOWN_FROM = 0.5
MOST_PAIRS = 30


@dataclass(frozen=True)
class Pieces:
    """An answer as its pieces.

    Attributes:
        tokens: all of them.
        starts: the tokens at which the pieces begin that are not left out.
        keys: one for each of these pieces; the same for the same piece.
    """

    tokens: Sequence[Token]
    starts: Sequence[int]
    keys: Sequence[int]


@dataclass(frozen=True)
class Pair:
    """Two students whose answers resemble each other.

    Attributes:
        one, other: the students.
        share: of the pieces of the one who has fewer, from 0 to 1.
        alike: how many pieces are alike, by cell's name, the most first.
        pieces: how many the first has, and the second.
    """

    one: str
    other: str
    share: float
    alike: Mapping[str, int]
    pieces: tuple[int, int]


@dataclass(frozen=True)
class Resemblance:
    """What came of a class.

    Attributes:
        pairs: those whose share is `SHOWN_FROM` or more, the highest first.
        compared: how many pairs had enough to compare.
        median: share of these pairs; 0 without any.
        short: how many students had too little of their own.
        pieces: by student and cell's name, of those in `pairs`.
        long: students with an answer so long that it may not be compared to its end.
    """

    pairs: Sequence[Pair]
    compared: int = 0
    median: float = 0.0
    short: int = 0
    pieces: Mapping[tuple[str, str], Pieces] = field(default_factory=dict)
    long: Sequence[str] = ()


def resemblance(of_class: ClassAnswers) -> Resemblance:
    """Compare each student's answers with each other's."""
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
    """Why no pair of a class was compared, as a sentence."""
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
    """The pieces of those in pairs once more: to keep all of a class takes much memory."""
    wanted = {student for pair in pairs for student in (pair.one, pair.other)}
    return {
        (student, name): pieces
        for name in {name for pair in pairs for name in pair.alike}
        for student, pieces in _own_pieces(of_class, name).items()
        if student in wanted
    }


def _own_pieces(of_class: ClassAnswers, name: str) -> dict[str, Pieces]:
    """The pieces of a class's answers to one task, without those that everybody may have."""
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
    """The pieces of what everybody may have, whichever of its names an answer binds."""
    ways = (tokens_of(text, known, longest=None, own_may_hide_python=own) for own in (True, False))
    return frozenset(key for tokens in ways for key in _keys(tokens))


def _without(pieces: Pieces, often: Mapping[int, int], most: float) -> Pieces:
    """The pieces but for those that more than `most` students have."""
    kept = [n for n, key in enumerate(pieces.keys) if often[key] <= most]
    starts, keys = ([row[n] for n in kept] for row in (pieces.starts, pieces.keys))
    return Pieces(pieces.tokens, starts, keys)


def _keys(tokens: Sequence[Token]) -> list[int]:
    kinds = [token.kind for token in tokens]
    return [hash(tuple(kinds[at : at + PIECE])) for at in range(len(kinds) - PIECE + 1)]


def alike_spans(one: Pieces, other: Pieces) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The characters of two answers that are alike, as (start, end) in order, in each of them."""
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
