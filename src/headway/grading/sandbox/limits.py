"""The limits of a program in the sandbox.

There are two kinds of limits. The kernel's `RLIMIT_*` hold for each process from the start, but not
for sums: ten children may use ten times as much, and RLIMIT_DATA does not count shared memory. So
the whole process tree is also measured from outside, many times a second
(`headway.grading.sandbox.usage`).
"""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

INODE_BYTES = 2048  # kernel memory of an empty file, which the size of a tmpfs does not count
CUDA_BYTES = 512 << 20


@cache
def mapped_by_cuda() -> int:
    """Bytes that CUDA's libraries map and don't use; 0 with PyTorch's CPU build.

    The kernel's limit of one process counts mapped memory, used or not, so without this the same
    limit would leave less memory for the code.
    """
    torch = find_spec("torch")
    with_cuda = torch and any(Path(torch.origin).parent.glob("lib/libtorch_cuda*"))
    return CUDA_BYTES if with_cuda else 0


@dataclass(frozen=True)
class Limits:
    """The limits of one run in the sandbox.

    A run over one of the first three limits is ended. What exceeds another limit is refused.

    Attributes:
        wall_seconds: wall time of the run.
        cpu_seconds: processor time of all processes together.
        memory_bytes: private and shared memory, page tables, temporary files and socket buffers of
            all processes together. A single process is also refused more private memory.
        processes: processes at a time, including threads.
        descriptors: open descriptors in one process.
        file_bytes: size of one file.
        space_bytes: size of all files in each private folder: /tmp, /dev/shm and the home.
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
        """The kernel's limits for each process: lower-case name → (soft, hard).

        The limit of CPU time is only a fallback, higher than the limit of the whole tree.
        """
        limits = {
            "data": self.memory_bytes + mapped_by_cuda(),
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
        """The start of a command line that sets the kernel's limits for the following command."""
        options = (f"--{name}={soft}:{hard}" for name, (soft, hard) in self.rlimits().items())
        return ["/usr/bin/prlimit", *options, "--"]

    @property
    def files(self) -> int:
        """How many files a private folder can hold, since empty files use no space of it."""
        return max(self.space_bytes // INODE_BYTES, 1000)
