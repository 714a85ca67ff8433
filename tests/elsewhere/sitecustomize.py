"""Python as it is on another system, as far as the course's code can tell.

A folder on PYTHONPATH whose `sitecustomize` Python runs when it starts, in kernels and other
children, too. HEADWAY_TEST_SYSTEM is "windows" or "macos". What the system lacks is missing for the
modules of `headway`, and there for all others, which have code of their own for each system. On
Windows, text files that name no encoding are in code page 1252, whoever opens them.

What it cannot show: files that cannot be moved while they are open, other rules for names, how
processes are started and stopped, drivers and wheels of the libraries.
"""

import builtins
import importlib
import io
import os
import subprocess
import types

NO_MODULES = {
    "windows": (
        *("curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog"),
        *("termios", "tty"),
    ),
    "macos": (),
}
NO_ATTRIBUTES = {
    "windows": {
        "os": (
            *("O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG"),
            *("chown", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid"),
            *("getgroups", "getloadavg", "getpgid", "getpgrp", "getuid", "initgroups", "killpg"),
            *("lchown", "memfd_create", "mkfifo", "mknod", "nice", "openpty", "pidfd_open"),
            *("pipe2", "pread", "pwrite", "sched_getaffinity", "sched_setaffinity", "sendfile"),
            *("setgid", "setpgid", "setsid", "setuid", "statvfs", "sync", "sysconf", "uname"),
            *("wait", "wait3", "wait4"),
        ),
        "select": ("epoll", "poll", "POLLIN", "POLLOUT", "POLLRDHUP"),
        "signal": (
            *("ITIMER_PROF", "ITIMER_REAL", "ITIMER_VIRTUAL", "SIGALRM", "SIGCHLD", "SIGHUP"),
            *("SIGKILL", "SIGPIPE", "SIGPROF", "SIGQUIT", "SIGSTOP", "SIGUSR1", "SIGUSR2"),
            *("alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"),
        ),
        "socket": ("AF_UNIX", "SCM_RIGHTS", "recv_fds", "send_fds", "socketpair"),
        "time": ("tzset", "clock_gettime"),
    },
    "macos": {
        "os": (
            *("memfd_create", "pidfd_open", "pipe2", "sched_getaffinity", "sched_setaffinity"),
            *("setresgid", "setresuid", "splice"),
        ),
        "select": ("epoll", "POLLRDHUP"),
        "signal": ("sigtimedwait", "sigwaitinfo"),
    },
}
CALLED = {"windows": "Windows", "macos": "Darwin"}
CODE_PAGE = "cp1252"


def without(name: str, attributes: tuple[str, ...], others: dict) -> types.ModuleType:
    """A module like another, less some attributes."""
    real = importlib.import_module(name)
    module = types.ModuleType(name, real.__doc__)
    left = {key: value for key, value in vars(real).items() if key not in attributes}
    vars(module).update(left | others)
    return module


def hide(system: str) -> None:
    """Have imports by modules of the course find what there is on the system."""
    others = {"platform": {"system": lambda: CALLED[system]}}
    if system == "windows":
        others["os"] = {"name": "nt", "linesep": "\r\n"}
    lacking = NO_ATTRIBUTES[system]
    poorer = {
        name: without(name, lacking.get(name, ()), others.get(name, {}))
        for name in {*lacking, *others}
    }
    real = builtins.__import__

    def find(name, globals=None, locals=None, fromlist=(), level=0):
        asking = (globals or {}).get("__name__", "").partition(".")[0]
        if asking != "headway" or level:
            return real(name, globals, locals, fromlist, level)
        first = name.partition(".")[0]
        if first in NO_MODULES[system]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        found = real(name, globals, locals, fromlist, level)
        return poorer[first] if first in poorer and (name == first or not fromlist) else found

    builtins.__import__ = find


def read_in_code_page() -> None:
    """Open text files as Windows does where no encoding is named."""
    real_open, real_start = io.open, subprocess.Popen.__init__

    def opened(file, mode="r", buffering=-1, encoding=None, *rest, **named):
        if "b" not in mode and encoding in (None, "locale"):
            encoding = CODE_PAGE
        return real_open(file, mode, buffering, encoding, *rest, **named)

    def start(self, *rest, **named):
        if named.get("text") or named.get("universal_newlines"):
            named["encoding"] = named.get("encoding") or CODE_PAGE
        real_start(self, *rest, **named)

    builtins.open = io.open = opened
    subprocess.Popen.__init__ = start


if simulated := os.environ.get("HEADWAY_TEST_SYSTEM"):
    hide(simulated)
    if simulated == "windows":
        read_in_code_page()
