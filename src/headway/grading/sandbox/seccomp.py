"""The system calls that a sandbox allows, as a filter for the kernel.

Namespaces hide most of the machine from a process, but not keyrings, kernel logs, virtual-machine
sockets and file locks, and some calls allocate memory that is not counted for any process. So all
calls that are not in `system_calls.ALLOWED` are refused, and eight calls are allowed only with some
arguments.
The filter is a program of the classic Berkeley packet filter over `struct seccomp_data`
(Linux, Documentation/userspace-api/seccomp_filter.rst). Both bubblewrap (`--seccomp`) and a process
itself can load it.
"""

import errno
import platform
import struct
from collections.abc import Iterator, Mapping

from headway.errors import UserError
from headway.grading.sandbox.system_calls import ALLOWED

CLONE, CLONE3 = (56, 220), (435, 435)
SOCKETS = ((41, 198), (53, 199))  # socket, socketpair
FCNTL, IOCTL, SETSOCKOPT = (72, 25), (16, 29), (54, 208)
PRCTL, MMAP = (157, 167), (9, 222)
FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6; others may leave the network namespace
# fcntl commands for locks, leases and notifications, which other users of the file can see.
LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)
# fcntl commands for descriptors: F_DUPFD, descriptor and status flags, owner and signal of
# notifications, F_DUPFD_CLOEXEC, F_GETPIPE_SZ. No hints about a file, which its other users see.
ON_DESCRIPTORS = (0, 1, 2, 3, 4, 8, 9, 10, 11, 1030, 1032)
# ioctl requests for terminals (TCGETS to TCSETAF, TCGETS2 to TCSETSF2, TCSBRK, TCXONC, TCFLSH,
# TIOCEXCL and TIOCNXCL, TIOCSCTTY, its group of processes, TIOCOUTQ, its size, TIOCNOTTY, TIOCGSID,
# TIOCGPTN, TIOCSPTLCK, TIOCGPTPEER), to pipes and descriptors (FIONREAD, FIONBIO, FIOASYNC,
# FIONCLEX, FIOCLEX), and to query the sandbox's own network (SIOCGIFNAME, -CONF, -FLAGS, -ADDR,
# -INDEX). Requests to drivers and file systems may have effects outside.
REQUESTS = (
    *(*range(0x5401, 0x5412), 0x5413, 0x5414),
    *(0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D),
    *(0x5422, 0x5429, 0x80045430, 0x40045431, 0x5441),
    *(0x541B, 0x5421, 0x5450, 0x5451, 0x5452),
    *(0x8910, 0x8912, 0x8913, 0x8915, 0x8933),
)
# SO_SNDBUF, SO_RCVBUF, and both with FORCE: larger socket buffers.
BUFFERS = (7, 8, 32, 33)
# PR_SCHED_CORE, which can keep another process's core idle, and PR_FUTEX_HASH, which can take a
# gigabyte of kernel memory per process.
CONTROLS = (62, 78)
# MAP_SHARED and MAP_ANONYMOUS: such memory may stay allocated after it is unmapped, uncounted.
SHARED_ANONYMOUS = 0x21
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWUSER and the seven others
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
X32 = 0x40000000  # the bit of a second set of call numbers on x86_64

LOAD, AND, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
# Offsets in struct seccomp_data.
NUMBER, ARCHITECTURE = 0, 4
FIRST_ARGUMENT, SECOND_ARGUMENT, THIRD_ARGUMENT, FOURTH_ARGUMENT = 16, 24, 32, 40
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
EPERM = REFUSE | errno.EPERM
EAFNOSUPPORT, ENOLCK = REFUSE | errno.EAFNOSUPPORT, REFUSE | errno.ENOLCK
ENOTTY = REFUSE | errno.ENOTTY


