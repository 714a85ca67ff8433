"""Code that looks, reaches and writes where it has no business, in sessions of both kinds."""

import os
import socket
from pathlib import Path
from uuid import uuid4

import pytest

from headway.grading.sandbox.mounts import student_view
from headway.grading.sandbox.sessions import ForkedSessions, FreshSessions
from tests.hostile.conftest import run_cell

KINDS = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")


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
server = socket.socket(socket.AF_UNIX)
server.bind("\\0" + sys.argv[3])
server.listen()
server.settimeout(0.1)
try: server.accept()
except TimeoutError: print("nobody")
"""
    name = uuid4().hex
    with socket.create_server(("0.0.0.0", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")  # taken here, and free inside
        abstract.listen()
        port = server.getsockname()[1]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing, and tells this machine's address
            address = probe.getsockname()[0]
        assert printed(code, port, address, name) == "nobody\n"


def test_the_folders_of_others_are_not_there(printed, root, tmp_path):
    (tmp_path / "gradebook.db").write_text("secret")
    code = """
import os, sys
for path in sys.argv[1:]:
    if os.path.exists(path): print(path, "is there")
print(sorted(os.listdir("/home")), os.listdir("/home/student"), os.listdir("/dev/shm"))
# Of Python only programs and libraries. The system's own has the system's folders around it: of
# its data only these are there.
seen = {*os.listdir(sys.prefix), *os.listdir(sys.base_prefix)}
if sys.base_prefix == "/usr" and set(os.listdir("/usr/share")) <= {"fonts", "zoneinfo"}:
    seen -= {"share", "lib32"}
print(sorted(seen - {"bin", "lib", "lib64", "pyvenv.cfg"}))
"""
    paths = [tmp_path, tmp_path / "gradebook.db", Path.home() / ".bashrc", Path.home() / ".ssh"]
    paths += [root / name for name in ("solutions", ".git", "tests", "book", "pyproject.toml")]
    paths += ["/etc/passwd", "/etc/shadow", "/var", "/sys", "/run", "/mnt", "/usr/local/src"]
    assert printed(code, *paths) == "['student'] [] []\n[]\n"


def test_of_the_package_there_is_the_students_one_and_nothing_else(printed):
    code = """
import importlib, os, sys
for name in (
    *("grading.grade", "tasks.chapters.one_hot", "tasks.engine.judge", "tasks.engine.find"),
    *("text.vocabulary", "cli"),
):
    try: importlib.import_module(f"headway.{name}")
    except ImportError: continue
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
from headway.tasks.check import check
from headway.text.categories import car_prices
print(check("01-one-hot/lookup", len))
"""
    assert printed(code) == "None\n", "there is a check, which decides nothing"


def test_secrets_in_the_environment_and_in_commands_stay_outside(
    printed, monkeypatch, student_package
):
    monkeypatch.setenv("HEADWAY_SECRET", "in-the-environment")
    code = """
import glob, os, sys
print(sorted(set(os.environ) - {"LC_CTYPE", "PWD"} - set(sys.argv[2:])))
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try: text = open(path, "rb").read()
    except PermissionError: continue
    if b"in-the-" + b"environment" in text or sys.argv[1].encode() in text: print(path)
"""
    by_the_shell = "CLICOLOR CLICOLOR_FORCE FORCE_COLOR GIT_PAGER MPLBACKEND PAGER TERM"
    names = "HOME LANG LOGNAME MKL_NUM_THREADS OMP_NUM_THREADS OPENBLAS_NUM_THREADS PATH"
    names += " PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONNOUSERSITE PYTHONPATH USER"
    assert printed(code, student_package.parent, *by_the_shell.split()) == f"{names.split()}\n"


def test_only_its_own_processes_and_descriptors_can_be_seen(printed, tmp_path):
    (tmp_path / "secret").write_text("secret")
    code = """
