"""Find a control group that is delegated to this process, and create groups in it.

The kernel measures and limits what all processes of a control group use together (Linux,
Documentation/admin-guide/cgroup-v2.rst). A process may create groups only in a group that was
delegated to it. systemd delegates a group to a program that is started by `START`, and marks the
group; in a container, the top group is the container's own. Other groups are not touched, even if
they are writable.
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
# A group with subgroups may not contain processes, so the grader's processes move to this one.
GRADER = "headway-grader"
TRIES = 20
PAUSE = 0.05  # seconds between two tries


class NotDelegated(Exception):  # noqa: N818 - a state of the system, and no error
    """No control group is delegated to us; the message says why, as the end of a sentence."""


@dataclass(frozen=True)
class Delegated:
    """A control group that is delegated to us.

    Attributes:
        folder: its path in the cgroup file system.
        controllers: which of `CONTROLLERS` it has; `NEEDED` is one of them.
    """

    folder: Path
    controllers: tuple[str, ...]


def find_delegated(process: Path = Path("/proc/self")) -> Delegated:
    """The group of a process, if it is delegated to us. Nothing is changed.

    Args:
        process: the process's folder in /proc.

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
    """Prepare a group for subgroups with limits: move its processes to `GRADER` below it.

    Raises:
        NotDelegated: if the kernel refuses.
    """
    enable = " ".join(f"+{name}" for name in delegated.controllers)
    control = delegated.folder / "cgroup.subtree_control"
    trouble: OSError | None = None
    for _ in range(TRIES):  # processes may start meanwhile, and other workers do the same
        try:
            if not set(delegated.controllers) <= _words(control):
                if (delegated.folder / "cgroup.type").exists():  # the root group has no such file
                    _move_all(delegated.folder)
                control.write_text(enable)
        except OSError as error:
            trouble = error
            time.sleep(PAUSE)
        else:
            return
    raise NotDelegated(f"{delegated.folder} cannot be divided ({trouble.strerror})")


class Group:
    """A control group that we create.

    Args:
        folder: its path, which is created.

    Raises:
        OSError: if it cannot be created.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._make()

    def _make(self) -> None:
        self.folder.mkdir()

    def write(self, name: str, value: int) -> None:
        """Write one of its files, such as "memory.max", if this kernel has it."""
        with suppress(FileNotFoundError):
            file = os.open(self.folder / name, os.O_WRONLY)
            try:
                os.write(file, str(value).encode())
            finally:
                os.close(file)

    def add(self, number: int) -> None:
        """Move a process, and so its future children, into the group."""
        (self.folder / "cgroup.procs").write_text(str(number))

    def read(self, file: str, line: str) -> int:
        """A number from one of its files, such as "usage_usec" in "cpu.stat"; 0 if missing."""
        with suppress(OSError):
            for found in (self.folder / file).read_text().splitlines():
                name, _, value = found.partition(" ")
                if name == line:
                    return int(value)
        return 0

    def kill(self) -> None:
        """Kill all its processes."""
        self.write("cgroup.kill", 1)

    def remove(self) -> None:
        """Kill all its processes, wait until they are gone, and remove it."""
        for _ in range(TRIES):
            self.kill()
            if remove_if_empty(self.folder):
                return
            time.sleep(PAUSE)


def remove_if_empty(folder: Path) -> bool:
    """Remove a group without processes; return whether it is gone."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _group_of(process: Path) -> tuple[Path, bool]:
    """The folder of the group in which a process was started, and whether it is the top one."""
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
    """Move the processes of a group into its subgroup `GRADER`."""
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