def seccomp_filter(machine: str | None = None, devices: bool = False) -> bytes:
    """The filter as the kernel's array of `struct sock_filter`.

    A refused call fails with EPERM. A call newer than the list, or `clone3`, whose flags a filter
    cannot see, fails with ENOSYS, so that the C library uses an older call. Sockets of other
    families than Unix and Internet fail with EAFNOSUPPORT, file locks with ENOLCK, larger socket
    buffers and anonymous shared memory with EPERM, requests to devices and file systems with
    ENOTTY. A call with the numbers of another architecture ends the process.

    Args:
        machine: "x86_64" or "aarch64"; this machine by default.
        devices: whether the sandbox has device files; then any ioctl request is allowed, since
            each driver has its own requests.

    Raises:
        UserError: for another architecture.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        raise UserError(
            f"The sandbox does not know the system calls of {machine}. "
            f"Grade on a machine of {' or '.join(ARCHITECTURES)}."
        )
    lines = _lines(*ARCHITECTURES[machine], devices)
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _lines(column: int, architecture: int, devices: bool) -> Iterator[tuple[int, int, int, int]]:
    """Instructions: operation, lines to skip if true, lines to skip if false, operand."""
    yield LOAD, 0, 0, ARCHITECTURE
    yield EQUAL, 1, 0, architecture
    yield RETURN, 0, 0, KILL
    yield LOAD, 0, 0, NUMBER
    yield AT_LEAST, 0, 1, X32
    yield RETURN, 0, 0, EPERM
    yield EQUAL, 0, 1, CLONE3[column]
    yield RETURN, 0, 0, REFUSE | errno.ENOSYS
    numbers = [allowed[column] for allowed in ALLOWED.values() if allowed[column] is not None]
    yield AT_LEAST, 0, 1, max(numbers) + 1
    yield RETURN, 0, 0, REFUSE | errno.ENOSYS
    for number in numbers:
        yield EQUAL, 0, 1, number
        yield RETURN, 0, 0, ALLOW
    for allowed in SOCKETS:
        yield from _by_argument(allowed[column], FIRST_ARGUMENT, {FAMILIES: ALLOW}, EAFNOSUPPORT)
    commands = {LOCKS: ENOLCK, ON_DESCRIPTORS: ALLOW}
    yield from _by_argument(FCNTL[column], SECOND_ARGUMENT, commands, EPERM)
    otherwise = ALLOW if devices else ENOTTY
    yield from _by_argument(IOCTL[column], SECOND_ARGUMENT, {REQUESTS: ALLOW}, otherwise)
    yield from _by_argument(SETSOCKOPT[column], THIRD_ARGUMENT, {BUFFERS: EPERM}, ALLOW)
    yield from _by_argument(PRCTL[column], FIRST_ARGUMENT, {CONTROLS: EPERM}, ALLOW)
    yield EQUAL, 0, 5, MMAP[column]
    yield LOAD, 0, 0, FOURTH_ARGUMENT
    yield AND, 0, 0, SHARED_ANONYMOUS
    yield EQUAL, 1, 0, SHARED_ANONYMOUS
    yield RETURN, 0, 0, ALLOW
    yield RETURN, 0, 0, EPERM
    yield EQUAL, 0, 3, CLONE[column]
    yield LOAD, 0, 0, FIRST_ARGUMENT
    yield ANY_BIT, 1, 0, NEW_NAMESPACES
    yield RETURN, 0, 0, ALLOW
    yield RETURN, 0, 0, EPERM


def _by_argument(
    number: int, argument: int, decided: Mapping[tuple[int, ...], int], otherwise: int
) -> Iterator[tuple[int, int, int, int]]:
    """Instructions that decide on a call by one of its arguments; other calls skip them.

    Args:
        decided: values of the argument → the decision.
        otherwise: the decision for all other values.
    """
    values = [(value, what) for listed, what in decided.items() for value in listed]
    yield EQUAL, 0, 2 * len(values) + 2, number
    yield LOAD, 0, 0, argument
    for value, what in values:
        yield EQUAL, 0, 1, value
        yield RETURN, 0, 0, what
    yield RETURN, 0, 0, otherwise
