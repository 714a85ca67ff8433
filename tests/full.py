"""The full run, `make test-full`: what takes long is done in it to the end, and else in part.

A test, or a parameter, that the short run leaves out has the mark `full`. A run for one chapter
(ONLY=08) takes what concerns this chapter all the same.
"""

import os
from collections.abc import Callable, Iterable

import pytest

FULL = "HEADWAY_FULL" in os.environ


def seeds(few: int) -> range:
    """All 20 seeds in a full run, the first few of them in a short one."""
    return range(20 if FULL else few)


def full_but(short: Callable[[object], bool], values: Iterable[object]) -> list:
    """Parameters; those for which `short` says no have the mark `full`."""
    mark = pytest.mark.full
    return [one if short(one) else pytest.param(one, marks=mark) for one in values]