import os
print(sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()), os.getpid())
sockets = []
for process in ("self", "1"):
    for number in range(256):
        try: place = os.readlink(f"/proc/{process}/fd/{number}")
        except OSError: continue
        # Of files only those are open that the session has made for what is printed.
        if place[0] == "/" and place != "/dev/null" and not place.startswith("/tmp/descriptor-"):
            print(process, place)
        if process == "self" and place[0] != "/":
            sockets.append((place.split(":")[0], os.get_inheritable(number)))
# Its own line, which no program inherits, and what its event loop has.
print(sorted(sockets) == [("anon_inode", False), *[("socket", False)] * 3] or sockets)
print(os.getsid(0) > 0)  # of which the first process is inside, too
"""
    with (tmp_path / "secret").open() as file:
        os.set_inheritable(file.fileno(), True)
        assert printed(code) == "[1, 2] 2\nTrue\nTrue\n"


def test_nothing_can_be_written_outside_the_private_folders(printed):
    code = """
import os, sys
for folder, names, files in os.walk("/"):
    names[:] = [n for n in names if os.path.join(folder, n) not in ("/proc", "/tmp", "/dev/shm")]
    if folder == "/home/student" or folder.count("/") > 6: names.clear(); continue
    try: open(os.path.join(folder, "written"), "w").close()
    except OSError: continue
    print("wrote in", folder)
paths = ["/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", sys.executable]
for folder, _, files in os.walk("/proc/sys"): paths += [os.path.join(folder, f) for f in files]
for path in paths:
    try: os.close(os.open(path, os.O_WRONLY)); print("opened", path)
    except OSError: pass
for path in ("/tmp/a", "/dev/shm/a", "/home/student/a"): open(path, "w").close()
"""
    assert printed(code) == ""


WRITE = """
import os, pty, signal, socket
for folder in ("/tmp", "/dev/shm", "/home/student"): open(f"{folder}/left", "w").close()
server = socket.socket(socket.AF_UNIX); server.bind("\\0left"); server.listen()
local = socket.create_server(("127.0.0.1", 4000))
terminal = pty.openpty()
if not os.fork():
    signal.pause()
"""
LOOK = """
import os, socket
for folder in ("/tmp", "/dev/shm", "/home/student"): print("left" in os.listdir(folder))
for family, address in ((socket.AF_UNIX, "\\0left"), (socket.AF_INET, ("127.0.0.1", 4000))):
    print(not socket.socket(family).connect_ex(address))
print(os.listdir("/dev/pts"), [name for name in os.listdir("/proc") if name.isdecimal()])
"""


def test_two_sessions_at_a_time_or_one_after_the_other_have_nothing_in_common(sandboxes):
    nothing = "False\n" * 5 + "['ptmx'] ['1', '2']\n"
    with sandboxes.session() as first, sandboxes.session() as second:
        run_cell(first, WRITE)
        assert run_cell(first, LOOK).startswith("True\n" * 5)
        assert run_cell(second, LOOK) == nothing
    with sandboxes.session() as third:
        assert run_cell(third, LOOK) == nothing


def test_every_namespace_is_the_sessions_own(sandboxes):
    code = f"import os; print(*[os.readlink(f'/proc/self/ns/{{kind}}') for kind in {KINDS}])"
    with sandboxes.session() as first, sandboxes.session() as second:
        seen = [run_cell(one, code).split() for one in (first, second)]
    outside = ["self"]
    if server := getattr(sandboxes, "_fork_server", None):
        outside.append(server._monitor.pid)
    seen += [[os.readlink(f"/proc/{one}/ns/{kind}") for kind in KINDS] for one in outside]
    for kind, names in zip(KINDS, zip(*seen, strict=True), strict=True):
        assert len(set(names)) == len(seen), names
        assert all(name.startswith(f"{kind}:[") for name in names)


def test_a_session_finds_modules_as_they_were_whatever_an_earlier_one_did(sessions):
    spoil = """
