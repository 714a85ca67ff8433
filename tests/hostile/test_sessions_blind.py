"""Sessions of one fork server must not know of each other, nor reach what makes and ends them.

That a session cannot look, reach or write where it has no business is shown in
`test_sandbox_blind.py`, for both kinds of sandbox.
"""

import os

import pytest

from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import student_view
from headway.grading.sandbox.sessions import ForkedSessions
from tests.hostile.conftest import run_cell


def test_two_sessions_at_a_time_have_nothing_in_common(sessions):
    write = """
import os, pty, signal, socket
for folder in ("/tmp", "/dev/shm", "/home/student"): open(f"{folder}/left", "w").close()
server = socket.socket(socket.AF_UNIX); server.bind("\\0left"); server.listen()
local = socket.create_server(("127.0.0.1", 4000))
terminal = pty.openpty()
if not os.fork():
    signal.pause()
"""
    look = """
import os, socket
for folder in ("/tmp", "/dev/shm", "/home/student"): print("left" in os.listdir(folder))
for family, address in ((socket.AF_UNIX, "\\0left"), (socket.AF_INET, ("127.0.0.1", 4000))):
    print(not socket.socket(family).connect_ex(address))
print(os.listdir("/dev/pts"), [name for name in os.listdir("/proc") if name.isdecimal()])
"""
    with sessions.session() as first, sessions.session() as second:
        run_cell(first, write)
        assert run_cell(first, look).startswith("True\n" * 5)
        assert run_cell(second, look) == "False\n" * 5 + "['ptmx'] ['1', '2']\n"
    with sessions.session() as third:
        assert run_cell(third, look) == "False\n" * 5 + "['ptmx'] ['1', '2']\n"


def test_a_session_finds_modules_as_they_were_whatever_an_earlier_one_did(in_session):
    spoil = """
import builtins, gc, numpy, os, sys, torch
builtins.abs = numpy.sum = torch.tensor = os.getcwd = lambda *_: 13
os.environ["LEFT"] = "1"; sys.path.clear(); sys.modules["json"] = None; sys.left = 1
import headway.tasks.engine.probe.outcomes as probe
probe.plain = None
for thing in gc.get_objects():
    if type(thing) is dict and "HELLO" in thing: thing["HELLO"] = b"!"
"""
    look = """
import json, numpy, os, sys, torch, headway.tasks.engine.probe.outcomes as probe
print(abs(-1), numpy.sum([2]), torch.tensor(3).item(), os.getcwd(), os.environ.get("LEFT"))
print(bool(sys.path), hasattr(sys, "left"), probe.plain is None, "x" in globals())
"""
    in_session("x = 1" + spoil)
    assert in_session(look) == "1 2 3 /home/student None\nTrue False False False\n"


def test_random_numbers_begin_alike_in_each_session(in_session):
    code = "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1))"
    assert in_session(code) == in_session(code)


def test_the_first_process_can_neither_be_read_nor_changed_nor_ended(in_session):
    code = """
import os, signal
for name in ("mem", "environ", "maps", "auxv", "fd", "fd/0", "cwd", "root", "exe", "map_files"):
    path = f"/proc/1/{name}"
    for way in (os.O_RDONLY, os.O_RDWR):
        try: os.open(path, way); print("opened", path)
        except OSError: pass
    try: os.readlink(path); print("read", path)
    except OSError: pass
for number in range(1, 65):
    try: os.kill(1, number)
    except OSError: pass
os.kill(os.getppid(), signal.SIGINT)
print("still there")
"""
    assert in_session(code) == "still there\n"


def test_of_the_kernel_only_the_processes_are_there(in_session):
    code = "import os; print(sorted(name for name in os.listdir('/proc') if not name.isdecimal()))"
    assert in_session(code) == "['self', 'thread-self']\n"


@pytest.mark.parametrize("kind", ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"])
def test_every_namespace_is_the_sessions_own(sessions, kind):
    code = f"import os; print(os.readlink('/proc/self/ns/{kind}'))"
    with sessions.session() as first, sessions.session() as second:
        names = {run_cell(first, code).strip(), run_cell(second, code).strip()}
    server = os.readlink(f"/proc/{sessions._fork_server._monitor.pid}/ns/{kind}")
    assert len(names | {server, os.readlink(f"/proc/self/ns/{kind}")}) == 4


def test_namespaces_are_shut_even_without_the_filter(student_package, monkeypatch):
    allow_all = b"\x06\x00\x00\x00\x00\x00\xff\x7f"
    monkeypatch.setattr(
        "headway.grading.sandbox.fork_server_client.seccomp_filter", lambda **_: allow_all
    )
    code = """
import ctypes, errno
library = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x20000, 0x40000000):
    done = library.unshare(flag)
    print(done, errno.errorcode[ctypes.get_errno()])
for folder in (b"/tmp", b"/home/student", b"/proc"):
    print(library.umount2(folder, 2), errno.errorcode[ctypes.get_errno()])
"""
    refused = "-1 ENOSPC\n" + "-1 EPERM\n" * 5
    with (
        ForkedSessions(student_view(student_package), Limits()) as sessions,
        sessions.session() as session,
    ):
        assert sessions.is_forking
        assert run_cell(session, code) == refused


def test_limits_cannot_be_raised(in_session):
    code = """
import resource
for name in dir(resource):
    if name.startswith("RLIMIT_") and (which := getattr(resource, name)) >= 0:
        soft, hard = resource.getrlimit(which)
        try: resource.setrlimit(which, (hard + 1, hard + 1) if hard >= 0 else (soft, hard))
        except ValueError: continue
        if hard >= 0: print("raised", name)
"""
    assert in_session(code) == ""
