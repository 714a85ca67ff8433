"""What a session waited for a processor is given back to whatever runs in it."""

import os

import pytest

from headway.runner import channel, waiting
from headway.runner.channel import Alarm
from headway.runner.waiting import waited


@pytest.fixture
def alarm(monkeypatch):
    """An alarm over a process that has waited so long each time it is asked: alarm(0, 0.5, …)."""

    def make(*seconds):
        times, rung, set_for = iter(seconds), [], []
        monkeypatch.setattr(channel, "waited", lambda: next(times))
        monkeypatch.setattr(channel, "_timer", lambda which, first, *again: set_for.append(first))
        monkeypatch.setattr(channel, "_signal", lambda *arguments: None)
        made = Alarm(lambda *arguments: rung.append(True), 5)
        made.rung, made.set_for = rung, set_for
        return made

    return make


def test_an_alarm_rings_later_by_what_was_waited_for(alarm):
    made = alarm(0.0, 2.0, 2.5, 2.5)
    with made:
        made._ring()
        made._ring()
        assert (made.set_for, made.rung) == ([5, 2.0, 0.5], [])
        made._ring()
        assert made.rung == [True]


def test_what_was_waited_before_it_was_set_does_not_count(alarm):
    made = alarm(7.0, 7.05)
    with made:
        made._ring()
    assert made.rung == [True]


def test_the_kernel_tells_how_long_a_process_has_waited(monkeypatch):
    monkeypatch.setattr(waiting, "_listdir", lambda folder: ["1", "2", "self"])
    with open("/proc/self/schedstat") as file:
        before = int(file.read().split()[1]) / 1e9
    assert waited() >= before
    assert waited(os.getpid()) >= before


@pytest.mark.parametrize("process", ["0", "nobody"])
def test_where_nothing_is_told_nothing_was_waited_for(process, monkeypatch):
    monkeypatch.setattr(waiting, "_listdir", lambda folder: ["1"])
    assert waited(process) == 0


def test_who_has_made_many_processes_may_wait_for_them(monkeypatch):
    monkeypatch.setattr(waiting, "_listdir", lambda folder: [str(n) for n in range(1, 9)])
    assert waited() == 0
