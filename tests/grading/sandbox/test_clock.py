"""The clock of a session: what others on the machine do neither drives nor stops it."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from headway.grading.sandbox import session as module
from headway.grading.sandbox.clock import LONGEST, Clock
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.session import Session
from headway.grading.sandbox.usage import Usage, states_of
from tests.hostile.programs import wait_for

ONE, TWO = b"1", b"2"
LOOP_IN_A_THREAD = "import threading\nthreading.Thread(target=lambda: any(iter(int, 1))).start()"


def seconds(*looks, awaited=True, every=0.1):
    """What a clock shows after looks of (processor seconds so far, state, processes)."""
    clock = Clock(0.0)
    clock.add(0.0, usage(0.0, ""), awaited)
    for n, look in enumerate(looks, 1):
        clock.add(n * every, usage(*look), awaited)
    return pytest.approx(clock.seconds)


def usage(spent, state, processes=(ONE,)):
    return Usage(0, spent, dict.fromkeys(processes, 0.0), state == "R", state == "D")


@pytest.mark.parametrize(
    ("what", "looks", "passed"),
    [
        ("computes all the time", [(0.1 * n, "R") for n in range(1, 101)], 10),
        ("gets a tenth of a processor", [(0.01 * n, "R") for n in range(1, 101)], 1),
        ("waits for a processor all the time", [(0.0, "R")] * 100, 0),
        ("sleeps", [(0.0, "")] * 100, 10),
        ("computes a little and sleeps", [(0.001 * n, "") for n in range(1, 101)], 10),
        ("computes on two cores", [(0.2 * n, "R") for n in range(1, 101)], 20),
        ("waits for a disk and computes", [(0.01 * n, "D") for n in range(1, 101)], 1),
        ("waits for its child as vfork() does", [(0.0, "D")] * 100, 10),
        ("starts processes that end", [(0.0, "R", (str(n).encode(),)) for n in range(100)], 10),
        ("has several processes", [(0.01 * n, "R", (ONE, TWO)) for n in range(1, 101)], 1.09),
    ],
)
def test_what_counts_is_processor_time_and_sleep(what, looks, passed):
    assert seconds(*looks) == passed


def test_a_session_that_waits_for_us_does_not_sleep():
    assert seconds(*[(0.0, "")] * 100, awaited=False) == 0
    assert seconds(*[(0.1 * n, "R") for n in range(1, 101)], awaited=False) == 10


def test_who_was_kept_from_looking_does_not_take_all_of_it_for_sleep():
    assert seconds((0.0, ""), (0.0, ""), every=60.0) == 2 * LONGEST


class Monitor:
    """Tells the usage that it is given, as often as it is asked."""

    def __init__(self):
        self.usage, self._gone = Usage(), False

    def exceeded_limit(self):
        return None

    def is_gone(self):
        return self._gone

    def end(self):
        self._gone = True


@pytest.fixture
def watched():
    """A session, the other end of its socket, and its monitor."""
    ours, theirs = socket.socketpair()
    monitor = Monitor()
    session = Session(ours, monitor)
    with theirs:
        yield session, theirs, monitor
        session.leave()


def test_a_session_looks_at_its_clock_by_itself(watched):
    session, _, monitor = watched
    monitor.usage = usage(5.0, "R")
    wait_for(lambda: session.seconds == 5)
    with session.awaited():
        monitor.usage = usage(5.0, "")
        wait_for(lambda: session.seconds > 5)


def test_it_is_not_a_sessions_turn_while_we_have_not_read_what_it_said(watched):
    session, theirs, _ = watched
    assert not session._is_its_turn()
    with session.awaited():
        assert session._is_its_turn()
        theirs.sendall(b"done")
        assert not session._is_its_turn()
        session.socket.recv(4)
        assert session._is_its_turn()
    assert not session._is_its_turn()


@pytest.mark.parametrize(("events", "kills"), [("a 1\noom_kill 3\n", 3), ("a 1\n", 0), (None, 0)])
def test_the_machine_tells_whether_it_ran_out_of_memory(events, kills, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "EVENTS", path := tmp_path / "vmstat")
    if events:
        path.write_text(events)
    assert module.oom_kills() == kills


def test_without_a_sandbox_wall_time_counts_a_quarter(monkeypatch):
    monkeypatch.setattr(module.time, "monotonic", lambda: 500.0)
    trusted = module.TrustedProcess(None, Limits(), start=100.0)
    trusted.measure()
    clock = Clock(100.0)
    clock.add(500.0, trusted.usage, awaited=True)
    assert clock.seconds == 100


@pytest.mark.parametrize(
    ("code", "first", "states"),
    [
        ("import time; time.sleep(1000)", b"S", {b"S"}),
        ("while True: pass", b"R", {b"R"}),
        (LOOP_IN_A_THREAD, b"S", {b"S", b"R"}),
    ],
    ids=["sleep", "loop", "loop in a thread"],
)
def test_states_of_all_threads_are_seen(code, first, states):
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        place = Path(f"/proc/{process.pid}")

        def seen():
            return place.joinpath("stat").read_bytes().rpartition(b")")[2].split()[0]

        wait_for(lambda: (seen(), states_of([place])) == (first, states))
        process.send_signal(signal.SIGSTOP)
        wait_for(lambda: b"R" not in states_of([place]))
        process.kill()
    assert states_of([place]) == set()
