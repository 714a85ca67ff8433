"""Honest cells in seats of each kind, how seats end, and what is done where a warm one fails."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from ast import literal_eval
from pathlib import Path
from uuid import uuid4

import pytest

from headway.errors import UserError
from headway.grading.sandbox.factories import ColdSeats, TrustedSeats, WarmSeats
from headway.grading.sandbox.launch import launched_warm
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import student_view
from headway.runner.transport import receive, send
from tests.hostile.conftest import run_cell
from tests.hostile.programs import alive, in_namespace, wait_for

HIDDEN = ["headway.text.vocabulary"]
SPACE = 16 << 20


def is_at_its_end(seat) -> bool:
    try:
        return receive(seat.socket, 10) is None
    except (EOFError, ConnectionError):
        return True


@pytest.fixture(params=["warm", "cold", "trusted"])
def any_seats(request, edition):
    if request.param == "warm":
        yield request.getfixturevalue("seats")
    elif request.param == "cold":
        with ColdSeats(student_view(edition), hidden=HIDDEN) as seats:
            yield seats
    else:
        with TrustedSeats(edition, hidden=HIDDEN) as seats:
            yield seats


def test_a_seat_runs_cells_one_after_another(any_seats):
    with any_seats.seat() as seat:
        assert run_cell(seat, "x = 20") == ""
        assert run_cell(seat, "import numpy; print(numpy.arange(3) + x)") == "[20 21 22]\n"
        assert seat.over() is None


def test_what_is_bound_below_a_private_folder_is_seen_there_read_only(edition, tmp_path):
    """As where the course itself lies in /tmp."""
    tmp_path.chmod(0o755)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file.txt").write_text("bound")
    (tmp_path / "one.txt").write_text("one")
    for path in (tmp_path / "inner" / "file.txt", tmp_path / "one.txt"):
        path.chmod(0o644)
    places = Path("/tmp/bound/inner"), Path("/tmp/bound/one.txt")
    more = zip((tmp_path / "inner", tmp_path / "one.txt"), places, strict=True)
    code = """
print(open("/tmp/bound/inner/file.txt").read(), open("/tmp/bound/one.txt").read())
for path in ("/tmp/bound/inner/file.txt", "/tmp/bound/inner/new", "/tmp/bound/one.txt"):
    try: open(path, "w").write("changed")
    except OSError as error: print(error.strerror)
"""
    refused = "Read-only file system\n" * 3
    with WarmSeats(student_view(edition, *more), libraries=()) as seats, seats.seat() as seat:
        assert run_cell(seat, code) == f"bound one\n{refused}"
        assert seats.is_warm


def test_a_hidden_module_is_told_to_be_hidden(any_seats):
    code = """
try: import headway.text.vocabulary
except ModuleNotFoundError as error: print(error)
import headway.text.categories
"""
    with any_seats.seat() as seat:
        assert run_cell(seat, code) == (
            "headway.text.vocabulary answers this assignment's tasks, so it is not there while "
            "they are graded\n"
        )


def test_modules_beside_the_notebook_can_be_imported_and_shadow_nothing(any_seats):
    files = {
        "mine.py": b"value = 3",
        **dict.fromkeys(["torch.py", "json.py", "colorsys.py", "headway.py"], b"raise Exception"),
    }
    code = "import mine, json, colorsys, torch, headway.text.categories; print(mine.value)"
    with any_seats.seat() as seat:
        send(seat.socket, {"do": "files", "files": files})
        assert receive(seat.socket, 10) == {"is": "ready"}
        assert run_cell(seat, code) == "3\n"


def test_a_seat_that_is_killed_comes_to_its_end(any_seats):
    with any_seats.seat() as seat:
        seat.kill()
        assert is_at_its_end(seat)
        assert seat.over() is None


def test_wall_time_is_limited(any_seats):
    with any_seats.seat(Limits(wall_seconds=3)) as seat:
        send(seat.socket, {"do": "run", "source": "import time; time.sleep(60)", "seconds": 60})
        assert is_at_its_end(seat)
        assert seat.over() == "wall_seconds"


def test_a_seat_that_is_left_is_gone(seats):
    with seats.seat() as seat:
        name = run_cell(seat, "import os; print(os.readlink('/proc/self/ns/pid'))").strip()
        run_cell(seat, "import signal\n_ = os.fork() or (os.setsid(), signal.pause())")
        assert len(in_namespace(name)) == 3
    assert not in_namespace(name)


def test_what_a_seat_uses_is_measured(seats):
    code = """
