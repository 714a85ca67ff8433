"""Byte pair encoding: start with the 256 bytes, and give frequent pairs of neighbors one token.

Training repeats one step until the vocabulary is large enough: find the most frequent pair of
neighboring tokens, and make it a token. Which of several equally frequent pairs comes first is a
convention; `TIES` has two that are in use. The list of these merges, in the order in which they
were learned, is the whole model.

Encoding merges in that order too: of all pairs of neighbors that are in the list, the one that
stands *earliest in the list* (its rank) is merged, from left to right, until none is left. Not the
longest token wins, nor the most frequent one. No merge crosses a piece of `headway.text.pieces` or
a special token.

A text of N bytes becomes T ≤ N ids, each in 0 … V−1. Since every byte is a token, every text can
be encoded. Not every list of ids is a text: bytes that are no UTF-8 are decoded as �.

Sources: Gage 1994 (compression), Sennrich et al. 2016 (words), Radford et al. 2019 (bytes, GPT-2).
"""

import heapq
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from headway.text.byte_letters import LETTERS, to_bytes, to_letters
from headway.text.pair_counts import Pair, PairCounts
from headway.text.pieces import pieces
from headway.text.vocabulary import check_sentence

BYTES = [bytes([byte]) for byte in LETTERS]  # in the order of their ids
REMEMBERED = 100_000  # pieces whose ids a tokenizer keeps


def smallest_ids(left: int, right: int, symbols: Sequence[bytes]) -> tuple:
    """Among equally frequent pairs, the smallest ids come first."""
    return left, right


def greatest_bytes(left: int, right: int, symbols: Sequence[bytes]) -> tuple:
    """Among equally frequent pairs, the greatest tokens come first, compared byte by byte."""
    return last_first(symbols[left]), last_first(symbols[right])


def last_first(token: bytes) -> tuple[int, ...]:
    """Sorts in the reverse of the order of bytes, in which `a` stands before `ab`."""
    return *(-byte for byte in token), 1


# Which of several pairs with the same count is merged: Hugging Face's rule, and subword-nmt's.
TIES = {"smallest": smallest_ids, "greatest": greatest_bytes}


MERGED = -1  # what stands in the place of an id that is part of its left neighbor


def merge_by_rank(ids: Iterable[int], merges: Mapping[Pair, tuple[int, int]]) -> list[int]:
    """Merge neighbors, the pair of lowest rank first and of equal pairs the leftmost.

    Ids stay in their places, linked to their neighbors, and a heap of (rank, place) says what is
    next; so N ids take N log N steps, also where a piece has a million letters.

    Args:
        ids: N ids.
        merges: pair → (rank, id of the merged token).

    Returns:
        list of T ≤ N ids.
    """
    ids = list(ids)
    end = len(ids)
    before, after = list(range(-1, end)), list(range(1, end + 1))
    queue = [(*merges[pair], i) for i, pair in enumerate(pairwise(ids)) if pair in merges]
    heapq.heapify(queue)
    while queue:
        rank, new, left = heapq.heappop(queue)
        right = after[left]
        if right == end or merges.get((ids[left], ids[right])) != (rank, new):
            continue  # one of the two has been merged with another neighbor meanwhile
        ids[left], ids[right] = new, MERGED
        after[left] = after[right]
        before[after[left]] = left
        for i in (before[left], left):
            if i >= 0 and after[i] < end and (found := merges.get((ids[i], ids[after[i]]))):
                heapq.heappush(queue, (*found, i))
    return [i for i in ids if i != MERGED]


class PieceIds(dict):
    """Piece → its ids, merged when first asked for. Texts repeat their words, so most are known."""

    def __init__(self, byte_ids: Sequence[int], merges: Mapping[Pair, tuple[int, int]]):
        self.byte_ids, self.merges = byte_ids, merges

    def __missing__(self, piece: str) -> list[int]:
        ids = merge_by_rank((self.byte_ids[byte] for byte in piece.encode()), self.merges)
        if len(self) < REMEMBERED:
            self[piece] = ids
        return ids


def special_pattern(specials: Iterable[str]) -> re.Pattern:
    """Finds special tokens, the longest where several start; its `split` keeps what it finds."""
    longest_first = sorted(specials, key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, longest_first)) or '(?!)'})")


