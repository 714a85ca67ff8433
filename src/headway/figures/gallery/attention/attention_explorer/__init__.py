"""Figure: look into a trained attention layer word by word."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.gallery.attention.reading import (
    MOST_TOKENS,
    Reading,
    causal,
    check_reading,
    draw_weights,
    likeliest,
)

MOST_CASES = 6


def attention_explorer(
    readings: Sequence[Reading], symbols: Sequence[str], title: str, caption: str
) -> Interactive:
    """Point at a word and see its scores, its weights and the mixture, under a causal mask.

    Args:
        readings: one or more; the last word of the first one asks at first.
        symbols: V words that may come next.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other or the page.
    """
    if not 1 <= len(readings) <= MOST_CASES:
        raise ValueError(f"the menu holds 1 to {MOST_CASES} readings, got {len(readings)}")
    for reading in readings:
        check_reading(reading, symbols)
    cases = [as_case(reading, symbols) for reading in readings]
    first = cases[0]
    last = len(first["tokens"]) - 1
    told = ", ".join(
        f"{token} {number(w)}"
        for token, w in zip(first["tokens"], first["weights"][last], strict=True)
    )
    word, p = first["next"][last][0]
    return Interactive(
        script="attention_explorer",
        data={"cases": cases},
        title=title,
        caption=caption,
        alt=f"Weights of “{first['tokens'][last]}” in “{' '.join(first['tokens'])}”: {told}. Next "
        f"word: {word}, probability {number(p)}.",
        header=["sentence, who asks", "next word", *(f"word {s}" for s in range(MOST_TOKENS))],
        rows=[
            [
                f"{case['name']}: {token}",
                f"{case['next'][t][0][0]} {number(case['next'][t][0][1])}",
                *(
                    f"{other} {number(case['weights'][t][s])}" if s <= t else ""
                    for s, other in enumerate(case["tokens"])
                ),
                *[""] * (MOST_TOKENS - len(case["tokens"])),
            ]
            for case in cases
            for t, token in enumerate(case["tokens"])
        ],
        draw=lambda ax: draw_weights(ax, first["tokens"], np.array(first["weights"])),
        width=5.6,
        height=3.8,
    )


def as_case(reading: Reading, symbols: Sequence[str]) -> dict:
    """A reading as the explorer's script wants it, rounded."""
    T = len(reading.tokens)
    mask = causal(T)
    scores, says = np.asarray(reading.scores, dtype=float), np.asarray(reading.says, dtype=float)
    values = [speaks_for(row, symbols) for row in says]
    return {
        "name": reading.name,
        "tokens": list(reading.tokens),
        "scores": scores.round(2).tolist(),
        "weights": reading.weights(mask).round(5).tolist(),
        "values": [[word, round(gain, 1)] for word, gain in values],
        "next": [likeliest(p, symbols) for p in reading.next_word(mask)],
    }


def speaks_for(says: np.ndarray, symbols: Sequence[str]) -> tuple[str, float]:
    """The word whose logit a value raises most, and by how much above the mean of all words."""
    best = int(np.argmax(says))
    return symbols[best], float(says[best] - np.mean(says))
