"""Chance that gives the same bytes everywhere, and held-out parts that share no sentence.

All randomness comes from `Generator.random()`: the upper 53 bits of a raw draw of PCG64 as a
number in [0, 1), scaled and rounded down to choose. Other methods of numpy's generators may
change between versions or draw differently by platform.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


def generator(seed: int) -> np.random.Generator:
    """The generator of a seed: PCG64, named, because numpy's default may change."""
    return np.random.Generator(np.random.PCG64(seed))


def choose(rng: np.random.Generator, options: Sequence[Item]) -> Item:
    """One of the options, each equally likely."""
    return options[int(rng.random() * len(options))]


def shuffled(rng: np.random.Generator, items: Sequence[Item]) -> list[Item]:
    """The items in an order drawn from all orders (sorted by one random number each)."""
    return [items[i] for i in np.argsort(rng.random(len(items)), kind="stable")]


def hold_out(
    rng: np.random.Generator,
    items: Sequence[Item],
    share: float = 0.1,
    key: Callable[[Item], Hashable] = lambda item: item,
) -> tuple[list[Item], list[Item]]:
    """Part a list in two so that nothing in one part stands in the other.

    Items with equal keys go to the same side, repeats included.

    Args:
        rng: decides which keys are held out.
        items: sentences, or tuples that hold them.
        share: of the distinct keys that is held out, in 0 … 1, rounded to the nearest.
        key: what must not be shared; the item itself if left out. For pairs in which the
            source decides the target, the target's text keeps both sides apart.

    Returns:
        kept, held_out: both in the order of `items`.

    Raises:
        ValueError: if `share` is not in 0 … 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share is a part of the whole, in 0 … 1; got {share}")
    keys = [key(item) for item in items]
    distinct = list(dict.fromkeys(keys))
    held = set(shuffled(rng, distinct)[: round(share * len(distinct))])
    kept = [item for item, k in zip(items, keys, strict=True) if k not in held]
    return kept, [item for item, k in zip(items, keys, strict=True) if k in held]
