"""How much a sandbox holds, where its processes share pages."""

import subprocess
import sys
from pathlib import Path

import pytest

from headway.grading.sandbox import usage

HOLDS = "block = b'x' * (64 << 20); print(flush=True); input()"


@pytest.fixture
def walks(monkeypatch) -> list[Path]:
    """The processes whose pages were walked through, one by one."""
    made, share = [], usage._share
    monkeypatch.setattr(usage, "_share", lambda process: made.append(process) or share(process))
    return made


@pytest.fixture
def holder():
    """The folder in /proc of a process that holds 64 MB."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        yield Path(f"/proc/{process.pid}")
        process.stdin.close()


def test_one_walk_through_the_pages_serves_while_the_processes_stay_the_same(
    walks, holder, monkeypatch
):
    shared = usage.SharedPages()
    monkeypatch.setattr(usage, "FRESH", 1e6)
    first = [shared.bytes([holder], usage._held(holder)[0]) for _ in range(5)]
    assert walks == [holder]
    assert len(set(first)) == 1
    both = [holder, Path("/proc/self")]
    shared.bytes(both, 0)
    assert walks == [holder, *both]


def test_pages_are_looked_at_anew_after_a_while(walks, holder, monkeypatch):
    shared = usage.SharedPages()
    monkeypatch.setattr(usage, "FRESH", -1)
    for _ in range(3):
        shared.bytes([holder], usage._held(holder)[0])
    assert walks == [holder] * 3


def test_many_processes_are_looked_at_each_time(walks):
    shared, many = usage.SharedPages(), [Path("/proc/self")] * 5
    for _ in range(2):
        shared.bytes(many, 0)
    assert len(walks) == 10


def test_what_a_process_holds_alone_is_counted_whole(holder):
    held = usage._held(holder)[0]
    assert held > 64 << 20
    assert usage.SharedPages().bytes([holder], held) < held - (64 << 20)


def test_what_was_taken_since_the_last_walk_counts_whole(holder, monkeypatch):
    shared = usage.SharedPages()
    monkeypatch.setattr(usage, "FRESH", 1e6)
    held = usage._held(holder)[0]
    twice = shared.bytes([holder], held)
    more = held + (500 << 20)
    assert more - shared.bytes([holder], more) == held - twice + (500 << 20)


def test_a_process_that_is_gone_holds_nothing():
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    process = Path(f"/proc/{gone.pid}")
    assert (usage._held(process), usage._share(process)) == ((0, 0), 0)


def test_files_alone_are_over_the_limit_without_a_walk(walks, monkeypatch):
    monkeypatch.setattr(usage, "_held_by_files", lambda folder: 600 << 20)
    found = usage.measure(Path("/"), ("/tmp",), 500 << 20, usage.SharedPages())
    assert found.memory_bytes >= 600 << 20
    assert not walks
