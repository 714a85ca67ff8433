"""Programs that take all they can get: time, memory, processes, files, output."""

import os
import signal
import subprocess
import sys
from uuid import uuid4

import pytest

from headway.grading.sandbox.limits import Limits
from tests.full import full_but
from tests.hostile.programs import DAEMON, MEMORY, alive, wait_for


def test_an_endless_loop_ends_at_the_limit_of_cpu_time(attack):
    ending = attack("while True: pass", cpu_seconds=0.4)
    assert (ending.how, ending.limit) == ("limit", "cpu_seconds")
    assert ending.cpu_seconds > 0.4


def test_a_loop_that_swallows_every_signal_and_exception_ends_too(attack):
    code = """
import os, signal, sys, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
print("ready", flush=True)
while True:
    try: time.sleep(100)
    except BaseException: pass
"""
    for seconds in (3, 30, 300):  # what a busy machine needs until it is ready
        ending = attack(code, wall_seconds=seconds)
        assert (ending.how, ending.limit) == ("limit", "wall_seconds")
        if ending.stdout:
            break
    assert ending.stdout == b"ready\n"


def test_cpu_time_of_children_counts_together(attack):
    code = """
import os
for _ in range(3): os.fork()
while True: pass
"""
    ending = attack(code, cpu_seconds=0.6)
    assert ending.limit == "cpu_seconds"


def test_cpu_time_of_children_that_nobody_waits_for_counts_too(attack):
    code = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(20):
    if not os.fork():
        end = time.process_time() + 0.5
        while time.process_time() < end: pass
        os._exit(0)
    try: os.wait()
    except ChildProcessError: pass
"""
    ending = attack(code, cpu_seconds=2)
    assert (ending.how, ending.limit) == ("limit", "cpu_seconds")


def test_one_process_cannot_spend_more_cpu_time_even_if_nobody_watches(attack):
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_CPU))"
    assert attack(code, cpu_seconds=3).stdout == b"(5, 5)\n"


@pytest.mark.parametrize("new", ["os.fork() or time.sleep(100)", "Thread(target=waiting).start()"])
def test_a_fork_or_thread_bomb_stays_below_the_number_of_processes(attack, new):
    code = f"""
import os, time
from threading import Thread
waiting = lambda: time.sleep(100)
n = 0
try:
    while True:
        {new}
        n += 1
except (OSError, RuntimeError):
    os.write(1, str(n).encode())
    os._exit(0)
"""
    token = uuid4().hex
    ending = attack(code, token, processes=20, wall_seconds=60)
    assert 10 < int(ending.stdout) < 20
    assert not alive(token)


def test_a_fork_bomb_that_never_gives_up_leaves_nothing(attack):
    code = """
import os
while True:
    try: os.fork()
    except OSError: pass
"""
    token = uuid4().hex
    ending = attack(code, token, cpu_seconds=0.5)
    assert ending.how == "limit"
    assert not alive(token)


def test_parallel_sandboxes_do_not_share_the_number_of_processes(attack):
    from concurrent.futures import ThreadPoolExecutor

    code = """
import os, time
for _ in range(12):
    if not os.fork(): time.sleep(0.3); os._exit(0)
time.sleep(0.3)
"""
    with ThreadPoolExecutor(3) as pool:
        endings = list(pool.map(lambda _: attack(code, processes=16), range(3)))
    assert [ending.how for ending in endings] == ["exited"] * 3
    assert [ending.code for ending in endings] == [0] * 3


def test_memory_in_one_block_is_refused(attack):
    ending = attack("bytearray(1 << 30)")
    assert (ending.how, ending.code) == ("exited", 1)
    assert b"MemoryError" in ending.stderr


def test_memory_in_many_blocks_is_refused(attack):
    code = """
blocks = []
try:
    while True: blocks.append(bytearray(1 << 20))
except MemoryError:
    print(len(blocks))
"""
    ending = attack(code)
    if ending.how == "exited":
        assert int(ending.stdout) < 200
    else:
        assert ending.limit == "memory_bytes"


@pytest.mark.parametrize(
    "code", full_but(MEMORY["files in /tmp"].__eq__, MEMORY.values()), ids=MEMORY
)
def test_memory_that_no_limit_of_one_process_shows_ends_the_run(attack, code):
    ending = attack(code, space_bytes=1 << 30, memory_bytes=100 << 20)
    assert (ending.how, ending.limit) == ("limit", "memory_bytes")


def test_shared_pages_of_forked_children_count_once(attack):
    code = """
import os, time
block = bytearray(b"x") * (60 << 20)
for _ in range(6):
    if not os.fork(): time.sleep(0.5); os._exit(0)
