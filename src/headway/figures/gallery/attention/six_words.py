"""Drawing: one word asks, all words answer, and what it hears is the mean of their values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 92, 104, 16  # what stands beside the columns, and how wide each is
# How far down each row runs.
WORD, QUERY, KEY, SCORE, WEIGHT, VALUE, MIXED = 28, 82, 150, 214, 300, 356, 462
BAR = 60  # height of a bar that stands for all the weight


@dataclass(frozen=True)
class Asking:
    """One word's attention, in numbers.

    Attributes:
        words: T words.
        asks: the place of the word that asks.
        query: (D,) its query.
        keys: (T, D).
        values: (T, E).
        says: what the mixture leads to, the likeliest first: names and probabilities.
    """

    words: Sequence[str]
    asks: int
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    says: Sequence[tuple[str, float]]

    @property
    def products(self) -> np.ndarray:
        """(T,) query times key."""
        return self.keys @ self.query

    @property
    def scores(self) -> np.ndarray:
        """(T,) the products, divided by √D."""
        return self.products / math.sqrt(len(self.query))

    @property
    def weights(self) -> np.ndarray:
        """(T,) their softmax."""
        e = np.exp(self.scores - self.scores.max())
        return e / e.sum()

    @property
    def mixed(self) -> np.ndarray:
        """(E,) the mean of the values."""
        return self.weights @ self.values


def six_words(asking: Asking, title: str, caption: str) -> Stepped:
    """The drawing, in seven steps.

    Args:
        asking: the numbers; few words and few numbers each, so that one can read them.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there are more than eight words or more
            than two numbers in a query or in a value.
    """
    check(asking)
    words, asker = asking.words, asking.words[asking.asks]
    best = int(asking.weights.argmax())
    answer, sure = asking.says[0]
    query = ", ".join(shown(x, 1) for x in asking.query)
    alt = f"“{asker}” asks {len(words)} words with the query {query}. " + "; ".join(
        f"{word}: key {', '.join(shown(x, 1) for x in key)}, score {shown(score, 2)}, weight "
        f"{weight:.2f}"
        for word, key, score, weight in zip(
            words, asking.keys, asking.scores, asking.weights, strict=True
        )
    )
    alt += f". The mixture of the values says {answer} with probability {sure:.2f}."
    return stepped(
        draw(asking, alt),
        steps=[
            f"Six words, and “{asker}” wants to know who smells.",
            f"“{asker}” makes a query: what it is looking for, in two numbers.",
            "Every word makes a key: what it has to offer, in two numbers.",
            "Query times key, divided by √2, is a score: how well the two fit.",
            f"The softmax turns scores into weights that sum to one; “{words[best]}” gets "
            f"{asking.weights[best]:.0%}.",
            "Every word also has a value: what it says if it is listened to.",
            f"The values, each times its weight, add up to what “{asker}” hears: “{answer}”.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", "key", "q · k", "score", "weight", "value"],
        rows=[
            [
                word,
                ", ".join(shown(x, 2) for x in key),
                shown(product, 2),
                shown(score, 2),
                f"{weight:.2f}",
                ", ".join(shown(x, 2) for x in value),
            ]
            for word, key, product, score, weight, value in zip(
                words,
                asking.keys,
                asking.products,
                asking.scores,
                asking.weights,
                asking.values,
                strict=True,
            )
        ],
    )


def check(asking: Asking) -> None:
    """Raise ValueError as `six_words` says."""
    T, D = np.shape(asking.keys)
    if (len(asking.words), len(asking.query), len(asking.values)) != (T, D, T):
        raise ValueError(
            f"{len(asking.words)} words need a key and a value each, and a query as wide as the "
            f"keys; got keys {np.shape(asking.keys)}, values {np.shape(asking.values)} and a query "
            f"of {len(asking.query)}"
        )
    if T > 8 or D > 2 or np.shape(asking.values)[1] > 2 or not 0 <= asking.asks < T:
        raise ValueError(
            f"one can read up to 8 words, 2 numbers in a key and in a value; got {T}, {D} and "
            f"{np.shape(asking.values)[1]}, and word {asking.asks} asks"
        )


def draw(asking: Asking, alt: str) -> str:
    """The drawing as SVG."""
    T = len(asking.words)
    width = LEFT + T * COLUMN + RIGHT
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(T)]
    at = centers[asking.asks]
    asker = asking.words[asking.asks]
    canvas = Canvas(width, MIXED + 34, alt)

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(8, y - 8, name, "big", "start", tone=tone)
        canvas.write(8, y + 9, note, "note", "start")

    with canvas.step(1):
        for center, word in zip(centers, asking.words, strict=True):
            canvas.write(center, WORD, word, "word")
        canvas.box(at - 46, WORD - 17, 92, 34, tone="query")
        canvas.write(at, WORD, asker, "word")
    with canvas.step(2):
        label(QUERY, "query", "what I look for", "query")
        canvas.line([(at, WORD + 17), (at, QUERY - 14)], "query", 2, arrow=True)
        canvas.cells(at, QUERY, asking.query, "query")
    largest = np.abs(asking.keys).max()
    with canvas.step(3):
        label(KEY, "keys", "what I offer", "key")
        for center, key in zip(centers, asking.keys, strict=True):
            canvas.cells(center, KEY, key, "key", largest)
    bus = QUERY + 34
    with canvas.step(4):
        label(SCORE, "scores", "q · k / √2")
        canvas.line([(at, QUERY + 12), (at, bus)], "query", 2)
        canvas.line([(centers[0], bus), (centers[-1], bus)], "query", 2)
        for center, score in zip(centers, asking.scores, strict=True):
            canvas.line([(center, bus), (center, KEY - 14)], "query", 2, arrow=True, flows=True)
            canvas.line([(center, KEY + 12), (center, SCORE - 14)], "key", 2, arrow=True)
            canvas.write(center, SCORE, shown(score, 2), "big")
    floor = WEIGHT + 20
    with canvas.step(5):
        label(WEIGHT, "weights", "softmax, sum 1")
        for center, weight in zip(centers, asking.weights, strict=True):
            canvas.bar(center - 24, floor - weight * BAR, 48, max(1.5, weight * BAR), "ink")
            canvas.write(center, floor - weight * BAR - 11, f"{weight:.2f}", "big")
    largest = np.abs(asking.values).max()
    with canvas.step(6):
        label(VALUE, "values", "what I say", "value")
        for center, value in zip(centers, asking.values, strict=True):
            canvas.cells(center, VALUE, value, "value", largest)
    with canvas.step(7):
        label(MIXED, "mixture", "what is heard", "value")
        for center, weight in zip(centers, asking.weights, strict=True):
            middle = (VALUE + MIXED) / 2
            curve = [(center, VALUE + 13), (center, middle), (at, middle), (at, MIXED - 16)]
            canvas.line(curve, "value", max(0.8, 16 * weight), flows=True)
        canvas.cells(at, MIXED, asking.mixed, "value", largest)
        heard = at - 62
        canvas.line([(at - 44, MIXED), (heard, MIXED)], "value", 2, arrow=True)
        said = ", ".join(f"{name} {p:.0%}" for name, p in asking.says[1:])
        answer, sure = asking.says[0]
        canvas.write(heard - 8, MIXED - 9, f"“{answer}” {sure:.0%}", "word", "end")
        if said:
            canvas.write(heard - 8, MIXED + 11, said, "note", "end")
    return canvas.svg()
