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

# Memory that waits in sockets, and belongs to no process.
SOCKETS = """
import os, socket, time
for _ in range(30):
    if not os.fork(): break
kept = []
while True:
    try:
        one, other = socket.socketpair()
        one.setblocking(False)
        try:
            while True: one.send(bytes(1 << 16))
        except BlockingIOError: kept += [one, other]
    except OSError: time.sleep(0.1)
"""

# Calls that would work outside, by their numbers on x86_64 and on aarch64, and other ways that lead
# past namespaces: each says what it found unless the sandbox refused it.
BEYOND = """
import ctypes, errno, fcntl, os, socket, struct
assert os.uname().nodename == "headway", "outside a sandbox this does harm"
library = ctypes.CDLL(None, use_errno=True)
text, here = ctypes.create_string_buffer(b"user"), os.uname().machine == "aarch64"
calls = {
    "flock": (73, 32, 0, 5), "inotify": (294, 26, 0), "fanotify": (300, 262, 0, 0),
    "memfd": (319, 279, text, 0), "shmget": (29, 194, 0, 4096, 0o1600),
    "semget": (64, 190, 0, 1, 0o1600), "msgget": (68, 186, 0, 0o1600),
    "keyctl": (250, 219, 0, -3, 1), "add_key": (248, 217, text, text, text, 4, -3),
    "personality": (135, 92, 0xFFFFFFFF), "modify_ldt": (154, 999, 0, text, 4),
    "userfaultfd": (323, 282, 1), "io_uring": (425, 425, 1, text),
    "perf": (298, 241, text, 0, -1, -1, 0), "bpf": (321, 280, 0, text, 4),
    "ptrace": (101, 117, 0, 0, 0, 0), "attach": (101, 117, 16, 1, 0, 0),
    "mincore": (27, 232, 0, 0, 0), "affinity": (203, 122, 0, 8, text),
    "nice": (141, 140, 0, 0, -5), "syslog": (103, 116, 10, 0, 0),
    "vmsplice": (278, 75, 1, 0, 0, 0), "seccomp": (317, 277, 2, 0, 0),
    "clone3": (435, 435, text, 64), "mount": (165, 40, text, b"/tmp", b"tmpfs", 0, 0),
    "new users": (272, 97, 0x10000000), "new mounts": (272, 97, 0x20000),
    "PR_SCHED_CORE": (157, 167, 62, 1, 1024, 0, 0),
    "PR_FUTEX_HASH": (157, 167, 78, 1, 1024, 0, 0),
}
def tell(name, refused, do):
    try:
        if do() is not None: print("FOUND", name)
    except OSError as error:
        if error.errno not in refused: print("FOUND", name, error)
def call(*arguments):
    if library.syscall(*(ctypes.c_long(a) if type(a) is int else a for a in arguments)) < 0:
        raise OSError(ctypes.get_errno(), "")
    return "done"
for name, (number, other, *arguments) in calls.items():
    tell(name, (errno.EPERM, errno.ENOSYS), lambda: call(other if here else number, *arguments))
whole = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
with open(os.__file__) as shared:  # which is the same in all sessions
    for how in (
        (fcntl.F_SETLK, whole), (fcntl.F_GETLK, whole), (fcntl.F_SETLEASE, fcntl.F_RDLCK),
        (fcntl.F_NOTIFY, 1), *((hint, struct.pack("Q", 5)) for hint in (1031, 1035, 1036)),
    ):
        tell(how, (errno.EPERM, errno.ENOLCK), lambda: fcntl.fcntl(shared, *how))
    # FS_IOC_GETFLAGS, FIEMAP, EXT4_IOC_PRECACHE_EXTENTS, FICLONE
    for request in (0x80086601, 0xC020660B, 0x6612, 0x40049409):
        tell(request, (errno.ENOTTY,), lambda: fcntl.ioctl(shared, request, bytearray(8)))
for family in (16, 17, 38, 40):  # AF_NETLINK, AF_PACKET, AF_ALG, AF_VSOCK
    for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        tell(family, (errno.EAFNOSUPPORT,), lambda: socket.socket(family, kind))
for name in ("oom_score_adj", "comm", "clear_refs", "timerslack_ns", "coredump_filter", "mem",
             "uid_map", "attr/current", "loginuid"):
    for process in ("self", "1"):
        gone = (errno.EROFS, errno.ENOENT)
        tell(name, gone, lambda: open(f"/proc/{process}/{name}", "wb", 0))
print("looked")
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
