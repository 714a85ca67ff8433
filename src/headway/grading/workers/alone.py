"""Grading again, alone, what ran out of time because others had the processors.

A sandbox's clock stands still while it waits for a processor, but not every loss is a wait: who
shares caches and memory with others runs slower as well. So a submission that ran out of time and
had waited much is graded once more at the end, when no other worker is at work.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from headway.grading.results.graded_notebook import METADATA_KEY

AGAIN = "It ran out of time while others used the processors, so we graded it again, alone."
STILL = (
    "It ran out of time again, and again others used the processors. Grade it with --force when "
    "this machine has nothing else to do."
)


class Mapper(Protocol):
    """What gives results for jobs; `headway.grading.workers.pool.Pool` does."""

    def map(self, jobs: Iterable[tuple[Any, dict]]) -> Iterator[tuple[Any, dict]]: ...


def map_with_retry(pool: Mapper, jobs: Iterable[tuple[Any, dict]]) -> Iterator[tuple[Any, dict]]:
    """Results by key, as `Pool.map`; who was starved comes last, graded again alone.

    Such a result has "remarks", sentences that say so.
    """
    under_way: dict[Any, dict] = {}
    starved: list[tuple[Any, dict, dict]] = []

    def noted() -> Iterator[tuple[Any, dict]]:
        for key, job in jobs:
            under_way[key] = job
            yield key, job

    for key, result in pool.map(noted()):
        job = under_way.pop(key)
        if is_starved(result):
            starved.append((key, job, result))
        else:
            yield key, result
    for key, job, first in starved:
        for _, second in pool.map([(key, job)]):
            yield key, graded_again(first, second)


def is_starved(result: dict) -> bool:
    """Whether a submission ran out of time, and might not have without others beside it."""
    return result.get("status") == "graded" and result.get("starved") is True


def graded_again(first: dict, second: dict) -> dict:
    """The second result of a submission that was starved, with sentences on why there are two."""
    if second["status"] != "graded":
        return second
    before, now = _points(first), _points(second)
    remarks = [AGAIN if before == now else f"{AGAIN} It had {before:g} points, and has {now:g}."]
    return {**second, "remarks": remarks + [STILL] * is_starved(second)}


def _points(result: dict) -> float:
    tasks = json.loads(result["notebook"])["metadata"][METADATA_KEY]["tasks"]
    return sum(task["score"] for task in tasks.values())
