"""Start a program in bubblewrap, with a guard that ends it if the grader is killed."""

import json
import os
import select
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from headway.grading.sandbox.boxes import Box
from headway.grading.sandbox.bubblewrap import (
    AS_NOBODY,
    find_bubblewrap,
    is_root,
    last_line,
    refusal,
)
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.monitor import ENDING_SECONDS, Monitor
from headway.grading.sandbox.mounts import HOME, PRIVATE_FOLDERS, View
from headway.grading.sandbox.seccomp import seccomp_filter

# If we are killed, bubblewrap and its child end with us (--die-with-parent), but not during their
# start. So a guard outside of the sandbox waits for the end of a pipe, which closes however we end,
# and kills the sandbox's process group. The program itself starts only when we send `GO`, after
# everything is set up.
GUARD = """
{ { read -r end; kill -KILL -$$; } <&9 >/dev/null 2>&1 & } 9<"/proc/$PPID/fd/$0" || exit
exec "$@"
"""
SET_UP, GO = b"ready\n", b"go\n"
SETTING_UP_SECONDS = 20
WAIT = ("/bin/sh", "-c", 'echo ready && read -r go && exec "$@" </dev/null', "sh")
INTO_BOX = ("/bin/sh", "-c", 'echo $$ >"$0" && exec "$@"')
FIRST_OUT_OF_MEMORY = ("/usr/bin/choom", "-n", "1000", "--")
# Folders where root can bind what only root can access; the first one without our mounts is used.
STAGES = tuple(map(Path, ("/mnt", "/media", "/srv", "/opt", "/tmp")))
STAGE = """
set -e
place=$1 number=0
shift
mount -t tmpfs -o mode=755,size=1m headway "$place"
while [ "$1" != -- ]; do
    if [ -d "$1" ]; then mkdir "$place/$number"; else : >"$place/$number"; fi
    mount --bind "$1" "$place/$number"
    number=$((number + 1))
    shift
done
shift
exec "$@"
"""


@dataclass(frozen=True)
class Launched:
    """A sandbox that has been started.

    Attributes:
        process: bubblewrap. It first writes `SET_UP` to its standard output; the program starts
            when `GO` is written to its standard input.
        status: a descriptor with bubblewrap's status messages, as lines of JSON.
        life: closing this pipe ends the sandbox.
    """

    process: subprocess.Popen
    status: int
    life: BinaryIO

    def first_process(self) -> int:
        """Wait until the sandbox is set up; return the id of its first process, seen from outside.

        Raises:
            UserError: if the setup fails.
            TimeoutError: if it takes too long.
        """
        set_up, _, _ = select.select([self.process.stdout], [], [], SETTING_UP_SECONDS)
        if not set_up:
            raise TimeoutError(f"the sandbox is not there after {SETTING_UP_SECONDS} s")
        if self.process.stdout.read(len(SET_UP)) != SET_UP:
            self.process.wait()
            raise refusal(self._errors(), self.process.returncode)
        with open(os.dup(self.status), "rb") as told:
            return json.loads(told.readline())["child-pid"]

    def last_error(self) -> str:
        """The last line on standard error, once the sandbox has ended."""
        return last_line(self._errors(), self.process.poll())

    def _errors(self) -> str:
        return (self.process.stderr.read() or b"").decode(errors="replace")

    def start_program(self) -> None:
        """Start the program, now that its sandbox is ready."""
        with suppress(BrokenPipeError):  # it has ended already
            self.process.stdin.write(GO)
        self.process.stdin.close()

    def end(self, monitor: Monitor | None) -> None:
        """Kill all processes of the sandbox, and wait until they are gone.

        Args:
            monitor: the monitor of its first process, if there is one; closed here.
        """
        if monitor:
            monitor.kill()
        self.life.close()
        self.process.kill()
        self.process.wait(ENDING_SECONDS)
        if monitor:
            monitor.end()


