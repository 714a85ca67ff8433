"""Figure: what every head of a trained attention looks at, from any word of a sentence."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.gallery.shared.heat_map import draw_cells

MOST_WORDS, MOST_HEADS = 24, 12


def head_viewer(
    sentences: Sequence[tuple[str, int, np.ndarray]],
    heads: Sequence[str],
    title: str,
    caption: str,
    start: int = 0,
) -> Interactive:
    """A row a head, a column a word; below, the whole pattern of one head.

    Args:
        sentences: triples of the sentence, its words parted by spaces; the place of the word that
            asks at first; and the weights (H, T, T), each row of which sums to one or to zero.
        heads: H names.
        title, caption: as printed.
        start: the head that is chosen at first.

    Raises:
        ValueError: if the weights do not fit the words or the heads, are no weights, or are too
            many for a page.
    """
    if not sentences or not 1 <= len(heads) <= MOST_HEADS:
        raise ValueError(f"the figure needs a sentence and 1 to {MOST_HEADS} heads")
    if not 0 <= start < len(heads):
        raise ValueError(f"start must be a head, 0 to {len(heads) - 1}, got {start}")
    data = [checked(*given, heads=len(heads)) for given in sentences]
    words, place = data[0]["words"], data[0]["start"]
    first = np.array(data[0]["weights"])
    looked = [words[s] for s in first[:, place].argmax(axis=1)]
    most = ", ".join(f"{name} at “{word}”" for name, word in zip(heads, looked, strict=True))
    return Interactive(
        script="head_viewer",
        data={"sentences": data, "heads": [str(name) for name in heads], "start": start},
        title=title,
        caption=caption,
        alt=f"In “{' '.join(words)}”, the word “{words[place]}” looks most: {most}.",
        header=["head", "the word that asks", *words],
        rows=[
            [name, word, *(number(w, 2) for w in first[i, t])]
            for i, name in enumerate(heads)
            for t, word in enumerate(words)
        ],
        draw=lambda ax: draw_cells(ax, heads, words, legible(first[:, place]), start),
        width=1.8 + 0.45 * len(words),
        height=1.1 + 0.34 * len(heads),
    )


def checked(sentence: str, start: int, weights: np.ndarray, heads: int) -> dict:
    """One sentence as the script needs it; its weights to two decimals."""
    words, weights = str(sentence).split(), np.asarray(weights, dtype=float)
    T = len(words)
    if not 1 <= T <= MOST_WORDS or not 0 <= start < T:
        raise ValueError(
            f"the figure is legible for 1 to {MOST_WORDS} words, one of which asks; "
            f"got {T} words and place {start}"
        )
    if weights.shape != (heads, T, T):
        raise ValueError(
            f"{sentence!r} needs weights (H, T, T) = {(heads, T, T)}, got {weights.shape}"
        )
    sums = weights.sum(axis=-1)
    if (weights < 0).any() or not np.all((abs(sums - 1) < 1e-3) | (sums == 0)):
        raise ValueError("weights must not be negative, and each row must sum to one, or to zero")
    return {"words": words, "start": int(start), "weights": weights.round(2).tolist()}


def legible(weights: np.ndarray) -> np.ndarray:
    """The weights that paper shows: those of at least 0.05."""
    return np.where(weights >= 0.05, weights, 0)
