"""Unigram tokenizer: of all ways to cut a piece, the most probable one.

Each token x has a probability p(x), whatever stands beside it. The tokens of a piece are

    argmax over all ways to cut it into x₁ … x_T of  Σ ln p(x_t)

A piece of N bytes can be cut in 2^(N−1) ways, and yet N · L steps find the best one, where L is the
length of the longest token: the best way to reach byte `end` is the best way to reach some earlier
`start`, and one token from there (the Viterbi algorithm).

Training goes the other way than byte pair encoding: it begins with far too many tokens and drops
those whose loss costs the text the least, until V are left. Single bytes stay, so every text can
be cut. Kudo weighs all ways to cut when he counts tokens; here, as a simplification, only the best
way counts. SentencePiece is the program that made this method known; it trains byte pair encoding
too.

Sources: Kudo 2018 (the model), Kudo and Richardson 2018 (SentencePiece).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from headway.text.byte_pair import BYTES
from headway.text.pieces import pieces

LONGEST, KEPT, SEEDS = 12, 0.7, 8  # bytes of a token; share kept in a round; first tokens for each


def best_split(piece: bytes, log_p: Mapping[bytes, float]) -> tuple[list[bytes], float]:
    """The most probable way to cut a piece.

    best[end] = max over start of best[start] + ln p(piece[start:end])

    Args:
        piece: N bytes.
        log_p: token → ln p. Each byte of the piece must be a token.

    Returns:
        the T tokens, and the sum of their logarithms.

    Raises:
        KeyError: if there is no way to cut the piece.
    """
    longest = max(map(len, log_p), default=0)
    best, cut = [0.0], [0]
    for end in range(1, len(piece) + 1):
        ways = [
            (best[start] + log_p[token], start)
            for start in range(max(0, end - longest), end)
            if (token := piece[start:end]) in log_p
        ]
        if not ways:
            raise KeyError(f"no token of the vocabulary ends at byte {end} of {piece!r}")
        score, start = max(ways)
        best.append(score)
        cut.append(start)
    tokens, end = [], len(piece)
    while end:
        tokens.append(piece[cut[end] : end])
        end = cut[end]
    return tokens[::-1], best[-1]


class UnigramTokenizer:
    """Cuts each piece of a text in its most probable way.

    Args:
        log_p: token → ln p; the 256 bytes must be among the tokens.

    Raises:
        ValueError: if a byte is missing.
    """

    def __init__(self, log_p: Mapping[bytes, float]):
        if missing := [byte for byte in BYTES if byte not in log_p]:
            raise ValueError(f"{len(missing)} bytes are no tokens, the first is {missing[0]!r}")
        self.log_p = dict(log_p)

    @classmethod
    def train(cls, texts: Iterable[str], size: int) -> "UnigramTokenizer":
        """Drop tokens until `size` of them are left.

        Raises:
            ValueError: if `size` has no room for the 256 bytes.
        """
        if size < len(BYTES):
            raise ValueError(f"size must be at least {len(BYTES)}, got {size}")
        counted = Counter(piece.encode() for text in texts for piece in pieces(text))
        log_p = logarithms(first_tokens(counted, SEEDS * size))
        while True:
            used = count_tokens(counted, log_p)
            log_p = logarithms(used)
            if len(log_p) <= size:
                return cls(log_p)
            losses = {token: loss(token, used[token], log_p) for token in used if len(token) > 1}
            keep = max(size, int(KEPT * len(log_p))) - len(BYTES)
            dear = sorted(losses, key=lambda token: (-losses[token], token))[:keep]
            log_p = {token: log_p[token] for token in (*BYTES, *dear)}

    def __len__(self) -> int:
        """V, the number of tokens."""
        return len(self.log_p)

    def tokens(self, text: str) -> list[bytes]:
        """The T tokens of a text."""
        return [
            token for piece in pieces(text) for token in best_split(piece.encode(), self.log_p)[0]
        ]


def first_tokens(counted: Mapping[bytes, int], most: int) -> Counter[bytes]:
    """The parts of pieces that cover the most text, with their counts, and the single bytes."""
    found = Counter()
    for piece, times in counted.items():
        for start in range(len(piece)):
            for end in range(start + 2, min(start + LONGEST, len(piece)) + 1):
                found[piece[start:end]] += times
    covering = sorted(found, key=lambda token: (-found[token] * len(token), token))[:most]
    singles = Counter()
    for piece, times in counted.items():
        for byte in piece:
            singles[bytes([byte])] += times
    return Counter({byte: singles[byte] for byte in BYTES} | {t: found[t] for t in covering})


def count_tokens(counted: Mapping[bytes, int], log_p: Mapping[bytes, float]) -> Counter[bytes]:
    """How often each token stands in the pieces, cut in their best ways; unused ones go."""
    used = Counter(dict.fromkeys(BYTES, 0))
    for piece, times in counted.items():
        for token in best_split(piece, log_p)[0]:
            used[token] += times
    return used


def logarithms(counts: Mapping[bytes, int]) -> dict[bytes, float]:
    """ln of each token's share of the counts, where a token that never stands counts half."""
    total = sum(max(count, 0.5) for count in counts.values())
    return {token: math.log(max(count, 0.5) / total) for token, count in counts.items()}


def loss(token: bytes, times: int, log_p: Mapping[bytes, float]) -> float:
    """What the text's logarithm loses if a token is dropped and cut into others instead."""
    ends = range(1, len(token) + 1)
    parts = {token[start:end] for end in ends for start in range(end)} - {token}
    others = {part: log_p[part] for part in parts if part in log_p}
    return times * (log_p[token] - best_split(token, others)[1])
