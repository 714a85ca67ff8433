"""A memory limit for work on values that a student's code returned."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None

# This process's memory in pages, and the index of the field for private writable ones.
MEMORY, WRITABLE = Path("/proc/self/statm"), 5

# How many bytes a piece of work may add; None, as on a student's computer, means no limit.
_most: ContextVar[int | None] = ContextVar("most", default=None)


def give_room(size: int) -> None:
    """From now on, limit how many bytes each piece of work may add to this process's memory."""
    _most.set(size)


@contextmanager
def room() -> Iterator[None]:
    """A context in which allocating too much raises `MemoryError`, or in torch `RuntimeError`."""
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
