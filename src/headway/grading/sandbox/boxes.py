"""A box for each sandbox: a control group that limits all its processes together.

If this system lets us create control groups, the kernel limits a sandbox's memory, its share of the
processor and its number of processes, and counts all its processor time. Otherwise there are no
boxes, and only the measurements limit the sum (`headway.grading.sandbox.limits`).

A score must not depend on whether there are boxes. So the measured limits are the same in both
cases, and a box's limits are a little higher. They stop only what grows faster than the
measurements notice, and what these do not see, such as kernel tables.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path

from headway.grading.sandbox.cgroups import (
    Delegated,
    Group,
    NotDelegated,
    divide,
    find_delegated,
    remove_if_empty,
)
from headway.grading.sandbox.limits import Limits

NAME = "headway-box-"
KERNEL_BYTES = 64 << 20  # for the kernel's data on a sandbox: stacks, tables, sockets
MORE_PROCESSES = 8  # processes around the program, which RLIMIT_NPROC does not limit
WEIGHT = 100  # cpu.weight: all boxes get the same share, however many processes they have
MICROSECONDS = 1_000_000

_numbers = count()


class Box:
    """The control group of one sandbox.

    Args:
        folder: its path, which is created.
        limits: limits for all its processes together.

    Raises:
        OSError: if it cannot be created.
    """

    def __init__(self, folder: Path, limits: Limits):
        self._group = Group(folder)
        try:
            self._group.write("memory.max", limits.memory_bytes + KERNEL_BYTES)
            self._group.write("memory.swap.max", 0)
            self._group.write("memory.oom.group", 1)  # kill all processes or none
            self._group.write("pids.max", limits.processes + MORE_PROCESSES)
            self._group.write("cpu.weight", WEIGHT)
        except OSError:
            self._group.remove()
            raise

    @property
    def door(self) -> Path:
        """A file: writing a process id into it moves the process into the box."""
        return self._group.folder / "cgroup.procs"

    @property
    def cpu_seconds(self) -> float:
        """Processor time of all processes that were ever in it, even unmeasured ones."""
        return self._group.read("cpu.stat", "usage_usec") / MICROSECONDS

    @property
    def is_out_of_memory(self) -> bool:
        """Whether the kernel killed its processes for lack of memory."""
        return self._group.read("memory.events", "oom_kill") > 0

    def add(self, number: int) -> None:
        """Move a process, and so its future children, into the box.

        Raises:
            OSError: if the process is gone.
        """
        self._group.add(number)

    def kill(self) -> None:
        """Kill all its processes."""
        with suppress(OSError):
            self._group.kill()

    def remove(self) -> None:
        """Kill all its processes and remove it. A second call does nothing."""
        with suppress(OSError):
            self._group.remove()


def new_box(limits: Limits) -> Box | None:
    """An empty box; None if this system does not let us create one."""
    place = place_of_boxes()
    if place is None:
        return None
    try:
        return Box(place.folder / f"{NAME}{os.getpid()}-{next(_numbers)}", limits)
    except OSError:
        return None


@contextmanager
def box_for(limits: Limits) -> Iterator[Box | None]:
    """As `new_box`, in a context that removes it at the end."""
    box = new_box(limits)
    try:
        yield box
    finally:
        if box:
            box.remove()


@cache
def place_of_boxes() -> Delegated | None:
    """The group in which this process creates boxes; None if there is none."""
    try:
        place = find_delegated()
        divide(place)
    except NotDelegated:
        return None
    _remove_orphans(place.folder)
    return place


def _remove_orphans(folder: Path) -> None:
    """Remove the empty boxes of graders that were killed."""
    for box in folder.glob(f"{NAME}*"):
        grader = box.name.removeprefix(NAME).partition("-")[0]
        if not Path("/proc", grader).exists():
            remove_if_empty(box)
