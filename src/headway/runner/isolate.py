"""How a forked process confines itself before it runs untrusted code.

    server ── fork ── A: new namespaces, ends at once
                     └─ fork ── B: first process of the new process namespace; mounts
                                └─ fork ── C: drops all other rights, then runs untrusted code

All are forks of the same Python, so the fork server's imports are there at once. C cannot undo
what B sets up: it has no capabilities and cannot get any, and a seccomp filter refuses the system
calls that it would need (capabilities(7), user_namespaces(7), seccomp(2)).
"""

import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import stat
import struct
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import NoReturn

# unshare(2): CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
NAMESPACES = (
    0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
)
# mount(2): MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXECUTION = 0x1, 0x2, 0x4, 0x8
BIND = 0x1000 | 0x4000  # MS_BIND, MS_REC
RECURSIVE_PRIVATE = 0x4000 | 0x40000  # MS_REC, MS_PRIVATE
SET_DUMPABLE, SET_SECCOMP, DROP_BOUND, NO_NEW_PRIVILEGES, AMBIENT = 4, 22, 24, 38, 47  # prctl(2)
LAST_CAPABILITY = 63  # above the last of any kernel, which refuses unknown numbers
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 0x1  # netdevice(7): SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
# A session may create none of these namespaces: a second barrier behind the seccomp filter.
COUNTS = ("cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts")
# Minimum, default and maximum bytes of a TCP connection's buffers in the session's own network.
# The kernel's default maximum is many megabytes.
BUFFERS = {"tcp_wmem": "4096 16384 65536", "tcp_rmem": "4096 65536 65536"}
# Connections that nobody accepted and messages that nobody read take memory that no process is
# charged for, so the queues are short.
QUEUES = ("core/somaxconn", "unix/max_dgram_qlen")
TERMINALS = 16  # at a time in a session; all sessions of a machine share some 3,000
BEGUN_WITH = 256 << 20  # bytes mapped by PyTorch's CPU build when a session begins
HELLO, GO = b"h", b"g"
READY = b"ready"  # the fork server's message after its imports
OWN_NAMESPACE, SHARED_NAMESPACE = (
    "own",
    "shared",
)  # whether a session has a process namespace of its own

_library = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Confinement:
    """The limits and folders of a session.

    Attributes:
        rlimits: (soft, hard) by the kernel's name for the limit in lower case, "nofile"; memory
            that is mapped beyond `BEGUN_WITH` is added to "data".
        folders: the private folders, each an empty file system in memory.
        home: the private folder that is the working directory at the start.
        space_bytes: most bytes of all files in each private folder.
        files: most files in each private folder.
        filter: the seccomp filter, an array of `struct sock_filter`.
        kept: paths in the private folders where the original files stay visible.
    """

    rlimits: dict[str, tuple[int, int]]
    folders: tuple[str, ...]
    home: str
    space_bytes: int
    files: int
    filter: bytes
    kept: tuple[str, ...] = ()

    def pack(self) -> bytes:
        """Encode as a message to the fork server."""
        return json.dumps({**asdict(self), "filter": self.filter.hex()}).encode()

    @classmethod
    def unpack(cls, message: bytes) -> "Confinement":
        """Decode a message made by `pack`."""
        data = json.loads(message)
        return cls(**{**data, "filter": bytes.fromhex(data["filter"])})


def fork_isolated(
    confinement: Confinement,
    sock: socket.socket,
    tell: Callable[[str], None],
    program: Callable[[socket.socket], object],
) -> None:
    """Start a program in a confined child process, and return while it runs.

    The caller must have only one thread. The child greets on `sock` (see `greet`) before the
    program starts; it inherits no other descriptor, and its standard streams are /dev/null.

    Args:
        confinement: the limits of the child.
        sock: a stream socket; its other end is outside the sandbox.
        tell: called in the child with the text of an error before the greeting.
        program: called in the child, with `sock`.
    """
    child = os.fork()
    if not child:
        _never_back(tell, _enter_namespaces, confinement, sock, tell, program)
    os.waitpid(child, 0)


def close_streams() -> None:
    """Replace the standard streams by /dev/null."""
    null = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)


def greet(sock: socket.socket) -> None:
    """Send hello, from which the other end learns our process id, and wait for its go-ahead.

    Raises:
        EOFError: if the other end has closed.
    """
    sock.send(HELLO)
    if sock.recv(1) != GO:
        raise EOFError("nobody is there any more who waits for this program")


def _never_back(tell: Callable[[str], None], step: Callable, *arguments: object) -> NoReturn:
    """Call `step`, then end this process: a child must never return into its parent's code."""
    try:
        step(*arguments)
    except BaseException as error:
        tell(f"{type(error).__name__}: {error}")
    finally:
        os._exit(1)


def _enter_namespaces(confinement, sock, tell, program) -> NoReturn:
    user, group = os.geteuid(), os.getegid()
    _call("unshare", NAMESPACES)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")
    if not os.fork():
        _never_back(tell, _run_as_init, confinement, sock, tell, program)
    os._exit(0)