class BytePairTokenizer:
    """A byte-level BPE: `train` makes one, `load` reads one (GPT-2's, for instance).

    Args:
        symbols: the V tokens in the order of their ids: `bytes`, or `str` for a special token. All
            256 single bytes must be there, and whatever a merge joins or makes.
        merges: pairs of tokens, in the order of training.

    Raises:
        ValueError: if a symbol is missing or stands twice, or a special token is empty.
    """

    def __init__(self, symbols: Iterable[bytes | str], merges: Iterable[tuple[bytes, bytes]] = ()):
        self.symbols, self.merges = tuple(symbols), tuple(merges)
        self.specials = tuple(symbol for symbol in self.symbols if isinstance(symbol, str))
        if "" in self.specials:
            raise ValueError("a special token must have at least one letter, got ''")
        self._ids = {symbol: i for i, symbol in enumerate(self.symbols)}
        if len(self._ids) != len(self.symbols):
            twice = Counter(self.symbols).most_common(1)[0][0]
            raise ValueError(f"symbols must differ from each other, got {twice!r} twice")
        needed = chain(BYTES, *((left, right, left + right) for left, right in self.merges))
        if missing := [symbol for symbol in needed if symbol not in self._ids]:
            raise ValueError(
                f"{len(missing)} symbols are missing, the first is {missing[0]!r}. The 256 bytes "
                "and all that merges join or make must be there: do symbols and merges belong to "
                "the same tokenizer?"
            )
        ids = self._ids
        ranked = {(ids[a], ids[b]): (rank, ids[a + b]) for rank, (a, b) in enumerate(self.merges)}
        self._piece_ids = PieceIds([ids[bytes([byte])] for byte in range(256)], ranked)
        self._special = special_pattern(self.specials)

    @classmethod
    def train(
        cls,
        texts: Iterable[str],
        size: int,
        specials: Sequence[str] = (),
        min_count: int = 2,
        ties: str = "smallest",
    ) -> "BytePairTokenizer":
        """Learn merges from texts.

        Special tokens take the first ids, then come the bytes, then the merges. Texts are cut at
        special tokens: what a special token is made of counts for nothing (Hugging Face's trainer
        counts it as text, so its merges differ where the texts contain special tokens).

        Args:
            texts: the texts to count pairs in; no pair reaches from one into the next.
            size: V; fewer where no pair is left that stands `min_count` times.
            specials: strings that are one token wherever they stand.
            min_count: a pair must stand this often to be merged; a pair that stands once saves
                nothing.
            ties: which of several pairs with the same count is merged: "smallest", the one with
                the smallest ids, or "greatest", the one whose tokens come last in the order of
                their bytes.

        Raises:
            TypeError: if `texts` or `specials` is one string.
            ValueError: if `size` has no room for bytes and special tokens, `min_count` < 1, or
                there is no such rule for ties.
        """
        for name, given in (("texts", texts), ("specials", specials)):
            if isinstance(given, str):
                raise TypeError(f"{name} is one string; expected a list. Did you mean [{name}]?")
        symbols: list[Any] = [*specials, *BYTES]
        if size < len(symbols) or min_count < 1:
            raise ValueError(
                f"size must be at least {len(symbols)} (256 bytes, {len(specials)} special tokens) "
                f"and min_count at least 1, got size={size} and min_count={min_count}"
            )
        if ties not in TIES:
            raise ValueError(f"ties must be one of {', '.join(TIES)}, got {ties!r}")
        start, rule = cls(symbols), TIES[ties]
        pairs = PairCounts(start._count_pieces(texts), lambda pair: rule(*pair, symbols))
        ids, merges = dict(start._ids), []
        while len(ids) < size:
            pair, count = pairs.most_frequent()
            if pair is None or count < min_count:
                break
            left, right = (symbols[i] for i in pair)
            if left + right not in ids:  # two ways to the same bytes are one token
                ids[left + right] = len(symbols)
                symbols.append(left + right)
            merges.append((left, right))
            pairs.merge(pair, ids[left + right])
        return cls(symbols, merges)

    def _count_pieces(self, texts: Iterable[str]) -> dict[tuple[int, ...], int]:
        """How often each piece, as ids, stands in the texts outside special tokens."""
        counts = Counter()
        for text in texts:
            for part in self._special.split(text)[::2]:
                counts.update(pieces(part))
        return {tuple(self._piece_ids[piece]): count for piece, count in counts.items()}

    def __len__(self) -> int:
        """V, the number of symbols, special ones included."""
        return len(self.symbols)

    def __repr__(self) -> str:
        return (
            f"BytePairTokenizer({len(self)} symbols: 256 bytes, {len(self.merges)} merges, "
            f"special {list(self.specials)})"
        )

    def encode(self, text: str) -> list[int]:
        """Ids of a text; special tokens in it are recognized.

        Raises:
            UnicodeEncodeError: if the text holds half a surrogate pair, which is no character.
        """
        parts = self._special.split(text)
        ids = self.encode_ordinary(parts[0])
        for special, part in zip(parts[1::2], parts[2::2], strict=True):
            ids.append(self._ids[special])
            ids += self.encode_ordinary(part)
        return ids

    def encode_ordinary(self, text: str) -> list[int]:
        """Ids of a text in which special tokens are ordinary letters (it may *speak* of them)."""
        return list(chain.from_iterable(map(self._piece_ids.__getitem__, pieces(text))))

    def tokens(self, text: str) -> list[bytes | str]:
        """The tokens of a text: `bytes`, which may be part of a letter; special tokens as `str`."""
        return [self.symbols[i] for i in self.encode(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids of shape (T,).

        The bytes are joined before they become letters, since a letter's bytes may be spread over
        several tokens. What is no UTF-8 becomes �.

        Raises:
            TypeError: if the ids are not integers.
            IndexError: if an id is not in 0 … V−1.
            ValueError: if the ids are a batch.
        """
        symbols = (self.symbols[i] for i in check_sentence(ids, len(self)).tolist())
        joined = b"".join(s.encode() if isinstance(s, str) else s for s in symbols)
        return joined.decode("utf-8", errors="replace")

    def save(self, vocabulary: str | Path, merges: str | Path) -> None:
        """Write GPT-2's two files: a JSON object token → id, and one merge a line, by rank.

        Bytes are written as `headway.text.byte_letters` has it, special tokens as they are.

        Raises:
            ValueError: if a special token is written like another token, as "Ġ" and the space are.
        """
        names = [s if isinstance(s, str) else to_letters(s) for s in self.symbols]
        ids = {name: i for i, name in enumerate(names)}
        if len(ids) != len(names):
            twice = Counter(names).most_common(1)[0][0]
            raise ValueError(
                f"the special token {twice!r} is written like another token; rename it"
            )
        lines = ["#version: 0.2", *(f"{to_letters(a)} {to_letters(b)}" for a, b in self.merges), ""]
        Path(vocabulary).write_bytes(json.dumps(ids, ensure_ascii=False).encode())
        Path(merges).write_bytes("\n".join(lines).encode())

    @classmethod
    def load(cls, vocabulary: str | Path, merges: str | Path) -> "BytePairTokenizer":
        """Read the two files that `save` writes, or GPT-2's.

        OpenAI names them `encoder.json` and `vocab.bpe`, Hugging Face `vocab.json` and
        `merges.txt`. Tokens that are no byte and that no merge makes are special tokens.

        Raises:
            ValueError: if the ids are not 0 … V−1, a line holds no pair, or the files do not fit.
        """
        ids = json.loads(Path(vocabulary).read_bytes())
        names = sorted(ids, key=ids.get)
        if [ids[name] for name in names] != list(range(len(names))):
            raise ValueError(f"the {len(names)} ids in {vocabulary} are not 0 … {len(names) - 1}")
        lines = Path(merges).read_bytes().decode("utf-8-sig").split("\n")
        lines = [line.rstrip("\r") for line in lines[lines[0].startswith("#version") :]]
        pairs = [tuple(line.split(" ")) for line in lines if line]
        if odd := [pair for pair in pairs if len(pair) != 2]:
            raise ValueError(f"a line of {merges} is no pair of tokens: {' '.join(odd[0])!r}")
        ordinary = {*LETTERS.values(), *(left + right for left, right in pairs)}
        return cls(
            [to_bytes(name) if name in ordinary else name for name in names],
            [(to_bytes(left), to_bytes(right)) for left, right in pairs],
        )
