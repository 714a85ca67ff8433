"""One-hot vectors and lookups beside the libraries': ratios of median times, measured in turn.

    python benchmarks/one_hot.py

A ratio above 1 means that `headway` is slower. The two sides of a row run alternately, so that what
disturbs the machine disturbs both.
"""

import statistics
import timeit

import numpy as np
import torch
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from headway.text.vocabulary import Vocabulary, look_up, one_hot

ROUNDS = 15


def ratio(ours, theirs, number: int) -> tuple[float, float, float]:
    """Median seconds of ours and of theirs, and the median of the ratios round by round."""
    ours(), theirs()
    pairs = [
        (timeit.timeit(ours, number=number) / number, timeit.timeit(theirs, number=number) / number)
        for _ in range(ROUNDS)
    ]
    mine, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    return mine, other, statistics.median(a / b for a, b in pairs)


def arrays(batch: tuple[int, ...], size: int) -> list[tuple]:
    """Rows (what, peer, ours, theirs, repeats) for ids of one shape."""
    rng = np.random.default_rng(0)
    ids, rows = rng.integers(size, size=batch), rng.normal(size=(size, 64))
    torch_ids, torch_rows = torch.from_numpy(ids), torch.from_numpy(rows)
    functional = torch.nn.functional

    def vectors():
        return one_hot(ids, size)

    def looked_up():
        return look_up(ids, rows)

    return [
        ("one-hot", "np.eye(V)[ids]", vectors, lambda: np.eye(size)[ids], 3),
        (
            "one-hot",
            "torch one_hot().double()",
            vectors,
            lambda: functional.one_hot(torch_ids, size).double(),
            3,
        ),
        ("lookup", "table[ids]", looked_up, lambda: rows[ids], 200),
        (
            "lookup",
            "torch embedding()",
            looked_up,
            lambda: functional.embedding(torch_ids, torch_rows),
            200,
        ),
    ]


def words(known: int, length: int) -> list[tuple]:
    """The row for encoding a text of known words."""
    names = [f"w{i}" for i in range(known)]
    vocabulary, ids_of = Vocabulary(names), {name: i for i, name in enumerate(names)}
    text = [str(word) for word in np.random.default_rng(0).choice(names, length)]
    return [
        (
            "encode",
            "[ids_of[w] for w in text]",
            lambda: vocabulary.encode(text),
            lambda: np.array([ids_of[word] for word in text]),
            1,
        )
    ]


def main() -> None:
    torch.set_num_threads(1)
    sizes = [((32,), 1_000), ((64, 128), 1_000), ((8, 64), 20_000)]
    groups = [(f"{batch} of {size:,}", arrays(batch, size)) for batch, size in sizes]
    groups.append(("100,000 words", words(20_000, 100_000)))
    table = Table(title="headway beside its peers")
    for name in ("what", "size", "peer"):
        table.add_column(name)
    for name in ("headway, µs", "peer, µs", "ratio"):
        table.add_column(name, justify="right")
    for size, rows in groups:
        for what, peer, ours, theirs, number in rows:
            mine, other, relative = ratio(ours, theirs, number)
            numbers = (f"{mine * 1e6:,.1f}", f"{other * 1e6:,.1f}", f"{relative:.2f}")
            table.add_row(what, size, escape(peer), *numbers)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
