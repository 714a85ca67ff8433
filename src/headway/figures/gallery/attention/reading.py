"""What figures of one attention layer share: a reading of a text, and its static picture."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import number

MOST_TOKENS, SHOWN = 12, 3


@dataclass(frozen=True)
class Reading:
    """What one attention layer computes from one text, and what follows from it.

    Attributes:
        name: in the figure's menu.
        tokens: T words.
        scores: (T, T), row = who asks, column = who is asked; scaled, before the softmax.
        base: (T, V), the logits of the next word by the word itself, without attention.
        says: (T, V), what the value of each word adds to the logits if it has all the weight.
    """

    name: str
    tokens: Sequence[str]
    scores: np.ndarray
    base: np.ndarray
    says: np.ndarray

    def weights(self, mask: np.ndarray) -> np.ndarray:
        """(T, T): the softmax of the scores over what the mask (T, T) shows, or zeros."""
        mask = np.asarray(mask)
        hidden = np.where(mask, np.asarray(self.scores, dtype=float), -np.inf)
        highest = hidden.max(axis=-1, keepdims=True, initial=-1e9)
        shares = np.where(mask, np.exp(hidden - highest), 0.0)
        sums = shares.sum(axis=-1, keepdims=True)
        return np.divide(shares, sums, out=np.zeros_like(shares), where=sums > 0)

    def next_word(self, mask: np.ndarray) -> np.ndarray:
        """(T, V): the probabilities of the next word after each token, under a mask (T, T)."""
        logits = np.asarray(self.base) + self.weights(mask) @ np.asarray(self.says, dtype=float)
        shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return shares / shares.sum(axis=-1, keepdims=True)


def causal(T: int) -> np.ndarray:
    """(T, T) bool: each word sees itself and what came before."""
    return np.tri(T, dtype=bool)


def check_reading(reading: Reading, symbols: Sequence[str]) -> None:
    """Raise ValueError unless the shapes fit each other and the page."""
    T, V = len(reading.tokens), len(symbols)
    if not 1 <= T <= MOST_TOKENS:
        raise ValueError(f"the figure is legible for 1 to {MOST_TOKENS} tokens, got {T}")
    wanted = {"scores": (T, T), "base": (T, V), "says": (T, V)}
    for name, shape in wanted.items():
        given = np.asarray(getattr(reading, name), dtype=float)
        if given.shape != shape:
            raise ValueError(
                f"{name} of {reading.name!r} must be {shape} for {T} tokens and {V} symbols, got "
                f"{given.shape}"
            )
        if not np.isfinite(given).all():
            raise ValueError(f"{name} of {reading.name!r} holds numbers that are not finite")


def likeliest(p: np.ndarray, symbols: Sequence[str]) -> list[list]:
    """The words of the highest probability, with it."""
    return [[symbols[i], round(float(p[i]), 5)] for i in np.argsort(-p, kind="stable")[:SHOWN]]


def draw_weights(ax, tokens, weights, mask=None) -> None:
    """The static picture: cells shaded by weight; a cross where the mask hides.

    Weights are (T, T), `mask` too; causal if not given.
    """
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    T = len(tokens)
    mask = np.asarray(causal(T) if mask is None else mask)
    shares = np.ma.masked_where(~mask, np.asarray(weights, dtype=float))
    fading = LinearSegmentedColormap.from_list(
        "weights", [(*to_rgb("C0"), 0), (*to_rgb("C0"), 0.7)]
    )
    # One image takes fewer bytes than a path for each cell.
    ax.imshow(
        shares, fading, vmin=0, vmax=1, extent=(0, T, T, 0), aspect="auto", interpolation="none"
    )
    ax.set(xlim=(0, T), ylim=(T, 0))
    ax.grid(False)
    ax.tick_params(length=0)
    ax.xaxis.tick_top()
    ax.set_xticks(np.arange(T) + 0.5, tokens, rotation=45, ha="left", size=9)
    ax.set_yticks(np.arange(T) + 0.5, tokens, size=9)
    for spine in ax.spines.values():
        spine.set_visible(False)
    rows, columns = np.nonzero(~mask)
    half = np.array([-0.06, 0.06, np.nan])  # the pen goes down, across, and up
    for slope in (1, -1):
        across, down = np.add.outer(columns, half), np.add.outer(rows, slope * half)
        ax.plot(across.ravel() + 0.5, down.ravel() + 0.5, color="C4", lw=1)
    for t, s in np.argwhere(mask):
        w = float(weights[t, s])
        if w >= 0.005:  # what would be printed as 0 is left blank, to keep the picture small
            ax.text(s + 0.5, t + 0.5, number(w, 2), ha="center", va="center", size=8)
