"""Figure: paint the mask of an attention layer, and watch who sees whom."""

from collections.abc import Mapping, Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.gallery.attention.reading import (
    Reading,
    check_reading,
    draw_weights,
    likeliest,
)


def mask_painter(
    reading: Reading,
    symbols: Sequence[str],
    masks: Mapping[str, np.ndarray],
    title: str,
    caption: str,
    start: str | None = None,
) -> Interactive:
    """Hide and show single words for single words; weights and next words follow.

    Args:
        reading: one text.
        symbols: V words that may come next.
        masks: a name → (T, T) bool, True where a word may look; buttons set them.
        title, caption: as printed.
        start: the mask at first; the first one if None.

    Raises:
        ValueError: if the shapes do not fit each other or the page, or `start` is none of the
            masks.
        TypeError: if a mask is not boolean.
    """
    check_reading(reading, symbols)
    T = len(reading.tokens)
    given = {name: np.asarray(mask) for name, mask in masks.items()}
    for name, mask in given.items():
        if mask.dtype != bool:
            raise TypeError(f"mask {name!r} must hold booleans, got {mask.dtype}")
        if mask.shape != (T, T):
            raise ValueError(f"mask {name!r} must be ({T}, {T}), got {mask.shape}")
    start = next(iter(given), None) if start is None else start
    if start not in given:
        raise ValueError(f"{start!r} is none of the masks {', '.join(given)}")
    weights, chances = reading.weights(given[start]), reading.next_word(given[start])
    says = [likeliest(p, symbols)[0] for p in chances]
    return Interactive(
        script="mask_painter",
        data={
            "tokens": list(reading.tokens),
            "scores": np.asarray(reading.scores, dtype=float).round(3).tolist(),
            "base": np.asarray(reading.base, dtype=float).round(2).tolist(),
            "says": np.asarray(reading.says, dtype=float).round(2).tolist(),
            "symbols": list(symbols),
            "masks": [[name, mask.astype(int).tolist()] for name, mask in given.items()],
            "start": list(given).index(start),
        },
        title=title,
        caption=caption,
        alt=f"A table of weights under the mask “{start}”. Its last row, “{reading.tokens[-1]}”: "
        + ", ".join(
            f"{token} {number(w, 2)}" if seen else f"{token} hidden"
            for token, w, seen in zip(reading.tokens, weights[-1], given[start][-1], strict=True)
        )
        + f"; next word {says[-1][0]} {number(says[-1][1], 2)}.",
        header=["who asks", *reading.tokens, "next word"],
        rows=[
            [
                token,
                *(number(w, 3) if m else "hidden" for w, m in zip(row, seen, strict=True)),
                f"{word} {number(p)}",
            ]
            for token, row, seen, (word, p) in zip(
                reading.tokens, weights, given[start], says, strict=True
            )
        ],
        draw=lambda ax: draw_weights(ax, reading.tokens, weights, given[start]),
        width=5.6,
        height=3.8,
    )
