"""Three ways to write words with a model that is asked one question at a time, and that lose.

A strategy is a function (model, V, start, steps, budget) → ids: `model(a, b)` gives ln P (V,) of
the next word after the words a and b, and is one question; `start` are two words, and at most
`budget` questions may be asked, no fewer than `steps`.
"""

from collections.abc import Callable, Sequence

import numpy as np

Model = Callable[[int, int], np.ndarray]


def greedy(model: Model, V: int, start: Sequence[int], steps: int, budget: int) -> list[int]:
    """The likeliest word at each step; it asks `steps` questions."""
    words = list(start)
    for _ in range(steps):
        words.append(int(model(*words[-2:]).argmax()))
    return words[2:]


def best_of_samples(
    model: Model, V: int, start: Sequence[int], steps: int, budget: int
) -> list[int]:
    """The likeliest of as many samples as the budget allows."""
    rng, found = np.random.default_rng(0), []
    for _ in range(budget // steps):
        words, total = list(start), 0.0
        for _ in range(steps):
            log_p = model(*words[-2:])
            words.append(int(rng.choice(V, p=np.exp(log_p) / np.exp(log_p).sum())))
            total += log_p[words[-1]]
        found.append((total, words[2:]))
    return max(found)[1]


def narrow_beam(
    model: Model,
    V: int,
    start: Sequence[int],
    steps: int,
    budget: int,
    width: int | None = None,
) -> list[int]:
    """A beam, as wide as the budget allows where no width is given; no hypothesis ends."""
    width = width or budget // steps
    living = [(0.0, list(start))]
    for _ in range(steps):
        grown = []
        for log_p, words in living:
            row = model(*words[-2:])
            likeliest = np.argsort(-row)[:width].tolist()  # no more children of one can live on
            grown += [(log_p + row[w], [*words, w]) for w in likeliest]
        living = sorted(grown, reverse=True)[:width]
    return living[0][1][2:]
