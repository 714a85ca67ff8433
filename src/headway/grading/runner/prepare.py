"""Prepare a Python process for sessions: import libraries, and hide the course's solutions."""

import ctypes
import gc
import importlib
import io
import os
import sys
from collections.abc import Collection, Iterator

from headway.tasks.engine.probe.hidden import Hidden

LIBRARIES = ("matplotlib", "torch", "tqdm")  # imported if the assignment uses them
HUGE = 2 << 20  # bytes of a huge page
COLLAPSE = 25  # madvise(2): MADV_COLLAPSE

_library = ctypes.CDLL(None)


def hide_modules_and_set_path(hidden: Collection[str]) -> None:
    """Hide modules, and put the working directory last on the path, so it shadows no module."""
    sys.meta_path.insert(0, Hidden(hidden))
    here = os.getcwd()
    sys.path[:] = [*(place for place in sys.path if place not in ("", here)), here]
    sys.argv[1:] = []


def import_libraries(names: Collection[str] = LIBRARIES) -> None:
    """Import what the notebooks will use, and draw a figure to load matplotlib's lazy imports.

    No tensor of more than one number is created: torch's computations on several leave threads and
    locks that break forked processes.

    Args:
        names: larger libraries and modules of this package. Missing and hidden ones are skipped.
    """
    importlib.import_module("numpy")
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)  # sessions call it; its first call imports modules
        sys.modules["torch"].zeros(1).half()  # the first reads /proc/cpuinfo, which sessions lack
    if "tqdm" in sys.modules:
        sys.modules["tqdm"].tqdm.monitor_interval = 0  # else tqdm starts a thread
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
    """Make forks of this process fast, and let the children share its memory.

    The garbage collector ignores the present objects, and their memory moves to huge pages where
    the kernel can: a fork copies a page-table entry for each page, which for 200 MB of small pages
    is most of its time (measured: 21 ms before, 7 ms after).

    Raises:
        RuntimeError: if several threads are alive: a fork would keep only one.
    """
    threads = len(os.listdir("/proc/self/task"))
    if threads > 1:
        raise RuntimeError(f"{threads} threads are alive after the imports; only one can fork")
    gc.collect()
    gc.freeze()
    for start, end in _private_memory():
        first, last = -(-start // HUGE) * HUGE, end // HUGE * HUGE
        for place in range(first, last, HUGE):
            # This may fail (unused pages, kernels before 6.1): forks are only slower then.
            _library.madvise(ctypes.c_void_p(place), ctypes.c_size_t(HUGE), COLLAPSE)


def _private_memory() -> Iterator[tuple[int, int]]:
    """The (start, end) addresses of this process's writable memory that is not a mapped file."""
    with open("/proc/self/maps") as table:
        for line in table.read().splitlines():
            area, rights, _, _, _, *name = line.split(maxsplit=5)
            if rights == "rw-p" and name in ([], ["[heap]"]):
                start, end = (int(border, 16) for border in area.split("-"))
                yield start, end
