"""Room in memory for pieces of work that somebody else's values can make large."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None

# Of this process: pages, and those among them that it can write to and nobody shares.
MEMORY, WRITABLE = Path("/proc/self/statm"), 5

# How many bytes a piece may add; where a student's own computer checks, as many as there are.
_most: ContextVar[int | None] = ContextVar("most", default=None)


def give_room(size: int) -> None:
    """Let each piece of work from now on add so many bytes at the most to what this process has."""
    _most.set(size)


@contextmanager
def room() -> Iterator[None]:
    """Around a piece of work, in which a wish for more memory than it may have is a `MemoryError`,
    or with torch a `RuntimeError`."""
    if (most := _most.get()) is None or resource is None:
        yield
        return
    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = int(MEMORY.read_text().split()[WRITABLE]) * resource.getpagesize() + most
    if before != resource.RLIM_INFINITY:
        limit = min(limit, before)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, hard))
