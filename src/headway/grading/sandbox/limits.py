"""What a program in the sandbox may use.

Two kinds of limits stand side by side. The kernel's own, `RLIMIT_*`, hold for each process from
the first moment, but know nothing of sums: ten children have ten times as much, and RLIMIT_DATA
does not count shared memory. So the whole tree is measured as well, from outside, many times a
second (`headway.grading.sandbox.usage`).
"""

from dataclasses import dataclass

INODE_BYTES = 2048  # what an empty file costs the kernel, which the size of a tmpfs leaves out


@dataclass(frozen=True)
class Limits:
    """What one run in the sandbox may use.

    Attributes:
        wall_seconds: from start to end. Over it, the run is ended.
        cpu_seconds: of all processes together. Over it, the run is ended.
        memory_bytes: private and shared memory, page tables, temporary files and what sockets can
            hold, of all processes together; over it, the run is ended. One process is refused more
            private memory.
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
