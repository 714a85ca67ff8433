"""What wrong draws show: which tokens come, how often, and on what their choice depends."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from headway.tasks.chapters.decoding.mistakes import (
    CHANCE_FROM_ELSEWHERE,
    ONE_PLACE_OFF,
    ROWS_MIXED,
)
from headway.tasks.engine.mistakes import Misconception, Shows, seen

FAR = 4  # standard deviations

# case -> the right probabilities (B, V) and the temperature.
Right = Callable[[Any], tuple[np.ndarray, float]]


def ids_of(got, expected) -> np.ndarray:
    """The ids (B,) of an answer.

    Raises:
        ValueError: if these are no ids, one for each row.
    """
    ids = np.asarray(got, dtype=float)
    if ids.shape != np.shape(expected) or (ids != ids.round()).any():
        raise ValueError(f"expected {np.shape(expected)} ids, got {ids}")
    return ids.astype(int)


def gives(answer: Callable, *others: Callable) -> Shows:
    """Whether ids are those that an answer gives for other arguments.

    Args:
        others: the arguments between the first and the last -> those in their place.
    """

    def shows(got, expected, case) -> bool:
        logits, *given, chance = case.inputs
        ids = ids_of(got, expected)
        return any(np.array_equal(ids, answer(logits, *other(*given), chance)) for other in others)

    return shows


def one_place_off(got, expected, case) -> bool:
    """Whether ids are right or one off, most of them off, all in one direction."""
    off = ids_of(got, expected) - expected
    return bool(off.any()) and any(
        np.isin(off, (0, s)).all() and (off == s).mean() > 0.5 for s in (-1, 1)
    )


def is_likelier(ids, p, expected, sign) -> bool:
    """Whether wrong rows have likelier tokens than the right ones, or less likely for sign −1.

    A single row says nothing of it, nor against it.
    """
    rows = np.flatnonzero(ids != expected)
    gained = sign * np.log(p[rows, ids[rows]] / p[rows, expected[rows]])
    return len(ids) == 1 or (gained.mean() > 0.1 and (gained > 0).mean() >= 0.5)


def by_other_numbers(ids, p, expected) -> bool:
    """Whether ids have the right frequencies, and nothing to do with the right ids."""
    logs = np.log(np.where(p > 0, p, 1.0))
    means, same = (p * logs).sum(axis=1), (p**2).sum(axis=1)
    variance = ((p * logs**2).sum(axis=1) - means**2).sum()
    gained = (logs[np.arange(len(p)), ids] - means).sum()
    agreeing = same.sum() + FAR * np.sqrt((same * (1 - same)).sum())  # of two draws from each row
    return abs(gained) <= FAR * np.sqrt(variance) and (ids == expected).sum() < agreeing


def by_one_number(ids, p) -> bool:
    """Whether one random number for all rows explains their ids."""
    rows, above = np.arange(len(p)), p.cumsum(axis=1)
    below = above - p
    return len(ids) > 2 and below[rows, ids].max() < above[rows, ids].min()


def how_tokens_are_drawn(
    right: Right, one_number: Sequence = (), other_numbers: Sequence = ()
) -> tuple[Misconception, ...]:
    """Mistakes that show in the ids of any task that draws one token for each row.

    Args:
        one_number, other_numbers: the task's answers that draw all rows by one number, or by others
            than the generator's.
    """

    def shows(tells, got, expected, case):
        ids, (p, T) = ids_of(got, expected), right(case)
        allowed = (ids >= 0).all() and (ids < p.shape[1]).all() and p[np.arange(len(p)), ids].all()
        return bool(allowed and tells(ids, p, T, expected))

    def dropped(got, expected, case):
        p, _ = right(case)
        return not p[np.arange(len(p)), ids_of(got, expected)].all()

    def outside(got, expected, case):
        ids = ids_of(got, expected)
        return bool((ids < 0).any() or (ids >= right(case)[0].shape[1]).any())

    return (
        ONE_PLACE_OFF.by(shows=one_place_off),
        seen(
            "no-such-token",
            "Some of your ids are no token's: they are V or more, or less than 0. What does your "
            "last sum of a row come to, and which id does a row's first token have?",
            outside,
        ),
        seen(
            "dropped-tokens-drawn",
            "Tokens come that should have no probability left. Which step gives it to them, or "
            "doesn't take it away?",
            dropped,
        ),
        ROWS_MIXED.by(
            *one_number,
            shows=partial(shows, lambda ids, p, T, due: by_one_number(ids, p)),
        ),
        CHANCE_FROM_ELSEWHERE.by(
            *other_numbers,
            shows=partial(shows, lambda ids, p, T, due: by_other_numbers(ids, p, due)),
        ),
        seen(
            "likely-too-often",
            "The rows that go wrong mostly get likelier tokens than they should. Are their "
            "probabilities more uneven than those asked for, and from which step on?",
            partial(shows, lambda ids, p, T, due: is_likelier(ids, p, due, 1)),
        ),
        seen(
            "unlikely-too-often",
            "The rows that go wrong mostly get less likely tokens than they should. Are their "
            "probabilities more even than those asked for, or another row's?",
            partial(shows, lambda ids, p, T, due: is_likelier(ids, p, due, -1)),
        ),
        seen(
            "temperature-too-weak",
            "A low temperature should favor the likely tokens more than yours does, and a high one "
            "less. On which numbers does it act?",
            partial(
                shows,
                lambda ids, p, T, due: T != 1 and is_likelier(ids, p, due, np.sign(T - 1)),
            ),
        ),
        seen(
            "another-token-drawn",
            "Some rows draw another token than the one on which their random number falls. Take "
            "the first such row: which sums do you compare with which number?",
            partial(shows, lambda ids, p, T, due: True),
        ),
    )
