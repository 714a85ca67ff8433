"""Figures: look into a trained attention layer word by word, and paint its mask."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

MOST_TOKENS, MOST_CASES, SHOWN = 12, 6, 3


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


def speaks_for(says: np.ndarray, symbols: Sequence[str]) -> tuple[str, float]:
    """The word whose logit a value raises most, and by how much above the mean of all words."""
    best = int(np.argmax(says))
    return symbols[best], float(says[best] - np.mean(says))


def likeliest(p: np.ndarray, symbols: Sequence[str]) -> list[list]:
    """The words of the highest probability, with it."""
    return [[symbols[i], round(float(p[i]), 5)] for i in np.argsort(-p, kind="stable")[:SHOWN]]


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


def draw_weights(ax, tokens, weights, mask=None) -> None:
    """The static picture: cells shaded by weight; a cross where the mask hides.

    Weights are (T, T), `mask` too; causal if not given.
    """
    T = len(tokens)
    mask = causal(T) if mask is None else mask
    ax.set(xlim=(0, T), ylim=(T, 0))
    ax.grid(False)
    ax.tick_params(length=0)
    ax.xaxis.tick_top()
    ax.set_xticks(np.arange(T) + 0.5, tokens, rotation=45, ha="left", size=9)
    ax.set_yticks(np.arange(T) + 0.5, tokens, size=9)
    for spine in ax.spines.values():
        spine.set_visible(False)
    rows, columns = np.nonzero(~mask)
    ax.plot(columns + 0.5, rows + 0.5, "x", color="C4", ms=3.5, mew=1)
    for t, s in np.argwhere(mask):
        w = float(weights[t, s])
        if w >= 0.005:  # what would be printed as 0 is left blank, to keep the picture small
            ax.fill([s, s + 1, s + 1, s], [t, t, t + 1, t + 1], color="C0", alpha=0.7 * w, lw=0)
            ax.text(s + 0.5, t + 0.5, number(w, 2), ha="center", va="center", size=8)