def _run_as_init(confinement, sock, tell, program) -> NoReturn:
    """Set up the namespace as its first process, and end the namespace after the program."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # so the kernel never delivers them to process 1
    _mount(confinement)
    _raise_loopback()
    for name in QUEUES:
        _write(f"/proc/sys/net/{name}", "1")
    for kind in COUNTS:
        _write(f"/proc/sys/user/max_{kind}_namespaces", "0")
    for name, sizes in BUFFERS.items():
        _write(f"/proc/sys/net/ipv4/{name}", sizes)
    # From here on /proc is read-only and shows only processes, no files about the machine.
    safe = READ_ONLY | NO_SUID | NO_DEVICES | NO_EXECUTION
    _call("mount", b"proc", b"/proc", b"proc", safe, b"subset=pid")
    greet(sock)
    # The student's processes run as the same user, and must not trace this one.
    _control(SET_DUMPABLE, 0)
    child = os.fork()
    if not child:
        _never_back(lambda _: None, _run, confinement, sock, program)
    sock.close()
    os.closerange(0, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    while os.wait()[0] != child:
        pass
    os._exit(0)  # the kernel then kills every other process in the namespace


def _mount(confinement: Confinement) -> None:
    _call("mount", b"none", b"/", None, RECURSIVE_PRIVATE, None)
    size = f"mode=0700,size={confinement.space_bytes},nr_inodes={confinement.files}".encode()
    kept = {path: os.open(path, os.O_PATH) for path in confinement.kept}
    for folder in confinement.folders:
        _call("mount", b"tmpfs", folder.encode(), b"tmpfs", NO_SUID | NO_DEVICES, size)
    for path, covered in kept.items():
        _bind(covered, path)
    safe = NO_SUID | NO_DEVICES | NO_EXECUTION
    _call("mount", b"proc", b"/proc", b"proc", safe, None)
    terminals = f"newinstance,ptmxmode=0666,mode=620,max={TERMINALS}".encode()
    _call("mount", b"devpts", b"/dev/pts", b"devpts", NO_SUID | NO_EXECUTION, terminals)


def _bind(covered: int, path: str) -> None:
    """Make a file or folder visible again at a path that a mount has covered."""
    if stat.S_ISDIR(os.fstat(covered).st_mode):
        os.makedirs(path)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    source = f"/proc/self/fd/{covered}".encode()
    _call("mount", source, path.encode(), None, BIND, None)
    os.close(covered)


def _raise_loopback() -> None:
    """Enable 127.0.0.1, so that processes within the session can connect to each other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, GET_FLAGS, request))[1]
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", flags | UP))


def _run(confinement, sock, program) -> NoReturn:
    """Drop the remaining rights, in an order in which each step is still allowed, then run."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sock.set_inheritable(False)
    close_streams()
    _close_all_but(sock.fileno())
    os.chdir(confinement.home)
    for name, (soft, hard) in confinement.rlimits.items():
        which = getattr(resource, f"RLIMIT_{name.upper()}")
        more = _mapped_beyond() if name == "data" else 0
        limits = _at_most((soft + more, hard + more), resource.getrlimit(which)[1])
        resource.setrlimit(which, limits)
    _control(SET_DUMPABLE, 1)
    _drop_capabilities()
    _control(NO_NEW_PRIVILEGES, 1)
    _load(confinement.filter)
    program(sock)
    os._exit(0)


def _mapped_beyond() -> int:
    """Private memory that this process has mapped beyond `BEGUN_WITH`, in bytes.

    The kernel's limit counts mapped memory, used or not. CUDA's libraries map half a gigabyte
    without using it, so with them the same limit would leave less memory for the code.
    """
    with open("/proc/self/status") as table:
        sizes = dict(line.split(":", 1) for line in table)
    return max(0, (int(sizes["VmData"].split()[0]) << 10) - BEGUN_WITH)


def _close_all_but(number: int) -> None:
    for other in map(int, os.listdir("/proc/self/fd")):
        if other > 2 and other != number:
            try:
                os.close(other)
            except OSError:  # the descriptor of the listing, closed by now
                continue


def _at_most(limits: tuple[int, int], hard: int) -> tuple[int, int]:
    """The limits, lowered to the process's present hard limit where they exceed it."""
    if hard == resource.RLIM_INFINITY:
        return limits
    return min(limits[0], hard), min(limits[1], hard)


def _drop_capabilities() -> None:
    for capability in range(LAST_CAPABILITY + 1):
        _library.prctl(DROP_BOUND, *map(ctypes.c_ulong, (capability, 0, 0, 0)))
    _library.prctl(AMBIENT, *map(ctypes.c_ulong, (4, 0, 0, 0)))  # PR_CAP_AMBIENT_CLEAR_ALL
    header = struct.pack("=Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    _call("capset", header, bytes(24))


def _load(program: bytes) -> None:
    """Install a seccomp filter for this process and its children."""

    class Filter(ctypes.Structure):
        _fields_ = (("lines", ctypes.c_ushort), ("program", ctypes.c_char_p))

    filter_program = Filter(len(program) // 8, program)
    _control(SET_SECCOMP, 2, ctypes.addressof(filter_program))  # SECCOMP_MODE_FILTER


def _control(option: int, *arguments: int) -> None:
    filled = (*arguments, 0, 0, 0, 0)[:4]
    _call("prctl", option, *map(ctypes.c_ulong, filled))


def _call(name: str, *arguments: object) -> None:
    if getattr(_library, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
