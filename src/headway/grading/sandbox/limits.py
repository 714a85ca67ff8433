"""What a program in the sandbox may use, and how much of it a tree of processes does use.

Two kinds of limits stand side by side. The kernel's own, `RLIMIT_*`, hold for each process from
the first moment, but know nothing of sums: ten children have ten times as much, and RLIMIT_DATA
does not count shared memory. So the whole tree is measured as well, from outside, many times a
second.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

INODE_BYTES = 2048  # what an empty file costs the kernel, which the size of a tmpfs leaves out
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Limits:
    """What one run in the sandbox may use.

    Attributes:
        wall_seconds: from start to end. Over it, the run is ended.
        cpu_seconds: of all processes together. Over it, the run is ended.
        memory_bytes: private and shared memory, page tables and temporary files of all processes
            together; over it, the run is ended. One process is refused more private memory.
        processes: alive at a time, threads included. More are refused.
        descriptors: open at a time in one process. More are refused.
        file_bytes: of one file. What goes beyond is refused.
        space_bytes: of all files in each private folder: /tmp, /dev/shm and the home. What goes
            beyond is refused.
    """

    wall_seconds: float = 120
    cpu_seconds: float = 120
    memory_bytes: int = 2 << 30
    processes: int = 64
    descriptors: int = 256
    file_bytes: int = 64 << 20
    space_bytes: int = 128 << 20

    def __post_init__(self):
        for name, value in vars(self).items():
            if not value > 0:
                raise ValueError(f"The limit {name} is {value!r}; expected a number above zero.")

    def rlimits(self) -> dict[str, tuple[int, int]]:
        """The kernel's limits for each process, soft and hard, by their names in small letters.

        The one on CPU time is a backstop: it stands above that of the tree, which comes first.
        """
        limits = {
            "data": self.memory_bytes,
            "cpu": int(self.cpu_seconds) + 2,
            "nproc": self.processes,
            "nofile": self.descriptors,
            "fsize": self.file_bytes,
            "memlock": 0,
            "msgqueue": 0,
            "core": 0,
        }
        both = {name: (limit, limit) for name, limit in limits.items()}
        return {**both, "stack": (8 << 20, 64 << 20)}

    def prlimit(self) -> list[str]:
        """The start of a command that sets the kernel's limits, then runs what follows."""
        options = (f"--{name}={soft}:{hard}" for name, (soft, hard) in self.rlimits().items())
        return ["/usr/bin/prlimit", *options, "--"]

    @property
    def files(self) -> int:
        """How many files a private folder can hold: what an empty one costs is no space of it."""
        return max(self.space_bytes // INODE_BYTES, 1000)


@dataclass(frozen=True)
class Usage:
    """What a tree of processes uses at a moment.

    Attributes:
        memory_bytes: as limited by `Limits.memory_bytes`.
        cpu_seconds: spent so far by living processes and by children that they waited for.
        own: spent by each living process itself, by its number and its start; what a process has
            spent whom nobody waits for is seen here alone, as long as it lives.
    """

    memory_bytes: int = 0
    cpu_seconds: float = 0.0
    own: Mapping[bytes, float] = field(default_factory=dict)


def measure(root: Path, folders: tuple[str, ...], enough: int) -> Usage:
    """Measure all processes of a sandbox.

    The sandbox's own /proc lists exactly its processes. Adding up what each one holds counts a
    page twice that two of them share, as after a fork; this is quick, and settles most cases.
    Only where the sum is over `enough` are shared pages divided (the kernel's PSS).

    Args:
        root: the root folder of the sandbox, seen from outside: /proc/PID/root.
        folders: private folders in it that are held in memory.
        enough: bytes of memory up to which the quick sum will do.
    """
    processes = [path for path in root.joinpath("proc").iterdir() if path.name.isdecimal()]
    times = [found for process in processes if (found := _times(process))]
    files = sum(_held_by_files(f"{root}{folder}") for folder in folders)
    memory = files + sum(map(_held, processes))
    if memory > enough:
        memory = files + sum(map(_share, processes))
    return Usage(memory, sum(whole for _, _, whole in times), {who: own for who, own, _ in times})


def _times(process: Path) -> tuple[bytes, float, float] | None:
    """Who a living process is, and its seconds, alone and with children that it waited for."""
    try:
        # The name of the program, in parentheses, may itself hold spaces and parentheses.
        fields = process.joinpath("stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    own, waited_for = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
    who = process.name.encode() + b" " + fields[19]
    return who, own / TICKS, (own + waited_for) / TICKS


def _held_by_files(folder: str) -> int:
    space = os.statvfs(folder)
    return (space.f_blocks - space.f_bfree) * space.f_frsize + (
        space.f_files - space.f_ffree
    ) * INODE_BYTES


def _held(process: Path) -> int:
    return _sum(process / "status", (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:"))


def _share(process: Path) -> int:
    try:
        share = _sum(process / "smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:"))
    except PermissionError:
        return _held(process)
    return share + _sum(process / "status", (b"VmPTE:",))


def _sum(path: Path, names: tuple[bytes, ...]) -> int:
    """The sum of some lines of a table in kB, in bytes; 0 if the process is gone."""
    try:
        lines = path.read_bytes().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(names))
