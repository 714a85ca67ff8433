"""Models by counts that know less than the right one, or answer for another byte."""

import numpy as np

from headway.tasks.chapters.capstone.counting import (
    SIZE,
    agreeing,
    counted,
    fit,
    predict,
    remembered,
)

BYTES = 256
SYMBOLS = "symbols"


def counting(order: int):
    """The right model without a memory, and with a context of so many bytes."""

    def by_counts(numbers, seen):
        P = np.zeros((len(seen), BYTES))
        P[:, numbers[SYMBOLS].astype(int)] = counted(numbers, seen, order)
        return P

    return fit, by_counts


def known_of_names(numbers, seen):
    """Knows the name of the story, and not which noun it stands for."""
    P = counting(3)[1](numbers, seen)
    return np.array([remembered(p, bytes(row)) for p, row in zip(P, seen, strict=True)])


def weakly_remembering(numbers, seen):
    """Looks at the name of the story, and hardly trusts it."""
    P = np.zeros((len(seen), BYTES))
    P[:, numbers[SYMBOLS].astype(int)] = agreeing(numbers, seen, counted(numbers, seen))
    rows = zip(P, seen, strict=True)
    return np.array([remembered(p, bytes(row), sure=0.02, likely=0.02) for p, row in rows])


def one_byte_late(numbers, seen):
    """The probabilities of the byte that was seen last, by what came before it."""
    return predict(numbers, seen[:, :-1] if seen.shape[1] > 1 else seen)


def counting_once(order: int, smooth: float):
    """Counts of runs of which each is counted once, with as much left for the shorter ones."""

    def by_kinds(numbers, seen):
        ids, V = np.searchsorted(numbers[SYMBOLS], seen), len(numbers[SYMBOLS])
        shares = np.full((len(seen), V), 1 / V)
        for n in range(min(order, seen.shape[1]) + 1):
            context = ids[:, seen.shape[1] - n :] @ SIZE ** np.arange(n)[::-1] * SIZE
            followed = np.isin(context[:, None] + np.arange(V), numbers[f"runs {n}"])
            kinds = followed.sum(1, keepdims=True)
            shares = (followed + smooth * shares) / (kinds + smooth)
        P = np.zeros((len(seen), BYTES))
        P[:, numbers[SYMBOLS].astype(int)] = shares
        return P

    return fit, by_kinds


def all_counted_once(numbers):
    return {
        name: np.ones_like(x) if name.startswith("counts") else x for name, x in numbers.items()
    }
