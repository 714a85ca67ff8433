"""Figure: where a translator's decoder looks while it says each word."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.gallery.weights import draw_weights

MOST_WORDS = 14


@dataclass(frozen=True)
class Alignment:
    """One translated sentence.

    Attributes:
        source: S words that were read.
        target: T words that were said.
        weights: (H, T, S), of the cross-attention of each head; rows sum to one.
    """

    source: Sequence[str]
    target: Sequence[str]
    weights: np.ndarray


def alignment(
    cases: Sequence[Alignment],
    title: str,
    caption: str,
    row: int = 0,
) -> Interactive:
    """Weights of cross-attention, sentence by sentence, for all heads together and for each.

    Args:
        cases: sentences; the first one is shown at first, and on paper.
        title, caption: as printed.
        row: the word said that is read out at first.

    Raises:
        ValueError: if there is no sentence, the shapes do not fit each other or the page, or a row
            does not hold weights.
    """
    if not cases:
        raise ValueError("an alignment needs at least one sentence")
    heads = {np.asarray(case.weights).shape[0] for case in cases}
    if len(heads) != 1:
        raise ValueError(f"all sentences need the same number of heads, got {sorted(heads)}")
    data = [as_data(case) for case in cases]
    first = data[0]
    if not 0 <= row < len(first["target"]):
        raise ValueError(f"row {row} does not exist; {len(first['target'])} words are said")
    names = ["mean of all", *(f"head {h}" for h in range(heads.pop()))]
    mean = np.array(first["weights"][0])
    strongest = [first["source"][s] for s in mean.argmax(axis=1)]
    return Interactive(
        script="alignment",
        data={"heads": names, "row": row, "cases": data},
        title=title,
        caption=caption,
        alt="A table of weights, darker where larger. "
        + ", ".join(
            f"“{word}” looks most at “{seen}”"
            for word, seen in zip(first["target"], strongest, strict=True)
        )
        + ".",
        header=["says", *first["source"]],
        rows=[
            [word, *(number(w, 2) for w in line)]
            for word, line in zip(first["target"], mean, strict=True)
        ],
        draw=lambda ax: draw_weights(ax, first["source"], first["target"], mean),
        width=1.6 + 0.5 * len(first["source"]),
        height=0.9 + 0.3 * len(first["target"]),
    )


def as_data(case: Alignment) -> dict:
    """One sentence for the script: the mean of the heads before the heads, two decimals."""
    weights = np.asarray(case.weights, dtype=float)
    T, S = len(case.target), len(case.source)
    if weights.ndim != 3 or weights.shape[1:] != (T, S):
        raise ValueError(
            f"{T} words said and {S} words read need weights (H, {T}, {S}), got {weights.shape}"
        )
    if not 1 <= min(T, S) <= max(T, S) <= MOST_WORDS:
        raise ValueError(f"the figure is legible for up to {MOST_WORDS} words, got {T} and {S}")
    if not ((weights >= 0).all() and np.allclose(weights.sum(axis=-1), 1, atol=1e-4)):
        raise ValueError("each row must hold weights that sum to one")
    with_mean = np.concatenate([weights.mean(axis=0, keepdims=True), weights])
    return {
        "source": [str(word) for word in case.source],
        "target": [str(word) for word in case.target],
        "weights": with_mean.round(2).tolist(),
    }
