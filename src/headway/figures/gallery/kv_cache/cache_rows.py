"""Drawing: a cache of keys and values that gets one more row with each word of a text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, CELL, BETWEEN = 84, 32, 92  # the words, a cell's width, and what the weights take
SQUARE, GAP, COUNT = 12, 26, 46  # a row of work, the space before it, and a column of counts
TOP, ROW = 96, 30  # where the first slot is, and from one slot to the next
BAR = 28  # the longest bar of a weight
MOST_WORDS, MOST_NUMBERS = 12, 8


@dataclass(frozen=True)
class Cached:
    """What one head keeps while a model writes, and what one of its words makes of it.

    Attributes:
        words: T tokens that are read.
        prompt: how many of them are there at first, and are read at once.
        keys, values: (T, D).
        asks: the place of the word whose attention is shown, after the prompt.
        query: (D,) its query.
        weights: (asks + 1,) what it gives to each word up to itself.
        mixed: (D,) the values, weighted.
        next: the word that the model writes then, and its probability.
    """

    words: Sequence[str]
    prompt: int
    keys: np.ndarray
    values: np.ndarray
    asks: int
    query: np.ndarray
    weights: np.ndarray
    mixed: np.ndarray
    next: tuple[str, float]


def cache_rows(cached: Cached, title: str, caption: str) -> Stepped:
    """The drawing: a step for the prompt, one for each word, and two for the word that asks.

    Args:
        cached: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there is too much to read.
    """
    check(cached)
    asker, most = cached.words[cached.asks], int(np.argmax(cached.weights))
    found = f"“{cached.words[most]}” fits best, with a weight of {cached.weights[most]:.2f}"
    said = f"“{cached.next[0]}” ({cached.next[1]:.0%})"
    kept, again = counts(cached)
    alt = (
        f"A cache with a row for each of {', '.join(cached.words)}: a key and a value. “{asker}” "
        f"asks: {found}. The model writes {said}. Rows computed in all: {kept[-1]} with the "
        f"cache, {again[-1]} without."
    )
    sentences = [
        f"The prompt: {cached.prompt} words are read at once, and each leaves a key and a value."
    ]
    for i, t in enumerate(range(cached.prompt, len(cached.words)), 1):
        sentences.append(
            f"“{cached.words[t]}” is read, alone; its key and value go into the next free row. "
            f"{kept[i]} rows computed so far, and {again[i]} without the cache."
        )
        if t == cached.asks:
            sentences += [
                f"Now “{asker}” asks. Its query meets every key that is stored: {found}.",
                "The stored values are mixed with these weights. With what the other heads bring, "
                f"the model writes {said}, and the query is forgotten.",
            ]
    return stepped(
        draw(cached, alt),
        steps=sentences,
        title=title,
        caption=caption,
        alt=alt,
        header=["word", "key", "value", f"weight that “{asker}” gives"],
        rows=[
            [
                word,
                *(", ".join(f"{x:.2f}" for x in part[t]) for part in (cached.keys, cached.values)),
                f"{cached.weights[t]:.2f}" if t <= cached.asks else "not there yet",
            ]
            for t, word in enumerate(cached.words)
        ],
    )


def counts(cached: Cached) -> tuple[list[int], list[int]]:
    """Rows computed up to each time that something is read: with the cache, and without."""
    lengths = range(cached.prompt, len(cached.words) + 1)
    return list(lengths), np.cumsum(lengths).tolist()


def check(cached: Cached) -> None:
    """Raise ValueError as `cache_rows` says."""
    T, D = len(cached.words), np.shape(cached.query)[-1]
    given = [np.shape(part) for part in (cached.keys, cached.values, cached.weights, cached.mixed)]
    if given != [(T, D), (T, D), (cached.asks + 1,), (D,)]:
        raise ValueError(
            f"{T} words and a query of {D} need keys and values ({T}, {D}), "
            f"{cached.asks + 1} weights and {D} mixed numbers; got {given}"
        )
    if not 1 <= cached.prompt <= cached.asks < T:
        raise ValueError(
            f"the word that asks comes after the prompt; got a prompt of {cached.prompt} of {T} "
            f"words, and word {cached.asks} asks"
        )
    if T > MOST_WORDS or D > MOST_NUMBERS:
        raise ValueError(
            f"one can read up to {MOST_WORDS} words of {MOST_NUMBERS} numbers, got {T} of {D}"
        )


def draw(cached: Cached, alt: str) -> str:
    """The drawing as SVG."""
    T, D = np.shape(cached.keys)
    wide = D * CELL
    keys = LEFT + wide / 2  # the middles of the two halves of the cache
    values = keys + wide + BETWEEN
    bars = LEFT + wide + 26
    right = values + wide / 2  # where the cache ends, and the work begins
    work = right + GAP
    cached_at, again_at = (work + T * SQUARE + COUNT * (i + 0.5) for i in range(2))
    bottom = TOP + T * ROW
    canvas = Canvas(again_at + COUNT / 2 + 10, bottom + 62, alt)
    rows = [TOP + (t + 0.5) * ROW for t in range(T)]
    largest = [float(np.abs(part).max()) for part in (cached.keys, cached.values)]
    kept, again = counts(cached)

    def fill(t: int) -> None:
        canvas.write(LEFT - 8, rows[t], cached.words[t], "end", "big")
        canvas.cells(keys, rows[t], cached.keys[t], "key", largest[0], width=CELL)
        canvas.cells(values, rows[t], cached.values[t], "value", largest[1], width=CELL)

    def computed(t: int, new: int, place: int) -> None:
        """The rows computed when word t is the newest: new ones full, old ones hollow."""
        for i in range(t + 1):
            x, side = work + i * SQUARE, SQUARE - 3
            if i > t - new:
                canvas.bar(x, rows[t] - side / 2, side, side, "ink")
            else:
                canvas.box(x + 1, rows[t] - side / 2 + 1, side - 2, side - 2)
        canvas.write(cached_at, rows[t], str(kept[place]), "big")
        canvas.write(again_at, rows[t], str(again[place]))

    with canvas.step(1):
        canvas.write(keys, TOP - 14, "keys", "big", tone="key")
        canvas.write(values, TOP - 14, "values", "big", tone="value")
        canvas.write(work, TOP - 32, "rows computed", "start")
        canvas.write(work, TOP - 14, "■ new  ○ again", "note", "start")
        for x, name in ((cached_at, "with"), (again_at, "without")):
            canvas.write(x, TOP - 32, name, "note")
            canvas.write(x, TOP - 14, "cache", "note")
        for t in range(cached.prompt):
            fill(t)
        computed(cached.prompt - 1, cached.prompt, 0)
    step = 1
    for place, t in enumerate(range(cached.prompt, T), 1):
        step += 1
        with canvas.step(step):
            fill(t)
            computed(t, 1, place)
        if t != cached.asks:
            continue
        with canvas.step(step + 1):
            y = 30
            canvas.write(LEFT - 8, y, cached.words[t], "end", "big", tone="query")
            canvas.cells(keys, y, cached.query, "query", width=CELL)
            canvas.write(keys, y - 22, "query", "big", tone="query")
            canvas.line(
                [(LEFT + wide + 4, y), (bars - 12, y), (bars - 12, rows[t])], "query", 2, arrow=True
            )
            canvas.write(bars + 28, TOP - 14, "weights", "note")
            for weight, row in zip(cached.weights, rows, strict=False):
                long = max(1.5, float(weight) * BAR)
                canvas.bar(bars, row - 7, long, 14, "query")
                canvas.write(bars + long + 4, row, f"{weight:.2f}", "note", "start")
        with canvas.step(step + 2):
            y, end = bottom + 22, right + 16
            for weight, row in zip(cached.weights, rows, strict=False):
                if weight >= 0.02:
                    canvas.line(
                        [(right + 1, row), (end + 8, row), (end + 8, y), (right + 3, y)],
                        "value", max(0.8, 10 * float(weight)), flows=True,
                    )  # fmt: skip
            canvas.cells(values, y, cached.mixed, "value", width=CELL)
            canvas.write(values - wide / 2 - 10, y, "mixed", "end", "big", tone="value")
            word, p = cached.next
            canvas.write(values, y + 26, f"→ {word}, {p:.0%}", "big")
        step += 2
    return canvas.svg()
