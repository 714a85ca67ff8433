"""What a sandbox was denied: it waited, and its cores were at work for others."""

import pytest

from headway.grading.sandbox.starvation import StarvationMeter, Turns
from headway.runner.waiting import PROCESSES


def starved_seconds(cores, *measurements):
    """After measurements of (seconds since the start, seconds spent, turns of each process).

    Turns are (seconds ran, seconds waited).
    """
    told = StarvationMeter(cores, 0.0)
    told.add(0.5, 0.0, {str(n).encode(): Turns() for n in range(len(measurements[0]) - 2)})
    for now, spent, *turns in measurements:
        told.add(0.5 + now, spent, {str(n).encode(): Turns(*one) for n, one in enumerate(turns)})
    return told.seconds


def steadily(*turns):
    """Measurements after each of two seconds, with what all processes do in each."""
    for now in (1, 2):
        yield (
            now,
            now * sum(ran for ran, _ in turns),
            *((now * ran, now * waited) for ran, waited in turns),
        )


@pytest.mark.parametrize(
    ("what", "cores", "turns", "seconds"),
    [
        ("runs all the time", 1, [(1.0, 0.0)], 0),
        ("sleeps", 1, [(0.0, 0.0)], 0),
        ("shares its core with somebody", 1, [(0.5, 0.5)], 1),
        ("the same, beside one that looks now and then", 1, [(0.5, 0.5), (0.001, 0.01)], 1),
        ("three of its own share a core", 1, [(0.34, 0.66)] * 2 + [(0.32, 0.68)], 0),
        ("two of its own and one more share a core", 1, [(1 / 3, 2 / 3)] * 2, 2 / 3),
        ("several of its own wait for others", 2, [(0.0, 0.9)] * 2, 1.8),
        ("waits for others half of the time", 2, [(0.75, 0.4)] * 2, 0.8),
        ("four that wake up together", 1, [(0.1, n / 10) for n in range(4)], 0),
        ("four that wake up together on two cores", 2, [(0.2, n // 2 / 5) for n in range(4)], 0),
        ("more than a session has", 1, [(0.01, 0.9)] * (PROCESSES + 1), 0),
    ],
)
def test_waiting_counts_as_far_as_its_cores_did_something_else(what, cores, turns, seconds):
    assert starved_seconds(cores, *steadily(*turns)) == pytest.approx(seconds, abs=0.02)


@pytest.mark.parametrize(("grader", "seconds"), [(0.0, 1.0), (0.2, 0.6), (0.5, 0.0), (0.7, 0.0)])
def test_a_sandbox_that_keeps_its_grader_busy_is_denied_nothing_by_that(grader, seconds):
    """Half of each of two seconds it waited, and the grader ran a part of that on the same core."""
    told = StarvationMeter(1, 0.0)
    told.add(0.5, 0.0, {b"1": Turns()}, 5.0)
    for n in (1, 2):
        told.add(0.5 + n, n / 2, {b"1": Turns(n / 2, n / 2)}, 5.0 + n * grader)
    assert told.seconds == pytest.approx(seconds)


def test_what_runs_unseen_may_be_what_a_process_waits_for():
    assert starved_seconds(1, (1, 0.9, (0.1, 0.8)), (2, 1.8, (0.2, 1.6))) == 0


def test_where_a_process_is_started_nothing_counts():
    two = (1, 0.5, (0.5, 0.5)), (2, 1.0, (1.0, 1.0), (0.0, 0.0)), (3, 1.5, (1.5, 1.5), (0.0, 0.0))
    assert starved_seconds(1, *two) == pytest.approx(1.0)


def test_a_process_that_came_and_went_between_two_windows_was_started_too():
    told = StarvationMeter(1, 0.0)
    one, other = {b"1": Turns()}, {b"2": Turns()}
    told.add(0.5, 0.0, one)
    told.add(0.8, 0.0, one | other)
    told.add(1.0, 0.0, {b"1": Turns(0.0, 0.5)})
    assert told.seconds == 0
    told.add(1.5, 0.0, {b"1": Turns(0.0, 1.0)})
    assert told.seconds == pytest.approx(0.5)


def test_a_process_that_ends_takes_nothing_back():
    assert starved_seconds(1, (1, 0.4, (0.4, 0.6)), (2, 1.4), (3, 2.0)) == pytest.approx(0.6)


def test_measurements_that_are_close_together_are_taken_as_one():
    close = [(n / 10, n / 20, (n / 20, n / 20)) for n in range(1, 21)]
    assert starved_seconds(1, *close) == pytest.approx(1.0)
