"""Figure: what temperature, top-k and top-p leave of a model's distribution."""

from collections.abc import Mapping, Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

SHOWN, MOST_TOKENS = 12, 1_000
TEMPERATURES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0)
KS = (1, 2, 3, 5, 10, 20, 40, 80, 160, 320)  # and after them no limit
PS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


def nucleus(
    beginnings: Mapping[str, Sequence[float]],
    words: Sequence[str],
    title: str,
    caption: str,
    p: float = 0.9,
) -> Interactive:
    """The likeliest next words after a beginning, before and after the filters.

    Args:
        beginnings: for each text to choose from, the logits (V,) of the word after it.
        words: V names.
        title, caption: as printed.
        p: of top-p at first, one of `PS`; the temperature is 1 and k has no limit.

    Raises:
        ValueError: if there is no beginning, the shapes do not fit each other or the page, a logit
            is not finite, or p is none of the stops.
    """
    V = len(words)
    logits = {text: np.asarray(row, dtype=float) for text, row in beginnings.items()}
    if not logits or not SHOWN < V <= MOST_TOKENS:
        raise ValueError(
            f"the figure needs a beginning and {SHOWN + 1} to {MOST_TOKENS} words, got "
            f"{len(logits)} and {V}"
        )
    if any(row.shape != (V,) or not np.isfinite(row).all() for row in logits.values()):
        raise ValueError(f"after each beginning there must be {V} finite logits, one for each word")
    if p not in PS:
        raise ValueError(f"p is one of {PS}, got {p}")
    sizes = {text: [reach(row, stop) for stop in PS] for text, row in logits.items()}
    first, row = next(iter(logits.items()))
    return Interactive(
        script="nucleus",
        data={
            "words": [str(word) for word in words],
            "beginnings": [
                {"text": text, "logits": (row - row.max()).round(3).tolist()}
                for text, row in logits.items()
            ],
            "shown": SHOWN,
            "temperatures": list(TEMPERATURES),
            "ks": [k for k in KS if k < V],
            "ps": list(PS),
            "start": {"temperature": TEMPERATURES.index(1.0), "p": PS.index(p)},
        },
        title=title,
        caption=caption,
        alt=f"Bars of the {SHOWN} likeliest words after “{first}”. The nucleus for p = {p} has "
        + ", ".join(
            f"{held[PS.index(p)]} of {V} words after “{text}”" for text, held in sizes.items()
        )
        + ".",
        header=["words in the nucleus after", *(f"p = {stop}" for stop in PS)],
        rows=[[text, *map(str, held)] for text, held in sizes.items()],
        draw=lambda ax: draw_nucleus(ax, row, words, first, reach(row, p)),
        width=6.0,
        height=3.4,
    )


def shares(logits: np.ndarray) -> np.ndarray:
    """The probabilities (V,) of logits, the largest first."""
    powers = np.exp(np.sort(logits)[::-1] - logits.max())
    return powers / powers.sum()


def reach(logits: np.ndarray, p: float) -> int:
    """How many of the likeliest words reach p together, to rounding."""
    reached = np.cumsum(shares(logits))
    return len(reached) if p == 1 else int(np.searchsorted(reached, p - 1e-6)) + 1


def draw_nucleus(ax, logits: np.ndarray, words: Sequence[str], text: str, size: int) -> None:
    """The static picture: the likeliest words, those of the nucleus in color."""
    order = np.argsort(-logits, kind="stable")[:SHOWN]
    values = shares(logits)[:SHOWN]
    hues = ["C0" if place < size else "C7" for place in range(SHOWN)]
    ax.barh(range(SHOWN), values, color=hues, height=0.65)
    for place, value in enumerate(values):
        ax.text(value, place, f" {number(value)}", va="center", size=9)
    ax.set_yticks(range(SHOWN), [words[i] for i in order])
    ax.set(
        ylim=(SHOWN - 0.4, -0.6), xlim=(0, 1.18 * values[0]), xlabel=f"probability after “{text}”"
    )
    ax.grid(axis="y", visible=False)
