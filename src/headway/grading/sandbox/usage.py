"""Measure the resource usage of a sandbox's processes from outside."""

import math
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headway.grading.sandbox.limits import INODE_BYTES

TICKS = os.sysconf("SC_CLK_TCK")
# Data in a socket's buffer count for no process. Its size is net.core's wmem_default, 208 kB, and a
# sandbox cannot increase it.
SOCKET_BYTES = 256 << 10
NANOSECONDS = 1e9
RUNNABLE, BLOCKED = b"R", b"D"  # states in proc_pid_stat(5)
# Kernel memory of a mapping with its own memory policy; and how many bytes of a process's table of
# mappings are read: a process with a longer table counts as having the most mappings possible.
MAPPING_BYTES, TABLE_BYTES = 350, 1 << 19
MOST_MAPPINGS = Path("/proc/sys/vm/max_map_count")
FRESH = 0.3  # seconds for which a count of shared pages is reused
DIVIDED, ALONE = (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:"), b"Private_Dirty:"
WALKS = 4  # at most, if processes keep ending during them
PROCESSES = 4  # those of a session that has started none itself, plus one


@dataclass(frozen=True)
class Usage:
    """The usage of a process tree at one moment.

    Attributes:
        memory_bytes: as limited by `Limits.memory_bytes`.
        cpu_seconds: time of living processes and of children that they have waited for.
        own: (process id and start time) → time of each living process itself. The time of a process
            that no parent waits for is visible only here, and only while it lives.
        is_runnable: whether a thread runs, or waits for a processor.
        is_blocked: whether a thread waits for a disk, or for something else that is not its choice.
    """

    memory_bytes: int = 0
    cpu_seconds: float = 0.0
    own: Mapping[bytes, float] = field(default_factory=dict)
    is_runnable: bool = False
    is_blocked: bool = False


class SharedPages:
    """Computes how much a quick sum counts twice, because processes of a sandbox share pages.

    To divide shared pages, the kernel walks through all mappings: with CUDA's libraries 30 ms per
    process, and ten times that on a busy machine, in which a sandbox can write hundreds of
    megabytes. So while the processes stay the same, one walk is used for several measurements:
    what they allocate meanwhile is taken for their own.

    A walk visits one process after the other. If one ends meanwhile, its part of the shared pages
    falls to the others, and those visited later are counted with larger parts than those visited
    before. The sum is then too large: for seven processes up to 2.6 times the shared memory. So
    before such a sum ends a session, the walk is repeated.
    """

    def __init__(self):
        self._processes: Sequence[Path] = ()
        self._bytes, self._when = 0, 0.0

    def bytes(self, processes: Sequence[Path], held: int, enough: int) -> int:
        """How many bytes of `held`, the sum over all processes, are counted more than once.

        Args:
            enough: if more than this remains, a reused count is not trusted, since shared memory
                may have been allocated after it.
        """
        is_known = len(processes) <= PROCESSES and processes == self._processes
        is_fresh = is_known and time.monotonic() - self._when <= FRESH
        if not is_fresh or held - self._bytes > enough:
            self._bytes = held - _walk(processes, enough)
            self._processes, self._when = processes, time.monotonic()
        return self._bytes


def measure(root: Path, folders: tuple[str, ...], enough: int, shared: SharedPages) -> Usage:
    """Measure all processes of a sandbox.

    The sandbox's own /proc lists exactly its processes. The quick sum of their memory counts pages
    twice that two of them share, as after a fork. If it is below `enough`, it is the result. So are
    files and page tables, which are never shared, if they alone exceed `enough`. Otherwise shared
    pages are divided (the kernel's PSS), and only sockets among the open descriptors are counted,
    each once.

    Args:
        root: the root folder of the sandbox, seen from outside: /proc/PID/root.
        folders: private folders in it, which are in memory.
        enough: bytes of memory up to which the quick sum is used.
        shared: the `SharedPages` of this sandbox; the same object for each measurement.
    """
    processes = _processes(root)
    times = {who: found for process in processes for who, *found in _times(process)}
    states = states_of(processes)
    files = sum(_held_by_files(f"{root}{folder}") for folder in folders)
    held, alone = map(sum, zip((0, 0), *map(_held, processes), strict=True))
    memory = files + held
    if files + alone > enough:  # even without shared pages
        memory = files + alone
    elif memory + SOCKET_BYTES * sum(map(_count_open, processes)) > enough:
        sockets = SOCKET_BYTES * len({one for process in processes for one in _sockets(process)})
        if memory + sockets > enough:
            memory -= shared.bytes(processes, held, enough - files - sockets)
        memory += sockets
    return Usage(
        memory,
        sum(whole for _, whole in times.values()),
        {who: own for who, (own, _) in times.items()},
        RUNNABLE in states,
        BLOCKED in states,
    )


def held_by_mappings(root: Path) -> int:
    """Bytes of kernel memory for the mappings of all processes of a sandbox.

    They count for no process, and a fork copies them. Counting takes a millisecond per process, so
    it is not part of each measurement.

    Args:
        root: as for `measure`.
    """
    return MAPPING_BYTES * sum(map(_mappings, _processes(root)))


def _processes(root: Path) -> list[Path]:
    return [path for path in root.joinpath("proc").iterdir() if path.name.isdecimal()]


def _mappings(process: Path) -> int:
    try:
        with open(process / "maps", "rb") as table:
            text = table.read(TABLE_BYTES)
    except OSError:  # it is gone
        return 0
    return int(MOST_MAPPINGS.read_text()) if len(text) == TABLE_BYTES else text.count(b"\n")


def _times(process: Path) -> Iterable[tuple[bytes, float, float]]:
    """(id and start time, own seconds, seconds with awaited children) of a living process.

    Empty if the process is gone.
    """
    if fields := _stat(process):
        # Ticks cover all threads but are coarse: short runs of many threads may not count at all.
        own = max(sum(map(int, fields[11:13])) / TICKS, _ran(process))
        waited_for = sum(map(int, fields[13:15])) / TICKS
        yield process.name.encode() + b" " + fields[19], own, own + waited_for


def _stat(process: Path) -> Sequence[bytes]:
    """The fields of a process or thread after its name, state first; empty if it is gone."""
    try:
        # The program's name, in parentheses, may contain spaces and parentheses.
        return process.joinpath("stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return []


def _ran(process: Path) -> float:
    """Processor seconds of a process's first thread; 0 if the kernel does not tell."""
    try:
        return int(process.joinpath("schedstat").read_bytes().split()[0]) / NANOSECONDS
    except (OSError, ValueError, IndexError):
        return 0.0


def states_of(processes: Iterable[Path]) -> set[bytes]:
    """The states of all threads, up to the first one that is runnable."""
    found = set()
    for process in processes:
        for state in _of_threads(process):
            found.add(state)
            if state == RUNNABLE:
                return found
    return found


def _of_threads(process: Path) -> Iterable[bytes]:
    fields = _stat(process)
    if not fields:
        return
    yield fields[0]
    if int(fields[17]) > 1:
        try:
            threads = os.listdir(process / "task")
        except OSError:
            return
        for thread in threads:
            yield from _stat(process / "task" / thread)[:1]


def _count_open(process: Path) -> int:
    """How many descriptors a process has open; 0 if it is gone."""
    try:
        # From Linux 6.2 on, the folder's size is their number.
        return os.stat(process / "fd").st_size or len(os.listdir(process / "fd"))
    except OSError:
        return 0


def _sockets(process: Path) -> Iterable[str]:
    """Names of a process's open sockets; a shared socket has the same name in each process."""
    try:
        numbers = os.listdir(process / "fd")
    except OSError:
        return
    for number in numbers:
        try:
            target = os.readlink(process / "fd" / number)
        except OSError:  # closed in the meantime
            continue
        if target.startswith("socket:"):
            yield target


def _held_by_files(folder: str) -> int:
    space = os.statvfs(folder)
    return (space.f_blocks - space.f_bfree) * space.f_frsize + (
        space.f_files - space.f_ffree
    ) * INODE_BYTES


def _held(process: Path) -> tuple[int, int]:
    """Bytes of memory of a process, and, among them, those of its page tables."""
    sizes = _sizes(process / "status", (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:"))
    return sum(sizes.values()), sizes.get(b"VmPTE:", 0)


def _walk(processes: Sequence[Path], enough: int) -> int:
    """Bytes of memory of all processes, with shared pages divided by the number of their users.

    While this is more than `enough` and a process has ended during the walk, walk again: the result
    is the smallest of up to `WALKS`. What each process has to itself is never counted twice, so if
    that alone is more than enough, one walk will do.
    """
    least, living = math.inf, [process for process in processes if _is_alive(process)]
    for _ in range(WALKS):
        shares, alone = map(sum, zip((0, 0), *map(_share, living), strict=True))
        least, walked = min(least, shares), living
        living = [process for process in walked if _is_alive(process)]
        if least <= enough or alone > enough or living == walked:
            break
    return least


def _is_alive(process: Path) -> bool:
    """Whether a process still holds memory."""
    return _held(process)[0] > 0


def _share(process: Path) -> tuple[int, int]:
    """Bytes of memory of a process, with shared pages divided, and those that it has to itself."""
    try:
        sizes = _sizes(process / "smaps_rollup", (*DIVIDED, ALONE))
    except PermissionError:
        return _held(process)[0], 0
    tables = _held(process)[1]
    divided = sum(sizes.get(name, 0) for name in DIVIDED)
    return divided + tables, sizes.get(ALONE, 0) + tables


def _sizes(path: Path, names: tuple[bytes, ...]) -> dict[bytes, int]:
    """Some lines of a table, converted from kB to bytes; empty if the process is gone."""
    try:
        lines = path.read_bytes().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return {line.split()[0]: int(line.split()[1]) << 10 for line in lines if line.startswith(names)}