@contextmanager
def launched(
    command: Sequence[str],
    view: View,
    limits: Limits,
    pass_fds: Sequence[int],
    box: Box | None = None,
) -> Iterator[Launched]:
    """Start an untrusted command in a sandbox; the caller must monitor it.

    Args:
        command: the program's path in the sandbox, and its arguments.
        view: what it can see.
        limits: its limits.
        pass_fds: file descriptors that it inherits, with the same numbers, and no others.
        box: the box for all its processes.

    Raises:
        UserError: if bubblewrap is missing.
    """
    program = find_bubblewrap()
    outer, mounts = _as_nobody(view) if is_root() else ([], view.mounts)
    with ExitStack() as stack:
        status, status_end = os.pipe()
        stack.callback(os.close, status)
        seen_by_guard, life = os.pipe()
        stack.callback(os.close, seen_by_guard)
        life = stack.enter_context(open(life, "wb"))
        with ExitStack() as ours:
            ours.callback(os.close, status_end)
            calls = ours.enter_context(_file(seccomp_filter(devices=bool(view.devices))))
            options = ["--json-status-fd", str(status_end), "--seccomp", str(calls)]
            options += _options(view, mounts, limits.space_bytes)
            # The options are in a file, since processes inside can read the command line.
            options_end = ours.enter_context(_file("\0".join(options).encode()))
            enter = [*INTO_BOX, str(box.door)] if box else []
            bwrap = [program, "--args", str(options_end), "--", *WAIT, *limits.prlimit(), *command]
            start = [*FIRST_OUT_OF_MEMORY, *enter, *outer, *bwrap]
            process = subprocess.Popen(
                ["/bin/sh", "-c", GUARD, str(seen_by_guard), *start],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[status_end, calls, options_end, *pass_fds],
                env={},
                cwd="/",
                bufsize=0,
                start_new_session=True,
            )
        stack.enter_context(process)
        yield Launched(process, status, life)


@contextmanager
def _file(content: bytes) -> Iterator[int]:
    """A descriptor of an anonymous file with some content."""
    number = os.memfd_create("headway")
    try:
        os.write(number, content)
        os.lseek(number, 0, os.SEEK_SET)
        yield number
    finally:
        os.close(number)


def _as_nobody(view: View) -> tuple[list[str], tuple[tuple[Path, Path], ...]]:
    """The start of a command that switches from root to user nobody, and the mounts for nobody.

    Root's Python may be in a folder that user nobody cannot access. So root first binds such
    mounts, in a new mount namespace, to a place that every user can access. The process then
    becomes bubblewrap: if it stayed as the parent, without capabilities, its end would not end
    bubblewrap.
    """
    place = next(
        place
        for place in STAGES
        if place.is_dir() and not any(source.is_relative_to(place) for source, _ in view.mounts)
    )
    barred, mounts = [], []
    for source, target in view.mounts:
        if _is_open(source):
            mounts.append((source, target))
        else:
            mounts.append((place / str(len(barred)), target))
            barred.append(str(source))
    stage = ["/usr/bin/unshare", "--mount", "--", "/bin/sh", "-c", STAGE, "sh", str(place)]
    return [*stage, *barred, "--", *AS_NOBODY], tuple(mounts)


def _is_open(path: Path) -> bool:
    """Whether every user can access and read a file or folder."""
    path = path.resolve()
    may_read = 0o005 if path.is_dir() else 0o004
    return path.stat().st_mode & may_read == may_read and all(
        folder.stat().st_mode & 0o001 for folder in path.parents
    )


def _options(view: View, mounts: tuple[tuple[Path, Path], ...], space_bytes: int) -> list[str]:
    options = [
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net"),
        *("--unshare-uts", "--unshare-cgroup"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "headway", "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--clearenv"),
        *("--disable-userns", "--assert-userns-disabled", "--as-pid-1"),
        *("--proc", "/proc", "--dev", "/dev"),
        # Mapping /dev/zero gives shared memory that is not measured. Nothing else needs it.
        *("--dev-bind", "/dev/null", "/dev/zero"),
    ]
    for folder in PRIVATE_FOLDERS:
        options += ["--perms", "0700", "--size", str(space_bytes), "--tmpfs", folder]
    for device in map(str, view.devices):
        options += ["--dev-bind-try", device, device]
    for source, place in mounts:
        options += ["--ro-bind", str(source), str(place)]
    for place, target in view.links:
        options += ["--symlink", target, str(place)]
    for name, value in view.environment.items():
        options += ["--setenv", name, value]
    # Else bubblewrap's own mounts would be writable without limits.
    closed = [part for place in ("/dev", "/", "/proc") for part in ("--remount-ro", place)]
    return [*options, *closed, "--chdir", HOME]
