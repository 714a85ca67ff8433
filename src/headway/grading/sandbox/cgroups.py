"""Control groups of this process: whether some are ours to divide, and dividing them.

The kernel counts and bounds what all processes of a control group use together, from the first
page and the first moment on (Linux, Documentation/admin-guide/cgroup-v2.rst). Only who was given a
group may make others in it. systemd gives one to whatever is started by `START`, and marks it; a
container has its own at the top of what it sees. Any other group is left alone, even if it could
be written to.
"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

START = "systemd-run --user --scope -p Delegate=yes"
CONTROLLERS = ("memory", "cpu", "pids")
NEEDED = "memory"
MARKS = ("user.delegate", "trusted.delegate")
# A group with groups below it holds no processes itself, so those of the grader stand in one.
GRADER = "headway-grader"
TRIES = 20
PAUSE = 0.05  # seconds between two tries


class NotDelegated(Exception):  # noqa: N818 - a state of the system, and no error
    """No control group is ours to divide; the message says why, as the end of a sentence."""


@dataclass(frozen=True)
class Delegated:
    """A control group that is ours to divide.

    Attributes:
        folder: where it stands in the file system of groups.
        controllers: those of `CONTROLLERS` that it has; `NEEDED` is one.
    """

    folder: Path
    controllers: tuple[str, ...]


def find_delegated(process: Path = Path("/proc/self")) -> Delegated:
    """The group of a process, if it is ours to divide. Nothing is changed.

    Args:
        process: its folder in /proc.

    Raises:
        NotDelegated: if it is not.
    """
    folder, is_top = _group_of(process)
    if not is_top and not any(map(_mark_of(folder), MARKS)):
        raise NotDelegated("this process doesn't own its control group")
    found = _words(folder / "cgroup.controllers")
    controllers = tuple(name for name in CONTROLLERS if name in found)
    if NEEDED not in controllers:
        raise NotDelegated(f"the group of this process has no controller of {NEEDED}")
    for place in (folder, folder / "cgroup.procs", folder / "cgroup.subtree_control"):
        if not os.access(place, os.W_OK):
            raise NotDelegated(f"{place} may not be written to")
    return Delegated(folder, controllers)


def divide(delegated: Delegated) -> None:
    """Let groups be made in one, with their own limits; its processes move to one of these.

    Raises:
        NotDelegated: if the kernel does not let us.
    """
    enable = " ".join(f"+{name}" for name in delegated.controllers)
    control = delegated.folder / "cgroup.subtree_control"
    trouble: OSError | None = None
    for _ in range(TRIES):  # processes start meanwhile, and other workers do the same
        try:
            if not set(delegated.controllers) <= _words(control):
                if (delegated.folder / "cgroup.type").exists():  # all but the machine's own
                    _move_all(delegated.folder)
                control.write_text(enable)
        except OSError as error:
            trouble = error
            time.sleep(PAUSE)
        else:
            return
    raise NotDelegated(f"{delegated.folder} cannot be divided ({trouble.strerror})")


class Group:
    """A control group of our own making.

    Args:
        folder: where; it is made.

    Raises:
        OSError: if it cannot be made.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._make()

    def _make(self) -> None:
        self.folder.mkdir()

    def write(self, name: str, value: int) -> None:
        """Set what it has by a name, as "memory.max"; nothing where this kernel has no such."""
        with suppress(FileNotFoundError):
            file = os.open(self.folder / name, os.O_WRONLY)
            try:
                os.write(file, str(value).encode())
            finally:
                os.close(file)

    def add(self, number: int) -> None:
        """Move a process into it; what that starts from then on is in it, too."""
        (self.folder / "cgroup.procs").write_text(str(number))

    def read(self, file: str, line: str) -> int:
        """A number out of a table of its, as "usage_usec" of "cpu.stat"; 0 if it is not there."""
        with suppress(OSError):
            for found in (self.folder / file).read_text().splitlines():
                name, _, value = found.partition(" ")
                if name == line:
                    return int(value)
        return 0

    def kill(self) -> None:
        """End all its processes."""
        self.write("cgroup.kill", 1)

    def remove(self) -> None:
        """End all its processes and remove it, which takes until the last one is gone."""
        for _ in range(TRIES):
            self.kill()
            if remove_if_empty(self.folder):
                return
            time.sleep(PAUSE)


def remove_if_empty(folder: Path) -> bool:
    """Remove a group in which nothing lives; whether it is gone."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _group_of(process: Path) -> tuple[Path, bool]:
    """Where the group stands that a process was started in, and whether none is above it."""
    own = [line[3:] for line in _lines(process / "cgroup") if line.startswith("0::")]
    if not own:
        raise NotDelegated("this system has no control groups of version 2")
    path = Path(own[0])
    if path.name == GRADER:
        path = path.parent
    for line in _lines(process / "mountinfo"):
        place, _, kind = line.partition(" - ")
        if kind.startswith("cgroup2 "):
            root, mounted = map(Path, place.split()[3:5])
            if ".." not in path.parts and path.is_relative_to(root):
                return mounted / path.relative_to(root), path == root
    raise NotDelegated("this system's control groups are not visible here")


def _mark_of(folder: Path):
    def is_marked(name: str) -> bool:
        try:
            return os.getxattr(folder, name) == b"1"
        except OSError:
            return False

    return is_marked


def _move_all(folder: Path) -> None:
    """Move the processes of a group into the grader's, below it."""
    (folder / GRADER).mkdir(exist_ok=True)
    for number in _lines(folder / "cgroup.procs"):
        with suppress(ProcessLookupError):  # ended already
            (folder / GRADER / "cgroup.procs").write_text(number)


def _lines(path: Path) -> Iterable[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def _words(path: Path) -> set[str]:
    return {word for line in _lines(path) for word in line.split()}
