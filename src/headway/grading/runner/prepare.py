"""Prepare a Python process for a session: above all, hide the course's solutions."""

import importlib
import importlib.abc
import os
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress

HELLO, GO = b"h", b"g"  # a session's greeting, and the answer to it
LIBRARIES = ("torch", "tqdm")  # imported beforehand if the assignment uses them
# Whether a session has a process namespace of its own.
OWN_NAMESPACE, SHARED_NAMESPACE = "own", "shared"


class Hidden(importlib.abc.MetaPathFinder):
    """Refuses to import hidden modules, with a message that says why they are missing.

    Args:
        names: the modules that the student's package leaves out.
    """

    def __init__(self, names: Collection[str]):
        self.names = frozenset(names)

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target=None) -> None:
        """Find nothing, so that other finders are asked.

        Raises:
            ModuleNotFoundError: for a hidden module.
        """
        if fullname in self.names:
            raise ModuleNotFoundError(
                f"{fullname} answers this assignment's tasks, so it is not there while they are "
                "graded",
                name=fullname,
            )


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
    if "tqdm" in sys.modules:
        sys.modules["tqdm"].tqdm.monitor_interval = 0  # else tqdm starts a thread
