"""How long a process has waited for a processor, which does not count as its own time.

On a busy machine a wall-time limit would also count the work of others. So a session subtracts the
time in which it was ready to run but no processor was free. The other end does the same with its
own measurements and does not rely on these.
"""

import os

PROCESSES = 4  # those of a session that has started none itself, plus one

# Bound at import, since a student's code in the same process may replace the originals.
_open, _listdir = open, os.listdir


def waited(process: int | str = "self") -> float:
    """Seconds in which a process was ready to run but no processor was free.

    0 if the kernel does not count them, and if a session has started so many processes that it may
    be waiting for its own.

    Args:
        process: the process id.
    """
    try:
        if sum(name.isdecimal() for name in _listdir("/proc")) > PROCESSES:
            return 0.0
        with _open(f"/proc/{process}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
