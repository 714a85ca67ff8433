"""Programs that take all they can get, and looking for what is left of them."""

import os
import time
from pathlib import Path

MEMORY = {
    "children": """
import os, time
for _ in range(20):
    if not os.fork(): break
block = bytearray(b"x") * (30 << 20)
time.sleep(100)
""",
    "anonymous shared memory": """
import mmap, time
block = mmap.mmap(-1, 2 << 30)
for i in range(0, 2 << 30, 4096): block[i] = 1
""",
    "files in /dev/shm": """
for n in range(100):
    with open(f"/dev/shm/{n}", "wb") as file: file.write(bytes(8 << 20))
""",
    "files in /tmp": """
for n in range(100):
    with open(f"/tmp/{n}", "wb") as file: file.write(bytes(8 << 20))
""",
    "empty files without number": """
for n in range(2_000_000): open(f"/tmp/{n}", "w").close()
""",
    "page tables of memory that is only read": """
import mmap
block = mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
total = 0
for i in range(0, 1 << 40, 2 << 20): total += block[i]
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


def wait_for(condition, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
