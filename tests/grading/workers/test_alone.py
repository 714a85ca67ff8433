"""Who ran out of time for want of a processor is graded again, when nobody else is at work."""

import json

import pytest

from headway.grading.workers.alone import AGAIN, STILL, map_with_retry


def result(points, starved=False):
    notebook = {"metadata": {"headway": {"tasks": {"a": {"score": points}, "b": {"score": 1}}}}}
    return {"status": "graded", "notebook": json.dumps(notebook), "starved": starved}


class Pool:
    """Gives prepared results, and notes which jobs were under way together."""

    def __init__(self, **results):
        self.results, self.together = results, []

    def map(self, jobs):
        jobs = list(jobs)
        self.together.append([key for key, _ in jobs])
        for key, job in jobs:
            assert job == {"of": key}
            yield key, self.results[key].pop(0)


def graded(pool):
    return list(map_with_retry(pool, [(key, {"of": key}) for key in pool.results]))


def test_who_was_starved_is_graded_again_alone_and_comes_last():
    pool = Pool(ann=[result(1, True), result(4)], bob=[result(2)], cy=[result(0, True), result(0)])
    results = graded(pool)
    assert [key for key, _ in results] == ["bob", "ann", "cy"]
    assert pool.together == [["ann", "bob", "cy"], ["ann"], ["cy"]]
    remarks = {key: one.get("remarks") for key, one in results}
    assert remarks["bob"] is None
    assert remarks["ann"] == [f"{AGAIN} It had 2 points, and has 5."]
    assert remarks["cy"] == [AGAIN]


def test_who_is_starved_alone_as_well_has_that_said_and_is_not_tried_for_ever():
    pool = Pool(ann=[result(1, True), result(1, True)])
    ((_, again),) = graded(pool)
    assert again["remarks"] == [AGAIN, STILL]


@pytest.mark.parametrize("status", ["set-aside", "fault"])
def test_what_is_not_graded_the_second_time_stays_so(status):
    last = {"status": status, "reason": "something"}
    assert graded(Pool(ann=[result(1, True), last])) == [("ann", last)]
