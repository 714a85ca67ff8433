"""What the figures of word vectors share: words with a vector each, checked."""

from collections.abc import Sequence

import numpy as np

MOST_WORDS, MOST_COLUMNS = 240, 32
DIGITS = 3  # of each number that a page carries


def checked_vectors(words: Sequence[str], vectors: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Words and their vectors, rounded as the page carries them.

    Args:
        words: V different words.
        vectors: (V, C).

    Returns:
        the words as text, and the vectors (V, C) float64 to a thousandth.

    Raises:
        ValueError: if the shapes do not fit each other or the page, a word comes twice, or a
            number is not finite.
    """
    words, vectors = [str(word) for word in words], np.asarray(vectors, dtype=float)
    if vectors.ndim != 2 or len(vectors) != len(words):
        raise ValueError(
            f"vectors must have one row a word, ({len(words)}, C), got shape {vectors.shape}"
        )
    if not (3 <= len(words) <= MOST_WORDS and 2 <= vectors.shape[1] <= MOST_COLUMNS):
        raise ValueError(
            f"the figure takes 3 to {MOST_WORDS} words and 2 to {MOST_COLUMNS} columns, "
            f"got {vectors.shape}; show a part of the words"
        )
    if repeated := sorted({word for word in words if words.count(word) > 1}):
        raise ValueError(f"words must differ from each other; {repeated[0]!r} comes twice")
    if not np.isfinite(vectors).all():
        raise ValueError("vectors must hold finite numbers only")
    return words, vectors.round(DIGITS)