import time
block = bytearray(b"x") * (64 << 20)
end = time.process_time() + 0.2
while time.process_time() < end: pass
"""
    with seats.seat() as seat:
        run_cell(seat, "")
        before = seat.usage
        run_cell(seat, code)
        assert 60 << 20 < seat.usage.memory_bytes - before.memory_bytes < 200 << 20
        assert 0.1 < seat.usage.cpu_seconds < 3
        assert seat.peak >= seat.usage.memory_bytes


def test_a_warm_process_that_died_is_started_once_more(edition):
    with WarmSeats(student_view(edition), Limits(), HIDDEN) as seats:
        seats._warm._meter.kill()
        with seats.seat() as seat:
            assert run_cell(seat, "print(1)") == "1\n"
        assert (seats.is_warm, seats.note) == (True, "")


@pytest.mark.parametrize(
    "program",
    [
        "raise MemoryError('nothing left')",
        # ready, then garbage for an answer, each time
        "import socket, sys, time\n"
        "line = socket.socket(fileno=int(sys.argv[1])); line.send(b'ready')\n"
        "while line.recv(1 << 16): line.send(bytes(range(256)))",
        # ready, then a greeting that is none, by a process that cannot be another's
        "import socket, sys\n"
        "line = socket.socket(fileno=int(sys.argv[1])); line.send(b'ready')\n"
        "while True:\n"
        "    _, [seat], _, _ = socket.recv_fds(line, 1 << 16, 1)\n"
        "    with socket.socket(fileno=seat) as end: end.send(b'?')",
    ],
    ids=["broken", "garbage", "false greeting"],
)
def test_where_the_warm_process_does_not_work_seats_are_cold_and_say_so(edition, tmp_path, program):
    tmp_path.chmod(0o755)
    broken = shutil.copytree(edition, tmp_path / "headway")
    (broken / "runner" / "fork_server.py").write_text(program)
    with WarmSeats(student_view(broken), Limits(), HIDDEN) as seats:
        with seats.seat() as seat:
            assert run_cell(seat, "print(1)") == "1\n"
        assert not seats.is_warm
        assert "each submission started Python anew" in seats.note


def test_without_bubblewrap_there_are_only_trusted_seats(edition, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="sudo apt-get install bubblewrap"):
        WarmSeats(student_view(edition)).__enter__()
    with TrustedSeats(edition) as seats, seats.seat() as seat:
        assert "without a sandbox" in seats.note
        assert run_cell(seat, "print(1)") == "1\n"


def test_an_edition_of_another_name_is_refused_where_it_is_imported_directly(tmp_path):
    with pytest.raises(ValueError, match="expected a folder called headway"):
        TrustedSeats(tmp_path)


def test_nothing_is_left_when_the_worker_is_killed(edition):
    token = f"hidden_{uuid4().hex}"  # on the command line of whatever the worker starts
    code = """
import sys, time
from pathlib import Path
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.factories import WarmSeats
from headway.grading.sandbox.mounts import student_view
from headway.runner.transport import send
with WarmSeats(student_view(Path(sys.argv[1])), Limits(), ["hidden_" + sys.argv[2]]) as seats:
    with seats.seat() as seat:
        loop = "import os, time\\nos.fork(); os.setsid()\\nwhile True: time.sleep(1)"
        send(seat.socket, {"do": "run", "source": loop, "seconds": 1000})
        print("started", flush=True)
        time.sleep(100)
"""
    command = [sys.executable, "-c", code, str(edition), token.removeprefix("hidden_")]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert worker.stdout.readline() == b"started\n"
        assert len(alive(token)) >= 3
    finally:
        os.kill(worker.pid, signal.SIGKILL)
        worker.communicate()
    wait_for(lambda: not alive(token))


def test_a_fresh_seat_costs_a_fraction_of_a_second(seats):
    with seats.seat() as seat:
        run_cell(seat, "")
    start = time.monotonic()
    for _ in range(5):
        with seats.seat() as seat:
            pass
    assert (time.monotonic() - start) / 5 < 0.5


def test_a_program_in_a_seat_inherits_its_socket_and_nothing_else(edition):
    code = """
import os, resource, socket, sys
from headway.runner.isolate import Confinement, fork_isolated
kept = open("/dev/zero"), os.pipe(), socket.socketpair()
for pipe in kept[1]: os.set_inheritable(pipe, True)
line = socket.socket(fileno=int(sys.argv[1]))
def program(line):
    found = {}
    for number in map(int, os.listdir("/proc/self/fd")):
        try: found[number] = os.readlink(f"/proc/self/fd/{number}")
        except OSError: continue  # that of the listing
    del found[line.fileno()]
    told = (found, line.get_inheritable(), resource.getrlimit(resource.RLIMIT_NOFILE),
            os.getcwd(), os.getsid(0) == os.getpid())
    line.sendall(repr(told).encode())
allow_all = bytes.fromhex("06000000") + bytes.fromhex("0000ff7f")
limits = Confinement({"nofile": (50, 60)}, ("/tmp",), "/tmp", 1 << 20, 100, allow_all)
fork_isolated(Confinement.unpack(limits.pack()), line, print, program)
"""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        command = [sys.executable, "-c", code, str(theirs.fileno())]
        with launched_warm(command, student_view(edition), SPACE, [theirs.fileno()]) as sandbox:
            theirs.close()
            assert sandbox.process.stdout.read(6) == b"ready\n"
            sandbox.let_go()
            ours.settimeout(20)
            assert ours.recv(1) == b"h"
            ours.sendall(b"g")
            told = ours.recv(1 << 16)
            sandbox.end(None)
    null = dict.fromkeys(range(3), "/dev/null")
    assert literal_eval(told.decode()) == (null, False, (50, 60), "/tmp", True)
