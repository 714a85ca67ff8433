"""The full run, `make test-full`: what takes long is done in it to the end, and else in part.

A test, or a parameter, that the short run leaves out has the mark `full`. A run for one chapter
(ONLY=08) takes what concerns this chapter all the same, but not what has the mark
`full(chapter=False)`: there other tests prove what concerns the chapter, in less time.
"""

import os
from collections.abc import Callable, Iterable

import pytest

FULL = "HEADWAY_FULL" in os.environ


def seeds(few: int) -> range:
    """All 20 seeds in a full run, the first few of them in a short one."""
    return range(20 if FULL else few)


def left_out(item: pytest.Item, chapter: str | None) -> bool:
    """Whether a short run leaves a test out; that of one chapter, if one is given."""
    mark = None if FULL else item.get_closest_marker("full")
    return mark is not None and (chapter is None or not mark.kwargs.get("chapter", True))


def full_but(short: Callable[[object], bool], values: Iterable[object]) -> list:
    """Parameters; those for which `short` says no have the mark `full`."""
    mark = pytest.mark.full
    return [one if short(one) else pytest.param(one, marks=mark) for one in values]
