"""Longest match first: WordPiece's way to cut a word with a given vocabulary.

From the left, always take the longest token with which the rest begins. The vocabulary says all;
there is no list of merges and no probability. So the same vocabulary cuts some words differently
than byte pair encoding, which goes by the ranks of its merges.

Source: Schuster and Nakajima 2012 (the vocabulary), Wu et al. 2016 (longest match).
"""

from collections.abc import Collection

from headway.text.pieces import pieces


def longest_match(piece: bytes, tokens: Collection[bytes]) -> list[bytes]:
    """Cut one piece.

    Args:
        piece: N bytes.
        tokens: to choose from; fast if they are a set or a dictionary.

    Returns:
        list of T ≤ N tokens.

    Raises:
        KeyError: if the rest of the piece begins with no token.
    """
    longest, found, start = max(map(len, tokens), default=0), [], 0
    while start < len(piece):
        ends = range(min(len(piece), start + longest), start, -1)
        end = next((end for end in ends if piece[start:end] in tokens), None)
        if end is None:
            raise KeyError(f"no token begins {piece[start:]!r}")
        found.append(piece[start:end])
        start = end
    return found


def longest_matches(text: str, tokens: Collection[bytes]) -> list[bytes]:
    """Cut a text piece by piece."""
    return [token for piece in pieces(text) for token in longest_match(piece.encode(), tokens)]
