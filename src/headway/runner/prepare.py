"""Prepare a Python process for a session: above all, hide the course's solutions."""

import importlib
import os
import sys
from collections.abc import Collection
from contextlib import suppress

from headway.tasks.engine.probe.hidden import Hidden

HELLO, GO = b"h", b"g"  # a session's greeting, and the answer to it
LIBRARIES = ("torch", "tqdm")  # imported beforehand if the assignment uses them
# Whether a session has a process namespace of its own.
OWN_NAMESPACE, SHARED_NAMESPACE = "own", "shared"


def hide_modules_and_set_path(hidden: Collection[str]) -> None:
    """Hide modules, and put the working directory last on the path, so it shadows no module."""
    sys.meta_path.insert(0, Hidden(hidden))
    here = os.getcwd()
    sys.path[:] = [*(place for place in sys.path if place not in ("", here)), here]
    sys.argv[1:] = []


def import_libraries(names: Collection[str]) -> None:
    """Import libraries that a notebook uses, so that they do the same in every session.

    Args:
        names: some of `LIBRARIES`. Missing ones are skipped.
    """
    for name in names:
        with suppress(ModuleNotFoundError):
            importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)  # else it starts with a random seed
        sys.modules["torch"].zeros(1).half()  # the first reads /proc/cpuinfo, which sessions lack
    if "tqdm" in sys.modules:
        sys.modules["tqdm"].tqdm.monitor_interval = 0  # else tqdm starts a thread
