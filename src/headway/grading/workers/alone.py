"""Grade a submission again, alone, if it ran out of time on a busy machine.

A sandbox's clock stops while it waits for a processor, but sharing caches and memory also makes it
slower. So a submission that ran out of time after long waits is graded once more at the end, when
all other workers are idle.
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
    """Returns results for jobs, as `headway.grading.workers.pool.Pool` does."""

    def map(self, jobs: Iterable[tuple[Any, dict]]) -> Iterator[tuple[Any, dict]]: ...


def map_with_retry(pool: Mapper, jobs: Iterable[tuple[Any, dict]]) -> Iterator[tuple[Any, dict]]:
    """As `Pool.map`, but starved submissions are graded again, alone, at the end.

    Their results have "remarks", sentences that say so.
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
    """Whether a submission ran out of time that might have finished on an idle machine."""
    return result.get("status") == "graded" and result.get("starved") is True


def graded_again(first: dict, second: dict) -> dict:
    """The second result of a starved submission, with remarks on why there are two."""
    if second["status"] != "graded":
        return second
    before, now = _points(first), _points(second)
    remarks = [AGAIN if before == now else f"{AGAIN} It had {before:g} points, and has {now:g}."]
    return {**second, "remarks": remarks + [STILL] * is_starved(second)}


def _points(result: dict) -> float:
    tasks = json.loads(result["notebook"])["metadata"][METADATA_KEY]["tasks"]
    return sum(task["score"] for task in tasks.values())