for _ in range(6): os.wait()
"""
    ending = attack(code)
    assert (ending.how, ending.code) == ("exited", 0)


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm", "/home/student"])
def test_filling_a_private_folder_ends_with_an_error_inside(attack, folder):
    code = f"""
import errno
try:
    for n in range(100):
        with open(f"{folder}/{{n}}", "wb") as file: file.write(bytes(1 << 20))
except OSError as error:
    print(n, errno.errorcode[error.errno])
"""
    assert attack(code).stdout == b"16 ENOSPC\n"


def test_one_file_cannot_grow_beyond_its_limit(attack):
    code = """
import errno
try: open("/tmp/file", "wb").write(bytes(4 << 20))
except OSError as error: print(errno.errorcode[error.errno])
"""
    assert attack(code, file_bytes=1 << 20).stdout == b"EFBIG\n"


def test_descriptors_run_out_inside(attack):
    code = """
kept = []
try:
    while True: kept.append(open("/dev/null"))
except OSError as error: print(len(kept), error.strerror)
"""
    number, reason = attack(code, descriptors=50).stdout.split(b" ", 1)
    assert 40 < int(number) < 50
    assert reason == b"Too many open files\n"


def test_a_daemon_does_not_outlive_the_run(attack):
    token = uuid4().hex
    assert attack(DAEMON, token).how == "exited"
    assert not alive(token)


def test_a_daemon_that_holds_the_output_open_does_not_keep_the_run(attack):
    token = uuid4().hex
    ending = attack("import os, time\nos.fork() or time.sleep(100)", token, wall_seconds=60)
    assert ending.how == "exited"
    assert not alive(token)


def test_nothing_is_left_when_the_grader_is_killed(student_package):
    token = uuid4().hex
    inside = f"import time; {token!r}; time.sleep(100)"
    grader = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import sys; from pathlib import Path\n"
            "from tests.hostile.sandbox import run\n"
            "from headway.grading.sandbox.mounts import student_view\n"
            f"run([sys.executable, '-c', {inside!r}], student_view(Path(sys.argv[1])))",
            str(student_package),
        ]
    )

    def running() -> list[str]:
        return [pid for pid in alive(token) if int(pid) != grader.pid]

    try:
        wait_for(running)
    finally:
        os.kill(grader.pid, signal.SIGKILL)
        grader.wait()
    wait_for(lambda: not running())


def test_killing_everything_in_reach_ends_only_the_sandbox(attack):
    code = """
import os, signal
os.kill(1, signal.SIGKILL)
os.kill(os.getppid(), signal.SIGKILL)
print("alive", flush=True)
os.kill(-1, signal.SIGKILL)
"""
    assert attack(code).stdout == b"alive\n"


def test_limits_of_nothing_are_no_limits():
    with pytest.raises(ValueError, match="wall_seconds is 0; expected a number above zero"):
        Limits(wall_seconds=0)


SOCKETS = """
import os, socket, time
for _ in range(6):
    if os.fork() == 0:
        break
kept = []
for _ in range(110):
    pair = socket.socketpair()
    for end in pair:
        end.setblocking(False)
        try:
            while True:
                end.send(b"x" * 100_000)
        except BlockingIOError:
            pass
    kept.append(pair)
time.sleep(60)
"""


def test_what_is_on_its_way_through_sockets_counts_as_memory(attack):
    ending = attack(SOCKETS, memory_bytes=300 << 20)
    assert (ending.how, ending.limit) == ("limit", "memory_bytes")


def test_a_descriptor_that_many_processes_share_counts_once(attack):
    code = """
import os, socket, time
kept = [socket.socket() for _ in range(100)] + [open("/dev/null") for _ in range(100)]
for _ in range(5): os.fork()
time.sleep(1)
"""
    ending = attack(code, memory_bytes=700 << 20)
    assert (ending.how, ending.code) == ("exited", 0)


def test_nobody_gets_larger_buffers_of_a_socket(printed):
    code = """
import socket
for option in ("SO_SNDBUF", "SO_RCVBUF"):
    try: socket.socket().setsockopt(socket.SOL_SOCKET, getattr(socket, option), 1 << 24)
    except PermissionError: print("refused")
socket.socket().setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
"""
    assert printed(code) == "refused\nrefused\n"


def test_a_connection_within_a_session_holds_little(in_session):
    code = """
import socket
listening = socket.create_server(("127.0.0.1", 0))
sender = socket.create_connection(listening.getsockname())
taker, _ = listening.accept()
sender.setblocking(False)
sent = 0
try:
    while True: sent += sender.send(b"x" * 100_000)
except BlockingIOError: pass
print(sent < 1_000_000)
"""
    assert in_session(code) == "True\n"
