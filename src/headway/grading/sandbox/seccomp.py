"""The system calls that a sandbox refuses, as a filter for the kernel.

Namespaces hide most of the machine from a process, but not all of it: keyrings, kernel logs,
virtual-machine sockets and memory that belongs to no process are reached by calls that know no
namespace, or that escape a count of memory by process. A notebook needs none of them.
The filter is a program of the classic Berkeley packet filter over `struct seccomp_data`
(Linux, Documentation/userspace-api/seccomp_filter.rst). It is the same whoever loads it:
bubblewrap's `--seccomp`, or a process for itself.
"""

import errno
import platform
import struct
from collections.abc import Iterator

from headway.errors import UserError

# Numbers of the calls on x86_64 and aarch64.
REFUSED = {
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # a keyring is inherited, so it would join submissions to each other and to the instructor
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # memory and messages that belong to no process, so that nobody's memory shows them
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    # large and often attacked parts of the kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # the machine itself
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
}
CLONE, CLONE3 = (56, 220), (435, 435)
SOCKETS = ((41, 198), (53, 199))  # socket, socketpair
FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6; others may lead out of the network namespace
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWUSER and the seven others
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
X32 = 0x40000000  # the second set of numbers that an x86_64 kernel may answer to

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000


def seccomp_filter(machine: str | None = None) -> bytes:
    """The filter as the kernel's array of `struct sock_filter`.

    A refused call fails with EPERM; a socket of another family than Unix and Internet with
    EAFNOSUPPORT; `clone3`, whose flags a filter cannot see, with ENOSYS, upon which the C library
    uses `clone`. A call by the numbers of another architecture ends the process.

    Args:
        machine: "x86_64" or "aarch64"; this machine by default.

    Raises:
        UserError: for another architecture, for which the numbers are not known here.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        raise UserError(
            f"The sandbox does not know the system calls of {machine}. "
            f"Grade on a machine of {' or '.join(ARCHITECTURES)}."
        )
    return b"".join(struct.pack("=HBBI", *line) for line in _lines(*ARCHITECTURES[machine]))


def _lines(column: int, architecture: int) -> Iterator[tuple[int, int, int, int]]:
    """Instructions: operation, lines to skip if true, lines to skip if false, operand."""
    yield LOAD, 0, 0, ARCHITECTURE
    yield EQUAL, 1, 0, architecture
    yield RETURN, 0, 0, KILL
    yield LOAD, 0, 0, NUMBER
    yield AT_LEAST, 0, 1, X32
    yield RETURN, 0, 0, REFUSE | errno.EPERM
    for numbers in REFUSED.values():
        yield EQUAL, 0, 1, numbers[column]
        yield RETURN, 0, 0, REFUSE | errno.EPERM
    yield EQUAL, 0, 1, CLONE3[column]
    yield RETURN, 0, 0, REFUSE | errno.ENOSYS
    for numbers in SOCKETS:
        yield EQUAL, 0, len(FAMILIES) + 3, numbers[column]
        yield LOAD, 0, 0, FIRST_ARGUMENT
        for left, family in zip(reversed(range(len(FAMILIES))), FAMILIES, strict=True):
            yield EQUAL, left + 1, 0, family
        yield RETURN, 0, 0, REFUSE | errno.EAFNOSUPPORT
        yield RETURN, 0, 0, ALLOW
    yield EQUAL, 0, 3, CLONE[column]
    yield LOAD, 0, 0, FIRST_ARGUMENT
    yield ANY_BIT, 0, 1, NEW_NAMESPACES
    yield RETURN, 0, 0, REFUSE | errno.EPERM
    yield RETURN, 0, 0, ALLOW
