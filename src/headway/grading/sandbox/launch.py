"""Starting bubblewrap: the command line that shuts a program in, and who ends it if we cannot."""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from headway.grading.sandbox.boxes import Box
from headway.grading.sandbox.bubblewrap import NOBODY, find_bubblewrap, is_root
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.monitor import ENDING_SECONDS, Monitor
from headway.grading.sandbox.mounts import HOME, PRIVATE_FOLDERS, View
from headway.grading.sandbox.seccomp import seccomp_filter

# Were we killed, bubblewrap would end with us, but only from a certain moment on, and its child
# only from a later one. So somebody outside waits for the end of a pipe of ours, which comes when
# we end, however that happens, and ends what is left; and the program starts only at our word,
# when everything else is in place.
GUARD = """
{ { read -r end; kill -KILL -$$; } <&9 >/dev/null 2>&1 & } 9<"/proc/$PPID/fd/$0" || exit
exec "$@"
"""
SET_UP, GO = b"ready\n", b"go\n"
WAIT = ("/bin/sh", "-c", 'echo ready && read -r go && exec "$@" </dev/null', "sh")
INTO_BOX = ("/bin/sh", "-c", 'echo $$ >"$0" && exec "$@"')
FIRST_OUT_OF_MEMORY = ("/usr/bin/choom", "-n", "1000", "--")
# Where root binds what only root can reach: the first of these that holds nothing of ours.
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
        process: bubblewrap. On its standard output stands `SET_UP` before anything else; the
            program starts when `GO` is written to its standard input.
        status: a descriptor on which bubblewrap reports, as lines of JSON.
        life: once this is closed, the sandbox is ended.
    """

    process: subprocess.Popen
    status: int
    life: BinaryIO

    def start_program(self) -> None:
        """Start the program, now that its sandbox is ready."""
        with suppress(BrokenPipeError):  # ended already
            self.process.stdin.write(GO)
        self.process.stdin.close()

    def end(self, monitor: Monitor | None) -> None:
        """End the sandbox with all that is in it, and wait until it is gone.

        Args:
            monitor: of its first process, if that is known; closed here.
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
    """Start a stranger's command in a sandbox; whoever asked for it has to watch over it.

    Args:
        command: the program, by its path inside, and its arguments.
        view: what it can see.
        limits: what it may use.
        pass_fds: open file descriptors that it is given, under the same numbers. No other is.
        box: in which it shall be, from its first process on.

    Raises:
        UserError: if bubblewrap is missing.
    """
    with _file(seccomp_filter(devices=bool(view.devices))) as number:
        shut = ["--seccomp", str(number), "--disable-userns", "--assert-userns-disabled"]
        shut += ["--remount-ro", "/proc"]
        whole = [*limits.prlimit(), *command]
        descriptors = [number, *pass_fds]
        with _started(whole, view, limits.space_bytes, shut, descriptors, box) as sandbox:
            yield sandbox


@contextmanager
def launched_fork_server(
    command: Sequence[str], view: View, space_bytes: int, pass_fds: Sequence[int]
) -> Iterator[Launched]:
    """Start a command of ours in a sandbox, in which it may make further ones.

    Args:
        command: it must itself shut in, and limit, what strangers' code it runs.
        view, pass_fds: as those of `launched`.
        space_bytes: of all files in each private folder.

    Raises:
        UserError: if bubblewrap is missing.
    """
    with _started(command, view, space_bytes, [], pass_fds) as sandbox:
        yield sandbox


def child_pid(told: bytes) -> int | None:
    """The number of a sandbox's first process, as seen from here, once bubblewrap told it.

    Args:
        told: what came on `Launched.status` so far.
    """
    line, end, _ = bytes(told).partition(b"\n")
    return json.loads(line)["child-pid"] if end else None


@contextmanager
def _started(
    command: Sequence[str],
    view: View,
    space_bytes: int,
    shut: Sequence[str],
    pass_fds: Sequence[int],
    box: Box | None = None,
) -> Iterator[Launched]:
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
            options = ["--json-status-fd", str(status_end)]
            options += [*_options(view, mounts, space_bytes), *shut]
            # Handed over in a file, because whoever is inside can read the command line.
            options_end = ours.enter_context(_file("\0".join(options).encode()))
            enter = [*INTO_BOX, str(box.door)] if box else []
            bwrap = [program, "--args", str(options_end), "--", *WAIT, *command]
            start = [*FIRST_OUT_OF_MEMORY, *enter, *outer, *bwrap]
            process = subprocess.Popen(
                ["/bin/sh", "-c", GUARD, str(seen_by_guard), *start],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[status_end, options_end, *pass_fds],
                env={},
                cwd="/",
                bufsize=0,
                start_new_session=True,
            )
        stack.enter_context(process)
        yield Launched(process, status, life)


@contextmanager
def _file(content: bytes) -> Iterator[int]:
    """A descriptor from which a content can be read."""
    number = os.memfd_create("headway")
    try:
        os.write(number, content)
        os.lseek(number, 0, os.SEEK_SET)
        yield number
    finally:
        os.close(number)


def _as_nobody(view: View) -> tuple[list[str], tuple[tuple[Path, Path], ...]]:
    """The start of a command that turns root into nobody, and the mounts as nobody finds them.

    Root's Python may stand in a folder where nobody else may go. What is to be seen from there is
    first bound, by root and in a mount namespace of its own, to where everyone may go. All this
    is one process, which becomes bubblewrap: were root's process its parent and without
    capabilities, its end would not be bubblewrap's.
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
    become = ["/usr/bin/setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    become += ["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"]
    stage = ["/usr/bin/unshare", "--mount", "--", "/bin/sh", "-c", STAGE, "sh", str(place)]
    return [*stage, *barred, "--", *become], tuple(mounts)


def _is_open(path: Path) -> bool:
    """Whether everyone may go to a file or folder, and read it."""
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
        *("--proc", "/proc", "--dev", "/dev"),
        # Mapped, it gives shared memory that no measurement sees; nothing else needs it.
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
    # What bubblewrap itself mounted last can still be written to, without bounds.
    return [*options, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME]
