"""Code that takes all it can get: time, memory, processes, files, sockets."""

import pytest

from headway.grading.sandbox.hardening import TERMINALS
from headway.grading.sandbox.limits import Limits
from tests.hostile.conftest import ended_by, run_cell
from tests.hostile.programs import MEMORY, SOCKETS, in_namespace

MIB = 1 << 20
NAMESPACE = "import os; print(os.readlink('/proc/self/ns/pid'))"
ENDLESS = {
    "alone": "while True: pass",
    "with children": "import os\nfor _ in range(3): os.fork()\nwhile True: pass",
    "with children that nobody waits for": """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if not os.fork():
        end = time.process_time() + 0.3
        while time.process_time() < end: pass
        os._exit(0)
    try: os.wait()
    except ChildProcessError: pass
""",
    "with all the children it can have": """
import os
while True:
    try: os.fork()
    except OSError: pass
""",
}


@pytest.mark.parametrize("code", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_loop_ends_at_the_limit_of_cpu_time_and_leaves_nothing(sessions, code):
    with sessions.session(Limits(cpu_seconds=1)) as session:
        name = run_cell(session, NAMESPACE).strip()
        assert ended_by(session, code) == "cpu_seconds"
        assert session.usage.cpu_seconds > 1
    assert not in_namespace(name)


def test_the_kernel_limits_are_set_too(printed):
    code = """
import resource as r
print(*(r.getrlimit(w) for w in (r.RLIMIT_CPU, r.RLIMIT_NPROC, r.RLIMIT_CORE)))
"""
    assert printed(code, cpu_seconds=3, processes=30) == "(5, 5) (30, 30) (0, 0)\n"


def test_limits_of_nothing_are_no_limits():
    with pytest.raises(ValueError, match="wall_seconds is 0; expected a number above zero"):
        Limits(wall_seconds=0)


@pytest.mark.parametrize("new", ["os.fork() or signal.pause()", "Thread(target=wait).start()"])
def test_a_fork_or_thread_bomb_stays_below_the_number_of_processes(sessions, new):
    code = f"""
import os, signal, time
from threading import Thread
wait = lambda: time.sleep(100)
n = 0
try:
    while True:
        {new}
        n += 1
except (OSError, RuntimeError): print(n)
"""
    with sessions.session(Limits(processes=20)) as session:
        name = run_cell(session, NAMESPACE).strip()
        assert 10 < int(run_cell(session, code)) < 20
    assert not in_namespace(name)


def test_parallel_sessions_do_not_share_the_number_of_processes(sessions):
    code = """
import os, signal
for _ in range(12): os.fork() or signal.pause()
print("enough")
"""
    few = Limits(processes=18)
    with sessions.session(few) as first, sessions.session(few) as second:
        assert run_cell(first, code) == run_cell(second, code) == "enough\n"


def test_a_process_is_left_the_same_memory_whatever_its_libraries_map(sessions):
    code = """
import resource, torch
sizes = dict(line.split(":") for line in open("/proc/self/status"))
print(resource.getrlimit(resource.RLIMIT_DATA)[1], int(sizes["VmData"].split()[0]) << 10)
"""
    with sessions.session(Limits(memory_bytes=700 * MIB)) as session:
        limit, mapped = map(int, run_cell(session, code).split())
    # PyTorch's CPU build maps 256 MB, and this cell itself a little.
    assert 414 * MIB < limit - mapped < 600 * MIB


@pytest.mark.parametrize("size", [1 << 30, 4 << 20], ids=["one block", "many blocks"])
def test_memory_of_one_process_is_refused(sessions, size):
    code = f"""
blocks = []
try:
    while True: blocks.append(bytes({size}))  # zeros that nobody writes are held by nobody
except MemoryError: print(len(blocks) * {size} < 700 << 20)
"""
    with sessions.session(Limits(memory_bytes=700 * MIB)) as session:
        assert run_cell(session, code) == "True\n"


@pytest.mark.parametrize("code", MEMORY.values(), ids=MEMORY)
def test_memory_that_no_limit_of_one_process_shows_ends_the_session(sessions, code):
    limits = Limits(memory_bytes=500 * MIB, space_bytes=1 << 30)
    with sessions.session(limits) as session:
        assert ended_by(session, code) == "memory_bytes"


def test_what_processes_share_counts_once(sessions):
    code = """
import os, socket, time
block = bytearray(b"x") * (100 << 20)
kept = [socket.socket() for _ in range(100)] + [open("/dev/null") for _ in range(100)]
for _ in range(6):
    if not os.fork(): time.sleep(0.5); os._exit(0)
for _ in range(6): os.wait()
"""
    with sessions.session(Limits(memory_bytes=500 * MIB)) as session:
        assert run_cell(session, code) == ""


def test_all_that_is_for_files_comes_to_an_end_inside(printed):
    code = """
import errno
def fill(make):
    kept = []
    try:
        for n in range(100): kept.append(make(n))
    except OSError as error: kept.clear(); return n, errno.errorcode[error.errno]
def write(path, size):
    with open(path, "wb") as file: file.write(bytes(size))
print(fill(lambda n: write("/tmp/large", n << 20)))
open("/tmp/large", "w").close()
for folder in ("/tmp", "/dev/shm", "/home/student"):
    n, error = fill(lambda n: write(f"{folder}/{n}", 1 << 20))
    print(n > 14, error)
n, error = fill(lambda n: open("/dev/null"))
print(n > 40, error)
"""
    limits = {"space_bytes": 16 * MIB, "file_bytes": 4 * MIB, "descriptors": 60}
    refused = "(5, 'EFBIG')\n" + "True ENOSPC\n" * 3 + "True EMFILE\n"
    assert printed(code, **limits) == refused


def test_empty_files_come_to_an_end_too(sessions):
    code = """
import errno
try:
    for n in range(100_000): open(f"/tmp/{n}", "w").close()
except OSError as error: print(n < 5000, errno.errorcode[error.errno])
"""
    with sessions.session(Limits(space_bytes=8 * MIB)) as session:
        assert run_cell(session, code) == "True ENOSPC\n"


def test_a_session_leaves_terminals_to_others(sessions):
    code = """
import os
kept = []
try:
    while True: kept.append(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
except OSError: print(len(kept))
"""
    with sessions.session() as session:
        assert run_cell(session, code) == f"{TERMINALS}\n"


def test_what_is_on_its_way_through_sockets_counts_as_memory(sessions):
    with sessions.session(Limits(memory_bytes=1000 * MIB)) as session:
        assert ended_by(session, SOCKETS) == "memory_bytes"


QUEUE = {
    "connections that nobody accepts": """
server = socket.socket(socket.AF_UNIX)
server.bind("\\0here"); server.listen(4096)
def wait_there():
    with socket.socket(socket.AF_UNIX) as client:
        client.setblocking(False)
        client.connect("\\0here")
        client.send(bytes(1 << 16))
""",
    "messages that nobody reads": """
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind("\\0here")
def wait_there():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as client:
        client.setblocking(False)
        client.sendto(bytes(1 << 16), "\\0here")
""",
    "a connection that nobody reads": """
listening = socket.create_server(("127.0.0.1", 0))
sender = socket.create_connection(listening.getsockname())
taker, _ = listening.accept()
sender.setblocking(False)
def wait_there(): sender.sendall(bytes(1 << 18))
""",
}


@pytest.mark.parametrize("code", QUEUE.values(), ids=QUEUE)
def test_little_waits_in_sockets_whatever_their_sender_does(sessions, code):
    count = """
n = 0
try:
    while n < 100: wait_there(); n += 1
except BlockingIOError: print(0 <= n < 4)
"""
    with sessions.session() as session:
        assert run_cell(session, f"import socket{code}{count}") == "True\n"


KILLS = """
import os, signal
for process in (1, os.getppid()):
    try: os.kill(process, signal.SIGKILL)
    except ProcessLookupError: pass
try: os.kill(-1, 9)
except ProcessLookupError: os.kill(0, 9)
"""


@pytest.mark.parametrize(
    "end", [KILLS, "os._exit(3)", "ctypes.string_at(0)", "os.abort()"], ids=lambda end: end[:9]
)
def test_killing_everything_in_reach_and_a_crash_end_only_the_session(sessions, end):
    with sessions.session() as other:
        with sessions.session() as session:
            assert ended_by(session, f"import ctypes, os\n{end}") is None
        assert run_cell(other, "print(1)") == "1\n"
    with sessions.session() as session:
        assert run_cell(session, "print(1)") == "1\n"
    assert sessions.note == ""
