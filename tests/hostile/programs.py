"""Programs that take all they can get, and looking for what is left of them."""

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

SUBREAPER = 36  # prctl(2): PR_SET_CHILD_SUBREAPER

# They keep what they took, so that it does not matter how soon somebody looks.
MEMORY = {
    "children": """
import os, time
for _ in range(20):
    if not os.fork(): break
block = bytearray(b"x") * (30 << 20)
time.sleep(100)
""",
    "shared memory of a file": """
import mmap, time
for n in range(100):
    file = open(f"/dev/shm/{n}", "w+b")
    file.truncate(8 << 20)
    block = mmap.mmap(file.fileno(), 8 << 20)
    for i in range(0, 8 << 20, 4096): block[i] = 1
    block.close()
time.sleep(100)
""",
    "files in /dev/shm": """
import time
for n in range(100):
    with open(f"/dev/shm/{n}", "wb") as file: file.write(bytes(8 << 20))
time.sleep(100)
""",
    "files in /tmp": """
import time
for n in range(100):
    with open(f"/tmp/{n}", "wb") as file: file.write(bytes(8 << 20))
time.sleep(100)
""",
    "empty files without number": """
import time
try:
    for n in range(2_000_000): open(f"/tmp/{n}", "w").close()
except OSError: time.sleep(100)
""",
    "mappings, in the kernel's tables": """
import ctypes, os, time
library = ctypes.CDLL(None)
library.mmap.restype = ctypes.c_void_p
library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
start = library.mmap(None, 65_000 * 4096, 0, 0x22, -1, 0)
for i in range(0, 65_000, 2): library.mprotect(start + i * 4096, 4096, 1)
for _ in range(60):
    if not os.fork(): break
time.sleep(100)
""",
    "page tables of memory that is only read": """
import mmap, time
block = mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
total = 0
for i in range(0, 1 << 40, 2 << 20): total += block[i]
time.sleep(100)
""",
}

DAEMON = """
import os, sys, time
if os.fork(): time.sleep(0.3); sys.exit()
os.setsid()
if os.fork(): os._exit(0)
for stream in (0, 1, 2): os.close(stream)
while True: time.sleep(100)
"""


def alive(token: str) -> list[str]:
    """The processes of this machine whose command line holds a token."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if path.joinpath("cmdline").read_bytes().find(token.encode()) >= 0:
                found.append(path.name)
        except OSError:
            continue
    return found


@contextmanager
def orphans_kept() -> Iterator[None]:
    """Let what loses its parent below this process become its child: nothing gets away unseen."""
    library = ctypes.CDLL(None, use_errno=True)
    assert library.prctl(SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        library.prctl(SUBREAPER, 0, 0, 0, 0)


def alive_below() -> set[psutil.Process]:
    """The living processes that this one, or anything it started, has started."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            ended = process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
            if not ended:
                found.add(process)
    return found


class PeakMemory:
    """The most memory that any worker held, with its sandbox and all that is in it; a context.

    Attributes:
        bytes: shared pages divided among those who share them (the kernel's PSS).
    """

    WORKER = "headway.grading.workers.worker"

    def __init__(self, interval: float = 0.2):
        self.bytes, self._interval, self._left = 0, interval, threading.Event()
        self._thread = threading.Thread(target=self._measure, daemon=True)

    def __enter__(self) -> "PeakMemory":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._left.set()
        self._thread.join()

    def _measure(self) -> None:
        while not self._left.wait(self._interval):
            for process in psutil.Process().children():
                with suppress(psutil.NoSuchProcess):
                    if self.WORKER in process.cmdline():
                        tree = [process, *process.children(recursive=True)]
                        self.bytes = max(self.bytes, sum(map(_share, tree)))


def _share(process: psutil.Process) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return 0


def in_namespace(name: str) -> list[str]:
    """The living processes in a process namespace, by its name: "pid:[4026531836]"."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            zombie = b") Z " in path.joinpath("stat").read_bytes()
            if not zombie and os.readlink(path / "ns" / "pid") == name:
                found.append(path.name)
        except OSError:
            continue
    return found


def wait_for(condition, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
