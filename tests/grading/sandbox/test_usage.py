"""How much a sandbox holds, where its processes share pages."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headway.grading.sandbox import usage

MIB = 1 << 20
LOTS = 1 << 40
HOLDS = "block = b'x' * (64 << 20); print(flush=True); input()"
FAMILY = """
import os, signal
block = b"x" * (64 << 20)
children = [os.fork() or signal.pause() for _ in range(6)]
print(*children, flush=True)
input()
for child in children: os.kill(child, signal.SIGKILL)
"""


@pytest.fixture
def walks(monkeypatch) -> list[Path]:
    """The processes whose pages were walked through, one by one."""
    made, share = [], usage._share
    monkeypatch.setattr(usage, "_share", lambda process: made.append(process) or share(process))
    return made


@pytest.fixture
def holder() -> Iterator[Path]:
    """The folder in /proc of a process that holds 64 MB."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        yield Path(f"/proc/{process.pid}")
        process.stdin.close()


@pytest.fixture
def family() -> Iterator[list[Path]]:
    """The folders of a process that holds 64 MB and of six children, which share them."""
    with subprocess.Popen(
        [sys.executable, "-c", FAMILY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        children = process.stdout.readline().split()
        yield [Path(f"/proc/{number}") for number in (process.pid, *map(int, children))]
        process.stdin.write(b"\n")
        process.stdin.close()


def end(process: Path) -> None:
    """End a process; on return all its pages are given back, though nobody has waited for it.

    It says that it holds none a moment before: until it is a zombie, others may see shared pages.
    """
    os.kill(int(process.name), signal.SIGKILL)
    while b") Z " not in (process / "stat").read_bytes():
        pass


def test_one_walk_through_the_pages_serves_while_the_processes_stay_the_same(
    walks, holder, monkeypatch
):
    shared = usage.SharedPages()
    monkeypatch.setattr(usage, "FRESH", 1e6)
    first = [shared.bytes([holder], usage._held(holder)[0], LOTS) for _ in range(5)]
    assert walks == [holder]
    assert len(set(first)) == 1
    both = [holder, Path("/proc/self")]
    shared.bytes(both, 0, LOTS)
    assert walks == [holder, *both]


def test_pages_are_looked_at_anew_after_a_while(walks, holder, monkeypatch):
    shared = usage.SharedPages()
    monkeypatch.setattr(usage, "FRESH", -1)
    for _ in range(3):
        shared.bytes([holder], usage._held(holder)[0], LOTS)
    assert walks == [holder] * 3


def test_many_processes_are_looked_at_each_time(walks):
    shared, many = usage.SharedPages(), [Path("/proc/self")] * 5
    for _ in range(2):
        shared.bytes(many, 0, LOTS)
    assert len(walks) == 10


def test_what_a_process_holds_alone_is_counted_whole(holder):
    held = usage._held(holder)[0]
    assert held > 64 << 20
    assert usage.SharedPages().bytes([holder], held, LOTS) < held - (64 << 20)


def test_what_was_taken_since_the_last_walk_counts_whole(holder, monkeypatch):
    shared = usage.SharedPages()
    monkeypatch.setattr(usage, "FRESH", 1e6)
    held = usage._held(holder)[0]
    twice = shared.bytes([holder], held, LOTS)
    more = held + (500 << 20)
    assert more - shared.bytes([holder], more, LOTS) == held - twice + (500 << 20)


def test_what_processes_share_counts_once_though_they_end_during_the_walk(family, monkeypatch):
    """Each child ends right after it was visited, so the next one has a larger part."""
    parent, *children = family
    alone = usage._walk([parent], 0)  # nothing has ended yet: a seventh
    share, parts = usage._share, []

    def visit(process: Path) -> tuple[int, int]:
        parts.append(share(process)[0])
        if process in children:
            end(process)
        return parts[-1], share(process)[1]

    monkeypatch.setattr(usage, "_share", visit)
    held = sum(usage._held(process)[0] for process in family)
    counted = held - usage.SharedPages().bytes(family, held, 90 * MIB)
    assert alone < 20 * MIB
    assert sum(parts[:7]) > 100 * MIB
    assert 64 * MIB < counted < 90 * MIB
    assert len(parts) == 8


def test_a_walk_is_not_repeated_if_no_more_is_held_than_is_enough(family, walks, monkeypatch):
    walk = usage._share
    monkeypatch.setattr(usage, "_share", lambda process: (walk(process), end(family[-1]))[0])
    assert usage._walk(family, LOTS) < LOTS
    assert walks == family


def test_processes_that_keep_ending_do_not_put_off_what_one_holds_alone(family, holder, walks):
    end(family[1])
    assert usage._walk([holder, *family], 60 * MIB) > 60 * MIB
    assert walks == [holder, *(process for process in family if process != family[1])]


def test_shared_memory_that_was_allocated_after_the_walk_counts_once(family, monkeypatch):
    shared, few = usage.SharedPages(), family[:3]
    monkeypatch.setattr(usage, "FRESH", 1e6)
    shared._processes, shared._when = few, usage.time.monotonic()  # a walk that found none
    held = sum(usage._held(process)[0] for process in few)
    assert held > 192 * MIB
    assert held - shared.bytes(few, held, 150 * MIB) < 90 * MIB


def test_a_process_that_is_gone_holds_nothing():
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    process = Path(f"/proc/{gone.pid}")
    assert (usage._held(process), usage._share(process)) == ((0, 0), (0, 0))


def test_files_alone_are_over_the_limit_without_a_walk(walks, monkeypatch):
    monkeypatch.setattr(usage, "_held_by_files", lambda folder: 600 << 20)
    found = usage.measure(Path("/"), ("/tmp",), 500 << 20, usage.SharedPages())
    assert found.memory_bytes >= 600 << 20
    assert not walks
