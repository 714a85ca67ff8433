"""A box for each sandbox: a control group that bounds all its processes together.

Where this system gives us control groups, the kernel itself holds a sandbox to its memory, its
share of the processor and its number of processes, and counts all processor time. Where not, there
are no boxes, and the measurements of `headway.grading.sandbox.limits` are what holds the sum.

A score must not depend on which of the two it is. So what is measured is held to the same limits in
both cases, and a box is a little larger: its wall is met by what grows faster than it is measured,
and by what no measurement sees, such as tables of the kernel.
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
KERNEL_BYTES = 64 << 20  # for what the kernel keeps of a sandbox: stacks, tables, sockets
MORE_PROCESSES = 8  # those around the program, which RLIMIT_NPROC does not hold
WEIGHT = 100  # of the processor: all boxes the same, whatever lives in them
MICROSECONDS = 1_000_000

_numbers = count()


class Box:
    """The control group of one sandbox.

    Args:
        folder: where; it is made.
        limits: what its processes may use together.

    Raises:
        OSError: if it cannot be made.
    """

    def __init__(self, folder: Path, limits: Limits):
        self._group = Group(folder)
        try:
            self._group.write("memory.max", limits.memory_bytes + KERNEL_BYTES)
            self._group.write("memory.swap.max", 0)
            self._group.write("memory.oom.group", 1)  # none of them goes on with half of its own
            self._group.write("pids.max", limits.processes + MORE_PROCESSES)
            self._group.write("cpu.weight", WEIGHT)
        except OSError:
            self._group.remove()
            raise

    @property
    def door(self) -> Path:
        """Who writes a process's number into this file moves it in."""
        return self._group.folder / "cgroup.procs"

    @property
    def cpu_seconds(self) -> float:
        """Of all processes that ever were in it, those that nobody saw among them."""
        return self._group.read("cpu.stat", "usage_usec") / MICROSECONDS

    @property
    def is_out_of_memory(self) -> bool:
        """Whether the kernel ended it because its memory was used up."""
        return self._group.read("memory.events", "oom_kill") > 0

    def add(self, number: int) -> None:
        """Put a process in, and so all that it will start.

        Raises:
            OSError: if it is gone.
        """
        self._group.add(number)

    def kill(self) -> None:
        """End whatever lives in it."""
        with suppress(OSError):
            self._group.kill()

    def remove(self) -> None:
        """End whatever lives in it, and remove it. A second time, nothing happens."""
        with suppress(OSError):
            self._group.remove()


def new_box(limits: Limits) -> Box | None:
    """An empty box; None where this system gives us none."""
    place = place_of_boxes()
    if place is None:
        return None
    try:
        return Box(place.folder / f"{NAME}{os.getpid()}-{next(_numbers)}", limits)
    except OSError:
        return None


@contextmanager
def box_for(limits: Limits) -> Iterator[Box | None]:
    """As `new_box`; it is removed at the end."""
    box = new_box(limits)
    try:
        yield box
    finally:
        if box:
            box.remove()


@cache
def place_of_boxes() -> Delegated | None:
    """The group in which this process makes boxes; None if there is none."""
    try:
        place = find_delegated()
        divide(place)
    except NotDelegated:
        return None
    _remove_orphans(place.folder)
    return place


def _remove_orphans(folder: Path) -> None:
    """Remove boxes of graders that were killed; what was in them ended with these."""
    for box in folder.glob(f"{NAME}*"):
        grader = box.name.removeprefix(NAME).partition("-")[0]
        if not Path("/proc", grader).exists():
            remove_if_empty(box)
