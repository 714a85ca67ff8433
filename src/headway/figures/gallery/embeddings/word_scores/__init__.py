"""Figure: the score of every word for a chosen vector, and the words that score highest."""

from collections.abc import Mapping, Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number, place
from headway.figures.gallery.embeddings.word_vectors import checked_vectors


def word_scores(
    words: Sequence[str],
    vectors: np.ndarray,
    tables: Mapping[str, np.ndarray],
    start: Sequence[str],
    title: str,
    caption: str = (
        "Subtract and add words: which score highest, and is the chosen word itself among them? "
        "Then let the other table give the scores."
    ),
    count: int = 8,
) -> Interactive:
    """De-embedding: a vector h made of words, h Wᵀ for every word, and the softmax of it.

    Args:
        words: V different words.
        vectors: (V, C), the rows from which h is made: first − second + third.
        tables: for each name a table W (V, C) that gives the scores.
        start: one word, or three; what h is made of at first.
        title, caption: as printed.
        count: how many words are listed.

    Raises:
        ValueError: if the shapes do not fit each other or the page, a word is unknown, or `start`
            is neither one word nor three.
    """
    words, vectors = checked_vectors(words, vectors)
    if not tables:
        raise ValueError("word_scores needs a table that gives the scores")
    tables = {name: checked_vectors(words, table)[1] for name, table in tables.items()}
    for name, table in tables.items():
        if table.shape != vectors.shape:
            raise ValueError(
                f"table {name!r} must be as wide as the vectors, {vectors.shape}, got {table.shape}"
            )
    if len(start) not in (1, 3):
        raise ValueError(f"start is one word, or three: first − second + third; got {start!r}")
    if not 1 <= count <= len(words):
        raise ValueError(f"count must be in 1 … {len(words)}, got {count}")
    chosen = [place(words, word, default=0) for word in start]
    name, table = next(iter(tables.items()))
    scores = scores_of(vectors, table, chosen)
    shares = softmax(scores)
    best = np.argsort(-scores, kind="stable")[:count]
    made = " ".join(sign + word for sign, word in zip(("", "− ", "+ "), start, strict=False))
    listed = ", ".join(f"{words[i]} {number(scores[i], 1)}" for i in best)
    return Interactive(
        script="word_scores",
        data={
            "words": words,
            "vectors": vectors.tolist(),
            # The table that is the vectors' own needs no second copy on the page.
            "tables": [
                {"name": label, "rows": None if np.array_equal(rows, vectors) else rows.tolist()}
                for label, rows in tables.items()
            ],
            "start": chosen,
            "count": count,
        },
        title=title,
        caption=caption,
        alt=(
            f"The vector of {made} scores highest, by {name}, for {listed}; "
            f"{int((scores < 0).sum())} of {len(words)} scores are negative."
        ),
        header=["word", "score", "probability"],
        rows=[[words[i], number(scores[i], 2), number(shares[i], 3)] for i in best],
        draw=lambda ax: draw_scores(ax, [words[i] for i in best], scores[best], shares[best]),
        width=5.6,
        height=0.9 + 0.3 * count,
    )


def scores_of(vectors: np.ndarray, table: np.ndarray, chosen: Sequence[int]) -> np.ndarray:
    """h Wᵀ (V,) for the h of one word, or of first − second + third."""
    signs = np.array([1, -1, 1])[: len(chosen)]
    return table @ (signs @ vectors[list(chosen)])


def softmax(scores: np.ndarray) -> np.ndarray:
    """Scores (V,) as probabilities (V,)."""
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def draw_scores(ax, words, scores, shares) -> None:
    """The static picture: a bar for each of the best words, its probability beside it."""
    places = np.arange(len(words))
    ax.barh(places, scores, color="C0", height=0.7)
    ax.set_yticks(places, words)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("score; beside it, the probability")
    for i, (score, share) in enumerate(zip(scores, shares, strict=True)):
        ax.text(max(score, 0), i, f" {number(share, 2)}", va="center", size=9)
