"""One-hot vectors and lookups beside the libraries'.

    python benchmarks/one_hot.py

A ratio above 1 means that `headway` is slower.
"""

from collections.abc import Iterator

import numpy as np
import torch
from measure import Case, report
from torch.nn import functional

from headway.text.vocabulary import Vocabulary, look_up, one_hot


def arrays(batch: tuple[int, ...], size: int) -> Iterator[Case]:
    """Vectors and rows of ids of one shape."""
    rng = np.random.default_rng(0)
    ids, rows = rng.integers(size, size=batch), rng.normal(size=(size, 64))
    torch_ids, torch_rows = torch.from_numpy(ids), torch.from_numpy(rows)
    yield Case(
        f"one-hot, {batch} of {size:,}",
        lambda: one_hot(ids, size),
        {
            "np.eye(V)[ids]": lambda: np.eye(size)[ids],
            "torch one_hot().double()": lambda: functional.one_hot(torch_ids, size).double(),
        },
    )
    yield Case(
        f"lookup, {batch} of {size:,}",
        lambda: look_up(ids, rows),
        {
            "table[ids]": lambda: rows[ids],
            "torch embedding()": lambda: functional.embedding(torch_ids, torch_rows),
        },
    )


def words(known: int, length: int) -> Case:
    """Encoding a text of known words."""
    names = [f"w{i}" for i in range(known)]
    vocabulary, ids_of = Vocabulary(names), {name: i for i, name in enumerate(names)}
    text = [str(word) for word in np.random.default_rng(0).choice(names, length)]
    return Case(
        f"encode {length:,} words",
        lambda: vocabulary.encode(text),
        {"[ids_of[w] for w in text]": lambda: np.array([ids_of[word] for word in text])},
    )


def cases() -> Iterator[Case]:
    """Small, usual and large ids, and a text."""
    for batch, size in (((32,), 1_000), ((64, 128), 1_000), ((8, 64), 20_000)):
        yield from arrays(batch, size)
    yield words(20_000, 100_000)


if __name__ == "__main__":
    report("one_hot", "One-hot vectors and lookups", cases())
