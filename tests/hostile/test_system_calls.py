"""What reaches past namespaces is refused by the kernel's filter, in sessions of both kinds."""

import os

import pytest

from headway.errors import UserError
from headway.grading.sandbox.seccomp import (
    CLONE,
    FCNTL,
    IOCTL,
    MMAP,
    NEW_NAMESPACES,
    PRCTL,
    SETSOCKOPT,
    SOCKETS,
    seccomp_filter,
)
from headway.grading.sandbox.system_calls import ALLOWED
from tests.hostile.conftest import run_cell
from tests.hostile.programs import BEYOND

COLUMN = {"x86_64": 0, "aarch64": 1}[os.uname().machine]
SYSCALL = """
import ctypes, errno, sys
library = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    ctypes.set_errno(0)
    result = library.syscall(*map(ctypes.c_long, arguments))
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]
"""


def test_what_would_work_outside_is_refused_inside(printed):
    assert printed(BEYOND) == "looked\n"


def test_every_system_call_that_is_not_on_the_list_is_refused(printed):
    decided = [*ALLOWED.values(), CLONE, FCNTL, IOCTL, MMAP, PRCTL, SETSOCKOPT, *SOCKETS]
    allowed = {numbers[COLUMN] for numbers in decided}
    allowed |= {335, 336}  # uretprobe and uprobe, which no filter is asked about on x86_64
    code = f"""{SYSCALL}
for number in set(range(1000)) - {allowed}:
    if (result := call(number, -1, -1, -1, -1, -1, -1)) not in ("EPERM", "ENOSYS"):
        print(number, result)
print("done")
"""
    assert printed(code) == "done\n"


def test_a_terminal_takes_requests(printed):
    code = """
import fcntl, os
terminal = os.openpty()[0]
# TCGETS2, by which a newer C library asks whether something is a terminal.
print(fcntl.ioctl(terminal, 0x802C542A, bytearray(44)), os.isatty(terminal), os.isatty(0))
print(os.get_terminal_size(terminal))
"""
    assert printed(code) == "0 True False\nos.terminal_size(columns=0, lines=0)\n"


def test_memory_is_shared_only_by_files_that_are_measured(printed):
    code = """
import mmap
def tell(make):
    try: return len(make())
    except OSError as error: return error.strerror
print(tell(lambda: mmap.mmap(-1, 1 << 20)))
with open("/dev/zero", "r+b") as zero:
    print(tell(lambda: mmap.mmap(zero.fileno(), 1 << 20)))
print(tell(lambda: mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)))
with open("/dev/shm/file", "w+b") as file:
    file.truncate(1 << 20)
    print(tell(lambda: mmap.mmap(file.fileno(), 1 << 20)))
"""
    refused = "Operation not permitted\nNo such device\n"
    assert printed(code) == f"{refused}{1 << 20}\n{1 << 20}\n"


def test_nobody_gets_larger_buffers_of_a_socket(printed):
    code = """
import socket
for option in ("SO_SNDBUF", "SO_RCVBUF"):
    try: socket.socket().setsockopt(socket.SOL_SOCKET, getattr(socket, option), 1 << 24)
    except PermissionError: print("refused")
socket.socket().setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
"""
    assert printed(code) == "refused\nrefused\n"


def test_a_child_cannot_be_made_in_new_namespaces(printed):
    code = f"""{SYSCALL}
import os
me = os.getpid()
def clone(flags):
    result = call({CLONE[COLUMN]}, flags | 17, 0, 0, 0, 0)
    if os.getpid() != me: os._exit(0)
    return result
print(clone(0), [clone(1 << bit) for bit in range(32) if 1 << bit & {NEW_NAMESPACES}])
"""
    assert printed(code) == f"done {['EPERM'] * 8}\n"


def test_namespaces_are_shut_even_without_the_filter(sessions, monkeypatch):
    allow_all = b"\x06\x00\x00\x00\x00\x00\xff\x7f"
    monkeypatch.setattr("headway.grading.sandbox.launch.seccomp_filter", lambda **_: allow_all)
    code = """
import ctypes, errno
library = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x20000, 0x40000000):
    done = library.unshare(flag)
    print(done, errno.errorcode[ctypes.get_errno()])
for folder in (b"/tmp", b"/home/student", b"/proc"):
    print(library.umount2(folder, 2), errno.errorcode[ctypes.get_errno()])
"""
    with sessions.session() as session:
        assert run_cell(session, code) == "-1 ENOSPC\n" + "-1 EPERM\n" * 5


def test_limits_cannot_be_raised(printed):
    code = """
import resource
for name in dir(resource):
    if name.startswith("RLIMIT_") and (which := getattr(resource, name)) >= 0:
        soft, hard = resource.getrlimit(which)
        try: resource.setrlimit(which, (hard + 1, hard + 1) if hard >= 0 else (soft, hard))
        except ValueError: continue
        if hard >= 0: print("raised", name)
"""
    assert printed(code) == ""


def test_a_filter_is_made_for_machines_it_knows_only():
    assert seccomp_filter("aarch64") != seccomp_filter("x86_64") != seccomp_filter("x86_64", True)
    with pytest.raises(UserError, match="does not know the system calls of riscv64"):
        seccomp_filter("riscv64")
