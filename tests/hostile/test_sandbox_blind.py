"""Programs that look, reach and write where they have no business."""

import os
import socket
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from headway.grading.sandbox.mounts import student_view
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
from tests.hostile.sandbox import run

COLUMN = {"x86_64": 0, "aarch64": 1}[os.uname().machine]
# Calls that would work and are not allowed, by their numbers on both architectures.
BEYOND = {
    "unshare": (272, 97),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "keyctl": (250, 219),
    "ptrace": (101, 117),
    "add_key": (248, 217),
    "inotify_init1": (294, 26),
    "flock": (73, 32),
    "personality": (135, 92),
    "sched_setaffinity": (203, 122),
}
SET_BY_THE_SHELL = (
    *("CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "GIT_PAGER", "MPLBACKEND", "PAGER", "TERM"),
)
SYSCALL = """
import ctypes, errno, sys
library = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    ctypes.set_errno(0)
    result = library.syscall(*map(ctypes.c_long, arguments))
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]
"""


def test_no_server_of_this_machine_can_be_reached(printed):
    code = """
import socket, sys
for family, address in (
    (socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))),
    (socket.AF_INET, (sys.argv[2], int(sys.argv[1]))),
    (socket.AF_UNIX, "\\0" + sys.argv[3]),
    (socket.AF_INET, ("192.0.2.1", 80)),
    (socket.AF_INET6, ("::1", int(sys.argv[1]))),
):
    try:
        socket.socket(family).connect(address)
        print("connected", address)
    except OSError: pass
"""
    name = uuid4().hex
    with socket.create_server(("0.0.0.0", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        port = server.getsockname()[1]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing, and tells this machine's address
            address = probe.getsockname()[0]
        assert printed(code, port, address, name) == ""


def test_two_sandboxes_have_no_abstract_socket_in_common(printed):
    code = """
import socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind("\\0" + sys.argv[1])
server.listen()
server.settimeout(0.1)
try: server.accept()
except TimeoutError: print("nobody")
"""
    name = uuid4().hex
    with socket.socket(socket.AF_UNIX) as ours:
        ours.bind(f"\0{name}")  # taken here, and free inside
        assert printed(code, name) == "nobody\n"


@pytest.mark.parametrize("family", ["AF_VSOCK", "AF_NETLINK", "AF_PACKET", "AF_ALG"])
def test_sockets_that_lead_elsewhere_are_refused(printed, family):
    code = f"""
import socket
try: socket.socket(socket.{family}, socket.SOCK_DGRAM if "{family}" != "AF_ALG" else 5)
except OSError as error: print(error.strerror)
"""
    assert printed(code) == "Address family not supported by protocol\n"


def test_the_folders_of_others_are_not_there(printed, root, tmp_path):
    (tmp_path / "gradebook.db").write_text("secret")
    code = """
import os, sys
for path in sys.argv[1:]:
    if os.path.exists(path): print(path, "is there")
print(sorted(os.listdir("/home")), os.listdir("/home/student"), os.listdir("/tmp"))
"""
    paths = [tmp_path, tmp_path / "gradebook.db", Path.home() / ".bashrc", Path.home() / ".ssh"]
    paths += [root / name for name in ("solutions", ".git", "tests", "book", "pyproject.toml")]
    paths += ["/etc/passwd", "/etc/shadow", "/var", "/sys", "/run", "/mnt", "/usr/local/src"]
    shown = printed(code, *paths)
    assert shown.startswith("['student'] [] "), shown


def test_of_python_only_programs_and_libraries_are_there(printed):
    # The system's own Python has the system's folders around it: of its data only these are there.
    code = """
import os, sys
seen = {*os.listdir(sys.prefix), *os.listdir(sys.base_prefix)}
if sys.base_prefix == "/usr" and set(os.listdir("/usr/share")) <= {"fonts", "zoneinfo"}:
    seen -= {"share", "lib32"}
print(sorted(seen - {"bin", "lib", "lib64", "pyvenv.cfg"}))
"""
    assert printed(code) == "[]\n"


def test_of_the_package_there_is_the_students_one_and_nothing_else(printed):
    code = """
import importlib, os, sys
for name in (
    *("grading", "tasks.chapters.one_hot", "tasks.engine.judge", "tasks.engine.find"),
    *("text.vocabulary", "cli"),
):
    try: importlib.import_module(f"headway.{name}")
    except ModuleNotFoundError: continue
    print(name, "can be imported")
secrets = ("AlphabeticalVocabulary", "ids-made-twice", "AutoGrades")
for prefix in dict.fromkeys((sys.prefix, sys.base_prefix, *sys.path)):
    for folder, _, files in os.walk(prefix):
        for file in files:
            path = os.path.join(folder, file)
            ours = "headway" in os.path.relpath(path, prefix)
            if ours and file.endswith((".py", ".pyc", ".ipynb", ".pth")):
                text = open(path, "rb").read()
                if any(secret.encode() in text for secret in secrets): print(path)
"""
    assert printed(code) == ""


def test_the_check_of_the_student_package_decides_nothing(printed):
    code = """
import numpy
from headway.tasks.check import check
from headway.text.categories import car_prices
print(check("01-one-hot/lookup", len))
"""
    assert printed(code) == "None\n"


def test_secrets_in_the_environment_stay_outside(printed, monkeypatch):
    monkeypatch.setenv("HEADWAY_SECRET", "in-the-environment")
    code = """
import glob, os, sys
print(sorted(set(os.environ) - {"LC_CTYPE", "PWD"} - set(sys.argv[1:])))
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try: text = open(path, "rb").read()
    except PermissionError: continue
    if b"in-the-" + b"environment" in text: print(path)
"""
    names = [
        *("HOME", "LANG", "LOGNAME", "MKL_NUM_THREADS", "OMP_NUM_THREADS"),
        *("OPENBLAS_NUM_THREADS", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"),
        "PYTHONNOUSERSITE",
        *("PYTHONPATH", "USER"),
    ]
    assert printed(code, *SET_BY_THE_SHELL) == f"{names}\n"


def test_only_its_own_processes_can_be_seen(printed):
    code = """
import os
print(sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()), os.getpid())
"""
    assert printed(code) == "[1, 2] 2\n"


def test_the_command_line_of_the_sandbox_tells_no_path_outside(printed, student_package):
    code = "print(open('/proc/1/cmdline').read())"
    assert str(student_package.parent) not in printed(code)


def test_nothing_can_be_written_outside_the_private_folders(printed):
    code = """
import os, sys
for folder, names, files in os.walk("/"):
    names[:] = [n for n in names if os.path.join(folder, n) not in ("/proc", "/tmp", "/dev/shm")]
    if folder == "/home/student" or folder.count("/") > 6: names.clear(); continue
    try: open(os.path.join(folder, "written"), "w").close()
    except OSError: continue
    print("wrote in", folder)
for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/user/max_user_namespaces",
             "/proc/sysrq-trigger", sys.executable):
    try: open(path, "a").close(); print("opened", path)
    except OSError: pass
for path in ("/tmp/a", "/dev/shm/a", "/home/student/a"): open(path, "w").close()
"""
    assert printed(code) == ""


def test_what_one_run_leaves_in_its_folders_the_next_does_not_find(printed):
    write = "for f in ('/tmp/a', '/dev/shm/a', '/home/student/a'): open(f, 'w').close()"
    look = "import os; print([os.listdir(f) for f in ('/tmp', '/dev/shm', '/home/student')])"
    printed(write)
    shown = printed(look)
    assert "'a'" not in shown


def test_only_descriptors_passed_on_purpose_are_inherited(printed_by_program, tmp_path):
    (tmp_path / "secret").write_text("secret")
    code = """
import os
for number in range(3, 200):
    try: print(number, os.read(number, 100), end=" ")
    except OSError: pass
"""
    with (tmp_path / "secret").open() as file:
        os.set_inheritable(file.fileno(), True)
        assert printed_by_program(code) == ""
        assert printed_by_program(code, pass_fds=[file.fileno()]) == f"{file.fileno()} b'secret' "


def test_descriptors_of_the_first_process_lead_nowhere(printed_by_program):
    code = """
import os
kinds = (os.readlink(f"/proc/1/fd/{name}") for name in os.listdir("/proc/1/fd"))
print(sorted({kind.split(":")[0] for kind in kinds}))
"""
    assert printed_by_program(code) == "['anon_inode', 'pipe']\n"


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


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("unshare", (0x10000000,)),  # CLONE_NEWUSER
        ("inotify_init1", (0,)),
        ("flock", (0, 1)),
        ("personality", (0xFFFFFFFF,)),
        ("sched_setaffinity", (0, 8, "library.name")),
        ("memfd_create", ("library.name", 0)),
        ("shmget", (0, 1 << 30, 0o1600)),
        ("keyctl", (0, -3, 1)),  # the session's keyring
        ("ptrace", (16, 1, 0, 0)),  # PTRACE_ATTACH
        ("add_key", ("library.name", "library.name", 0, 0, -3)),
    ],
)
def test_a_call_that_would_work_outside_is_refused_inside(printed, name, arguments):
    code = f"""{SYSCALL}
library.name = ctypes.addressof(kept := ctypes.create_string_buffer(b"user"))
print(call({BEYOND[name][COLUMN]}, {", ".join(map(str, arguments))}))
"""
    assert printed(code) == "EPERM\n"


@pytest.mark.parametrize("name", ["oom_score_adj", "comm", "coredump_filter", "clear_refs"])
def test_nothing_of_a_process_can_be_set(printed, name):
    code = f"""
try: open("/proc/self/{name}", "w").write("1")
except OSError as error: print(error.strerror)
"""
    assert printed(code) == "Read-only file system\n"


def test_nothing_of_the_kernel_can_be_set(printed):
    code = """
import os
for folder, _, files in os.walk("/proc/sys"):
    for name in files:
        try: os.close(os.open(os.path.join(folder, name), os.O_WRONLY)); print("opened", name)
        except OSError: pass
print("done")
"""
    assert printed(code) == "done\n"


@pytest.mark.parametrize("command", ["F_RDLCK", "F_GETLK", "lease", "notify"])
def test_a_lock_on_a_file_that_others_see_tells_them_nothing(printed, command):
    """The files of Python are the same in all sandboxes."""
    code = f"""
import fcntl, os, struct
with open(os.__file__) as file:
    whole = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
    do = {{"F_RDLCK": (fcntl.F_SETLK, whole), "F_GETLK": (fcntl.F_GETLK, whole),
          "lease": (fcntl.F_SETLEASE, fcntl.F_RDLCK), "notify": (fcntl.F_NOTIFY, 1)}}
    try: fcntl.fcntl(file, *do["{command}"]); print("locked")
    except OSError as error: print(error.strerror)
"""
    assert printed(code) == "No locks available\n"


@pytest.mark.parametrize("command", ["F_SET_RW_HINT", "F_GET_RW_HINT", "F_SETPIPE_SZ"])
def test_of_a_file_that_others_have_too_nothing_can_be_set_or_asked(printed, command):
    code = f"""
import fcntl, os, struct
commands = {{"F_SET_RW_HINT": 1036, "F_GET_RW_HINT": 1035, "F_SETPIPE_SZ": 1031}}
with open(os.__file__) as file:
    try: fcntl.fcntl(file, commands["{command}"], struct.pack("Q", 5)); print("done")
    except OSError as error: print(error.strerror)
"""
    assert printed(code) == "Operation not permitted\n"


def test_a_file_system_takes_no_requests(printed):
    code = """
import fcntl, os
def ask(number):
    try: fcntl.ioctl(file, number, bytearray(8)); return "done"
    except OSError as error: return error.strerror
with open(os.__file__) as file:
    # FS_IOC_GETFLAGS, FIEMAP, EXT4_IOC_PRECACHE_EXTENTS, FICLONE
    print({ask(number) for number in (0x80086601, 0xC020660B, 0x6612, 0x40049409)})
terminal = os.openpty()[0]
# TCGETS2, by which a newer C library asks whether something is a terminal.
print(fcntl.ioctl(terminal, 0x802C542A, bytearray(44)), os.isatty(terminal), os.isatty(0))
print(os.get_terminal_size(terminal))
"""
    assert printed(code) == (
        "{'Inappropriate ioctl for device'}\n0 True False\nos.terminal_size(columns=0, lines=0)\n"
    )


@pytest.mark.parametrize("option", [62, 78], ids=["PR_SCHED_CORE", "PR_FUTEX_HASH"])
def test_what_a_process_may_set_of_itself_takes_nothing_from_others(printed, option):
    code = f"{SYSCALL}\nprint(call({PRCTL[COLUMN]}, {option}, 1, 1024, 0, 0))"
    assert printed(code) == "EPERM\n"


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


def test_a_child_cannot_be_made_in_new_namespaces(printed):
    code = f"""{SYSCALL}
import os
def clone(flags):
    result = call({CLONE[COLUMN]}, flags | 17, 0, 0, 0, 0)
    if result == "done" and os.getpid() != 2: os._exit(0)
    return result
print(clone(0), [clone(1 << bit) for bit in range(32) if 1 << bit & {NEW_NAMESPACES}])
"""
    assert printed(code) == f"done {['EPERM'] * 8}\n"


def test_user_namespaces_are_shut_even_without_the_filter(printed_by_program, monkeypatch):
    allow_all = b"\x06\x00\x00\x00\x00\x00\xff\x7f"
    monkeypatch.setattr("headway.grading.sandbox.launch.seccomp_filter", lambda **_: allow_all)
    code = f"{SYSCALL}\nprint(call({BEYOND['unshare'][COLUMN]}, 0x10000000))"
    assert printed_by_program(code) == "ENOSPC\n"


def test_no_process_has_a_capability_or_can_get_one(printed):
    code = """
lines = dict(line.split(":") for line in open("/proc/self/status").read().splitlines())
print([lines[f"Cap{kind}"].strip("\\t0") for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")])
print(lines["NoNewPrivs"], lines["Seccomp"])
"""
    assert printed(code) == f"{[''] * 5}\n\t1 \t2\n"


def test_it_is_never_root(printed_by_program):
    code = """
import os, socket
with socket.socket(fileno=int(os.sys.argv[1])) as line:
    line.sendmsg([b"who am I"])
print(os.getuid(), os.getgid(), os.getgroups())
"""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        assert (
            printed_by_program(code, theirs.fileno(), pass_fds=[theirs.fileno()])
            == "1000 1000 []\n"
        )
        _, [(_, _, credentials)], _, _ = ours.recvmsg(100, 100)
    user = int.from_bytes(credentials[4:8], sys.byteorder)
    assert user == (os.getuid() or 65534)


def test_a_filter_is_made_for_machines_it_knows_only():
    from headway.errors import UserError

    assert seccomp_filter("aarch64") != seccomp_filter("x86_64") != seccomp_filter("x86_64", True)
    with pytest.raises(UserError, match="does not know the system calls of riscv64"):
        seccomp_filter("riscv64")


def test_a_file_that_is_bound_can_be_read_and_not_changed(student_package, tmp_path):
    (tmp_path / "data.txt").write_text("given")
    tmp_path.chmod(0o755)
    view = student_view(student_package, (tmp_path, Path("/course/data")))
    code = """
print(open("/course/data/data.txt").read())
try: open("/course/data/data.txt", "w")
except OSError as error: print(error.strerror)
"""
    assert run([sys.executable, "-c", code], view).stdout == b"given\nRead-only file system\n"


@pytest.mark.parametrize("kind", ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"])
def test_every_namespace_is_its_own(printed, kind):
    code = f"import os; print(os.readlink('/proc/self/ns/{kind}'))"
    inside = printed(code).strip()
    assert inside.startswith(f"{kind}:[")
    assert inside != os.readlink(f"/proc/self/ns/{kind}")