import builtins, gc, numpy, os, sys, torch
x = 1
builtins.abs = numpy.sum = torch.tensor = os.getcwd = lambda *_: 13
os.environ["LEFT"] = "1"; sys.path.clear(); sys.modules["json"] = None; sys.left = 1
import headway.tasks.engine.probe as probe
probe.plain = None
for thing in gc.get_objects():
    if type(thing) is dict and "HELLO" in thing: thing["HELLO"] = b"!"
"""
    look = """
import json, numpy, os, sys, torch, headway.tasks.engine.probe as probe
print(abs(-1), numpy.sum([2]), torch.tensor(3).item(), os.getcwd(), os.environ.get("LEFT"))
print(bool(sys.path), hasattr(sys, "left"), probe.plain is None, "x" in globals())
"""
    with sessions.session() as first:
        run_cell(first, spoil)
    with sessions.session() as second:
        assert run_cell(second, look) == "1 2 3 /home/student None\nTrue False False False\n"


def test_the_first_process_can_neither_be_read_nor_changed_nor_ended(sessions):
    code = """
import os, signal
for name in ("mem", "environ", "maps", "auxv", "fd", "fd/0", "cwd", "root", "exe", "map_files"):
    path = f"/proc/1/{name}"
    for way in (os.O_RDONLY, os.O_RDWR):
        try: os.open(path, way); print("opened", path)
        except OSError: pass
    try: os.readlink(path); print("read", path)
    except OSError: pass
for name in ("kallsyms", "cmdline", "version", "sys/kernel/osrelease", "keys", "locks"):
    try: open(f"/proc/{name}"); print("opened", name)
    except OSError: pass
print(sorted(name for name in os.listdir("/proc") if not name.isdecimal()))
for number in range(1, 65):
    try: os.kill(1, number)
    except OSError: pass
os.kill(os.getppid(), signal.SIGINT)
print("still there")
"""
    with sessions.session() as session:
        assert run_cell(session, code) == "['self', 'thread-self']\nstill there\n"


def test_it_is_never_root_and_has_no_capability_nor_can_get_one(sandboxes):
    code = """
import os
print(os.getuid(), os.getgid(), os.getgroups())
lines = dict(line.split(":") for line in open("/proc/self/status").read().splitlines())
print([lines[f"Cap{kind}"].strip("\\t0") for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")])
print(lines["NoNewPrivs"], lines["Seccomp"])
"""
    with sandboxes.session() as session:
        assert run_cell(session, code) == f"1000 1000 []\n{[''] * 5}\n\t1 \t2\n"
        owners = {path.stat().st_uid for path in _processes_of(session)}
    assert owners == {os.getuid() or 65534}


def _processes_of(session) -> list[Path]:
    """The processes of a session, as seen from outside."""
    own = os.readlink(f"/proc/{session._monitor.pid}/ns/pid")
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(path / "ns" / "pid") == own:
                found.append(path)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("kind", [ForkedSessions, FreshSessions])
def test_what_is_bound_can_be_read_and_not_changed(kind, student_package, tmp_path):
    """Below a private folder, too, as where the course itself lies in /tmp."""
    tmp_path.chmod(0o755)
    (tmp_path / "inner").mkdir()
    for name, text in (("inner/file.txt", "bound"), ("one.txt", "one")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o644)
    places = "/course/data", "/tmp/bound"
    more = [(tmp_path / n, Path(place, n)) for place in places for n in ("inner", "one.txt")]
    code = """
import sys
for place in sys.argv[1:]:
    print(open(f"{place}/inner/file.txt").read(), open(f"{place}/one.txt").read())
    for path in ("inner/file.txt", "inner/new", "one.txt"):
        try: open(f"{place}/{path}", "w").write("changed")
        except OSError as error: print(error.strerror)
"""
    with kind(student_view(student_package, *more)) as sessions, sessions.session() as session:
        read = "bound one\n" + "Read-only file system\n" * 3
        assert run_cell(session, code, *places) == read * 2
        assert sessions.note == ""
