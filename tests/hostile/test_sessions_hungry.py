"""What is hungry in a session meets the same limits as in a sandbox of its own."""

import pytest

from headway.grading.sandbox.limits import Limits
from headway.runner.isolate import BEGUN_WITH, TERMINALS
from headway.runner.transport import receive, send
from tests.hostile.conftest import run_cell
from tests.hostile.programs import MEMORY, in_namespace

MIB = 1 << 20
EVERYTHING = """
import os
try: os.kill(-1, 9)
except ProcessLookupError: os.kill(0, 9)
"""


def ended_by(session, code: str) -> str | None:
    """Run a cell that never ends by itself; the limit that ended it."""
    send(session.socket, {"do": "run", "source": code, "seconds": 60})
    try:
        while receive(session.socket, 60)["is"] != "done":
            pass
    except (EOFError, ConnectionError):
        return session.ended_by_limit()
    raise AssertionError("the cell came to its end")


def test_an_endless_loop_ends_at_the_limit_of_cpu_time(sessions):
    with sessions.session(Limits(cpu_seconds=0.4)) as session:
        assert ended_by(session, "while True: pass") == "cpu_seconds"
        assert session.usage.cpu_seconds > 0.4


def test_cpu_time_of_children_counts_together(sessions):
    with sessions.session(Limits(cpu_seconds=0.6)) as session:
        code = "import os\nfor _ in range(3): os.fork()\nwhile True: pass"
        assert ended_by(session, code) == "cpu_seconds"


def test_the_kernel_limits_are_set_too(in_session):
    code = """
import resource as r
print(*(r.getrlimit(w) for w in (r.RLIMIT_CPU, r.RLIMIT_NPROC, r.RLIMIT_CORE)))
"""
    assert in_session(code, cpu_seconds=3, processes=30) == "(5, 5) (30, 30) (0, 0)\n"


def test_a_process_is_left_the_same_memory_whatever_its_libraries_map(in_session):
    code = """
import resource
sizes = dict(line.split(":") for line in open("/proc/self/status"))
print(resource.getrlimit(resource.RLIMIT_DATA)[1], int(sizes["VmData"].split()[0]) << 10)
"""
    limit, mapped = map(int, in_session(code, memory_bytes=700 * MIB).split())
    # This cell itself has mapped a little.
    assert abs(limit - mapped - (700 * MIB - min(mapped, BEGUN_WITH))) < 30 * MIB


@pytest.mark.parametrize("code", MEMORY.values(), ids=MEMORY)
def test_memory_that_no_limit_of_one_process_shows_ends_the_session(sessions, code):
    with sessions.session(Limits(memory_bytes=500 * MIB, space_bytes=1 << 30)) as session:
        assert ended_by(session, code) == "memory_bytes"


def test_memory_in_one_block_is_refused(in_session):
    code = "try: bytearray(1 << 30)\nexcept MemoryError: print('refused')"
    assert in_session(code, memory_bytes=700 * MIB) == "refused\n"


def test_a_fork_bomb_stays_below_the_number_of_processes(sessions):
    code = """
import os, signal
n = 0
try:
    while True:
        os.fork() or signal.pause()
        n += 1
except OSError:
    print(n)
"""
    look = "import os; print(os.readlink('/proc/self/ns/pid'))"
    with sessions.session(Limits(processes=20)) as session:
        name = run_cell(session, look).strip()
        assert 10 < int(run_cell(session, code)) < 20
        assert 10 < len(in_namespace(name)) < 22
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


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm", "/home/student"])
def test_filling_a_private_folder_ends_with_an_error_inside(in_session, folder):
    code = f"""
import errno
try:
    for n in range(100):
        with open(f"{folder}/{{n}}", "wb") as file: file.write(bytes(1 << 20))
except OSError as error:
    print(n > 14, errno.errorcode[error.errno])
"""
    assert in_session(code, space_bytes=16 * MIB) == "True ENOSPC\n"


def test_empty_files_come_to_an_end_too(in_session):
    code = """
import errno
try:
    for n in range(100_000): open(f"/tmp/{n}", "w").close()
except OSError as error: print(n < 5000, errno.errorcode[error.errno])
"""
    assert in_session(code, space_bytes=8 * MIB) == "True ENOSPC\n"


def test_files_and_descriptors_are_limited(in_session):
    code = """
import errno
try: open("/tmp/file", "wb").write(bytes(4 << 20))
except OSError as error: print(errno.errorcode[error.errno])
kept = []
try:
    while True: kept.append(open("/dev/null"))
except OSError as error:
    kept.clear()
    print(errno.errorcode[error.errno])
"""
    assert in_session(code, file_bytes=MIB, descriptors=60) == "EFBIG\nEMFILE\n"


def test_a_session_leaves_terminals_to_others(in_session):
    code = """
import os
kept = []
try:
    while True: kept.append(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
except OSError: print(len(kept))
"""
    assert in_session(code) == f"{TERMINALS}\n"


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
}


@pytest.mark.parametrize("code", QUEUE.values(), ids=QUEUE)
def test_little_waits_in_sockets_whose_sender_is_gone(in_session, code):
    count = """
n = 0
try:
    while n < 100: wait_there(); n += 1
except BlockingIOError: print(0 < n < 4)
"""
    assert in_session(f"import socket{code}{count}") == "True\n"


def test_killing_everything_in_reach_ends_only_the_session(sessions):
    with sessions.session() as other:
        with sessions.session() as session:
            assert ended_by(session, EVERYTHING) is None
        assert run_cell(other, "print(1)") == "1\n"
    assert (sessions.is_forking, sessions.note) == (True, "")


@pytest.mark.parametrize("end", ["os._exit(3)", "ctypes.string_at(0)", "os.abort()"])
def test_a_crash_ends_only_the_session(sessions, end):
    with sessions.session() as session:
        assert ended_by(session, f"import ctypes, os; {end}") is None
    with sessions.session() as session:
        assert run_cell(session, "print(1)") == "1\n"
