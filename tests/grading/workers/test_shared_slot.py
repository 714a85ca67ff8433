"""The slot that a Jupyter server keeps: one worker, whatever is clicked, and none when idle."""

import threading

import pytest

from headway.grading.workers.shared_slot import SharedSlot
from tests.hostile.programs import wait_for


class Recorded:
    """In the place of a slot: notes what is done with it."""

    made: list["Recorded"]

    def __init__(self):
        self.jobs, self.ended = [], ""
        self.made.append(self)

    def grade(self, job):
        assert not self.ended
        self.jobs.append(job)
        if job == "interrupt":
            raise KeyboardInterrupt
        return {"status": "graded", "of": job}

    def close(self):
        self.ended = "closed"

    def kill(self):
        self.ended = "killed"


@pytest.fixture
def made(monkeypatch):
    monkeypatch.setattr(Recorded, "made", [], raising=False)
    return Recorded.made


def test_two_hundred_jobs_take_one_worker_and_one_timer(made):
    slot, before = SharedSlot(Recorded), threading.active_count()
    for job in range(200):
        assert slot.grade(job) == {"status": "graded", "of": job}
    assert [len(one.jobs) for one in made] == [200]
    # Timers that were stopped take a moment to end.
    wait_for(lambda: threading.active_count() <= before + 1)
    slot.close()
    assert made[0].ended == "closed"
    wait_for(lambda: threading.active_count() == before)


def test_an_idle_worker_ends_and_the_next_job_starts_another(made):
    slot = SharedSlot(Recorded, idle_seconds=0.05)
    slot.grade("first")
    wait_for(lambda: made[0].ended == "closed")
    assert slot.grade("second") == {"status": "graded", "of": "second"}
    assert [one.jobs for one in made] == [["first"], ["second"]]
    wait_for(lambda: made[1].ended == "closed")


def test_a_worker_whose_job_was_interrupted_takes_no_other(made):
    slot = SharedSlot(Recorded)
    with pytest.raises(KeyboardInterrupt):
        slot.grade("interrupt")
    assert made[0].ended == "killed"
    slot.grade("next")
    assert made[1].jobs == ["next"]
    slot.close()
