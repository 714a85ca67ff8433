"""Making a Python ready for sessions: what is imported, and what must not be."""

import ctypes
import gc
import importlib
import importlib.abc
import io
import os
import sys
from collections.abc import Collection, Iterator, Sequence

LIBRARIES = ("matplotlib", "torch", "tqdm")  # if the assignment, or what it imports, does so
HUGE = 2 << 20  # bytes of a huge page
COLLAPSE = 25  # madvise(2): MADV_COLLAPSE

_library = ctypes.CDLL(None)


class Hidden(importlib.abc.MetaPathFinder):
    """Explains why a module is not there, where Python would only say that it is not.

    Args:
        names: the modules that the student's package leaves out.
    """

    def __init__(self, names: Collection[str]):
        self.names = frozenset(names)

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target=None) -> None:
        """Find nothing.

        Raises:
            ModuleNotFoundError: for a hidden module, saying so.
        """
        if fullname in self.names:
            raise ModuleNotFoundError(
                f"{fullname} answers this assignment's tasks, so it is not there while they are "
                "graded",
                name=fullname,
            )


def hide_modules_and_set_path(hidden: Collection[str]) -> None:
    """Hide modules, and let files beside the notebook be imported but never shadow others."""
    sys.meta_path.insert(0, Hidden(hidden))
    here = os.getcwd()
    sys.path[:] = [*(place for place in sys.path if place not in ("", here)), here]
    sys.argv[1:] = []


def import_libraries(names: Collection[str] = LIBRARIES) -> None:
    """Import what the notebooks will use; draw a figure, which imports what drawing needs.

    No tensor is made: one that has computed leaves threads and locks that no fork survives.

    Args:
        names: of the larger libraries, and of modules of this package. Those that are not here,
            or are hidden, are left out.
    """
    importlib.import_module("numpy")
    for name in names:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)  # as each session does; the first time it imports
    if "tqdm" in sys.modules:
        sys.modules["tqdm"].tqdm.monitor_interval = 0  # it would start a thread
    if "matplotlib" in sys.modules:
        _draw()


def _draw() -> None:
    import matplotlib

    matplotlib.use("module://matplotlib_inline.backend_inline")
    from matplotlib import pyplot

    _, axes = pyplot.subplots()
    axes.scatter([1, 2], [1, 2])
    axes.plot(["a", "b"], [1, 2], "o", label="a")
    axes.set(title="A", xlabel="a", ylabel="a")
    axes.legend()
    axes.figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    pyplot.close("all")


def freeze() -> None:
    """Leave what is there to the forked children, so that forking is quick and copies little.

    The collector no longer touches it, and it moves to huge pages where the kernel can: a fork
    copies one entry of the page table for each page, which for 200 MB of small ones is most of
    its time (measured: 21 ms, then 7).

    Raises:
        RuntimeError: if several threads are alive, of which a fork would keep one.
    """
    threads = len(os.listdir("/proc/self/task"))
    if threads > 1:
        raise RuntimeError(f"{threads} threads are alive after the imports; only one can fork")
    gc.collect()
    gc.freeze()
    for start, end in _private_memory():
        first, last = -(-start // HUGE) * HUGE, end // HUGE * HUGE
        for place in range(first, last, HUGE):
            # It fails where a page is not in use, and on kernels before 6.1; both do no harm.
            _library.madvise(ctypes.c_void_p(place), ctypes.c_size_t(HUGE), COLLAPSE)


def _private_memory() -> Iterator[tuple[int, int]]:
    """From where to where this process has memory that belongs to no file."""
    with open("/proc/self/maps") as table:
        for line in table.read().splitlines():
            area, rights, _, _, _, *name = line.split(maxsplit=5)
            if rights == "rw-p" and name in ([], ["[heap]"]):
                start, end = (int(border, 16) for border in area.split("-"))
                yield start, end
