"""Drawing: a cache of keys and values that gets one more row with each word of a text."""

import numpy as np

from headway.figures.gallery.kv_cache.over_time import Cached, counts, draw
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_WORDS, MOST_NUMBERS = 12, 8


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
        draw(cached, True, alt).svg(),
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
        upright=draw(cached, False, alt).svg(upright=True),
    )


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
