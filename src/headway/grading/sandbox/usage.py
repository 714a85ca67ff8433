"""How much a tree of processes in a sandbox uses, as measured from outside."""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headway.grading.sandbox.limits import INODE_BYTES
from headway.grading.sandbox.starvation import Turns
from headway.runner.waiting import PROCESSES

TICKS = os.sysconf("SC_CLK_TCK")
# What is on its way through a socket belongs to no process. The kernel lets it be net.core's
# wmem_default of 208 kB; a sandbox cannot ask for more.
SOCKET_BYTES = 256 << 10
NANOSECONDS = 1e9
# What the kernel holds about a mapping, with a policy of memory of its own; and how much of a
# process's table of mappings is read: who has more is taken to have all that a process may have.
MAPPING_BYTES, TABLE_BYTES = 350, 1 << 19
MOST_MAPPINGS = Path("/proc/sys/vm/max_map_count")
FRESH = 0.3  # seconds for which a look at shared pages will do


@dataclass(frozen=True)
class Usage:
    """What a tree of processes uses at a moment.

    Attributes:
        memory_bytes: as limited by `Limits.memory_bytes`.
        cpu_seconds: spent so far by living processes and by children that they waited for.
        own: spent by each living process itself, by its number and its start; what a process has
            spent whom nobody waits for is seen here alone, as long as it lives.
        turns: for how long each of them ran and waited for a processor.
    """

    memory_bytes: int = 0
    cpu_seconds: float = 0.0
    own: Mapping[bytes, float] = field(default_factory=dict)
    turns: Mapping[bytes, Turns] = field(default_factory=dict)


class SharedPages:
    """What the quick sum counts more than once, because processes of a sandbox share pages.

    Dividing them takes the kernel a walk through all that is mapped: with CUDA's libraries 30 ms a
    process, and ten times that on a busy machine, in which a sandbox can write hundreds of
    megabytes. So as long as the processes stay the same, one walk serves several measurements:
    what they take meanwhile, they share with nobody.
    """

    def __init__(self):
        self._processes: Sequence[Path] = ()
        self._bytes, self._when = 0, 0.0

    def bytes(self, processes: Sequence[Path], held: int) -> int:
        """By how much the sum `held` of what each of the processes holds is too large."""
        is_known = len(processes) <= PROCESSES and processes == self._processes
        if not is_known or time.monotonic() - self._when > FRESH:
            self._bytes = held - sum(map(_share, processes))
            self._processes, self._when = processes, time.monotonic()
        return self._bytes


def measure(root: Path, folders: tuple[str, ...], enough: int, shared: SharedPages) -> Usage:
    """Measure all processes of a sandbox.

    The sandbox's own /proc lists exactly its processes. Adding up what each one holds counts a
    page twice that two of them share, as after a fork; this is quick, and settles most cases. So
    do files and page tables, which nobody shares, where they alone are over `enough`. Otherwise,
    where the sum is over it, shared pages are divided (the kernel's PSS), and of the open
    descriptors only sockets counted, each once.

    Args:
        root: the root folder of the sandbox, seen from outside: /proc/PID/root.
        folders: private folders in it that are held in memory.
        enough: bytes of memory up to which the quick sum will do.
        shared: of this sandbox; the same for each measurement.
    """
    processes = _processes(root)
    times = {who: found for process in processes for who, *found in _times(process)}
    files = sum(_held_by_files(f"{root}{folder}") for folder in folders)
    held, alone = map(sum, zip((0, 0), *map(_held, processes), strict=True))
    memory = files + held
    if files + alone > enough:  # whatever they share
        memory = files + alone
    elif memory + SOCKET_BYTES * sum(map(_count_open, processes)) > enough:
        sockets = SOCKET_BYTES * len({one for process in processes for one in _sockets(process)})
        if memory + sockets > enough:
            memory -= shared.bytes(processes, held)
        memory += sockets
    return Usage(
        memory,
        sum(whole for _, whole, _ in times.values()),
        {who: own for who, (own, _, _) in times.items()},
        {who: turns for who, (_, _, turns) in times.items()},
    )


def held_by_mappings(root: Path) -> int:
    """Bytes that the kernel holds about the mappings of all processes of a sandbox.

    They belong to no process, and a fork copies them. To count them takes a millisecond for each
    process, so it is not done with each measurement.

    Args:
        root: as that of `measure`.
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


def _times(process: Path) -> Iterable[tuple[bytes, float, float, Turns]]:
    """Who a living process is, its seconds alone and with children that it waited for, its turns.

    Nothing if it is gone.
    """
    try:
        # The name of the program, in parentheses, may itself hold spaces and parentheses.
        fields = process.joinpath("stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return
    turns = _turns(process)
    # Ticks are of all its threads, and coarse: who runs little in each of many has none for long.
    own = max(sum(map(int, fields[11:13])) / TICKS, turns.ran)
    waited_for = sum(map(int, fields[13:15])) / TICKS
    yield process.name.encode() + b" " + fields[19], own, own + waited_for, turns


def _turns(process: Path) -> Turns:
    try:
        ran, waited, _ = process.joinpath("schedstat").read_bytes().split()
    except (OSError, ValueError):  # it is gone, or this kernel does not count
        return Turns()
    return Turns(int(ran) / NANOSECONDS, int(waited) / NANOSECONDS)


def _count_open(process: Path) -> int:
    """How many descriptors a process has open; 0 if it is gone."""
    try:
        # Linux from 6.2 on gives their number as the folder's size.
        return os.stat(process / "fd").st_size or len(os.listdir(process / "fd"))
    except OSError:
        return 0


def _sockets(process: Path) -> Iterable[str]:
    """The sockets that a process has open, by names that are the same in each that shares them."""
    try:
        numbers = os.listdir(process / "fd")
    except OSError:
        return
    for number in numbers:
        try:
            target = os.readlink(process / "fd" / number)
        except OSError:  # closed meanwhile
            continue
        if target.startswith("socket:"):
            yield target


def _held_by_files(folder: str) -> int:
    space = os.statvfs(folder)
    return (space.f_blocks - space.f_bfree) * space.f_frsize + (
        space.f_files - space.f_ffree
    ) * INODE_BYTES


def _held(process: Path) -> tuple[int, int]:
    """Bytes that a process holds, and those of its page tables among them, which nobody shares."""
    sizes = _sizes(process / "status", (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:"))
    return sum(sizes.values()), sizes.get(b"VmPTE:", 0)


def _share(process: Path) -> int:
    """Bytes that a process holds, each shared page divided by the number of those who share it."""
    try:
        sizes = _sizes(process / "smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:"))
    except PermissionError:
        return _held(process)[0]
    return sum(sizes.values()) + _held(process)[1]


def _sizes(path: Path, names: tuple[bytes, ...]) -> dict[bytes, int]:
    """Some lines of a table in kB, in bytes; none if the process is gone."""
    try:
        lines = path.read_bytes().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return {line.split()[0]: int(line.split()[1]) << 10 for line in lines if line.startswith(names)}
