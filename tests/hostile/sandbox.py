"""Running any program in the sandbox to its end, to see what it can reach and use from there.

bubblewrap gives the program namespaces of its own (user, process, mount, network, IPC, host name,
control group), no capabilities, an empty environment, and a file system of a few read-only
folders and three small private ones in memory. A filter refuses the system calls that
reach past namespaces, the kernel limits each process, and this process, outside, reads the output
and measures the whole tree of processes. Whatever comes back from inside is untrusted.

Never root: started by root, the sandbox belongs to an unprivileged user.
"""

import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from headway.grading.sandbox.bubblewrap import refusal
from headway.grading.sandbox.launch import launched
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import View
from tests.hostile.watch import Watch


@dataclass(frozen=True)
class Ending:
    """How a run in the sandbox ended.

    Attributes:
        how: "exited" by itself, "signal" if one killed it, "limit" if it was stopped from outside.
        code: the exit code, or the signal's number; None after a limit. A program may lie: one
            that exits with 128 + n looks as if signal n had killed it.
        limit: which limit, as in `Limits`: "wall_seconds", "cpu_seconds" or "memory_bytes".
        cpu_seconds: of all processes, as measured last.
        peak_memory: bytes that all processes held together, the most that was measured.
        stdout, stderr: the first `MAX_OUTPUT` bytes of each.
    """

    how: Literal["exited", "signal", "limit"]
    code: int | None
    limit: str | None
    cpu_seconds: float
    peak_memory: int
    stdout: bytes
    stderr: bytes


def run(
    command: Sequence[str], view: View, limits: Limits | None = None, pass_fds: Sequence[int] = ()
) -> Ending:
    """Run a command in a sandbox and wait for its end; nothing of it is alive afterwards.

    Args:
        command: the program, by its path inside, and its arguments.
        view: what it can see.
        limits: what it may use.
        pass_fds: open file descriptors that it is given, under the same numbers. No other is.

    Raises:
        UserError: if bubblewrap is missing, or this system does not let it work; the message
            names the command that mends it.
    """
    limits = limits or Limits()
    start = time.monotonic()
    with launched(command, view, limits, pass_fds) as sandbox:
        watch = Watch(sandbox, limits, start)
        limit = watch.until_end()
    process, code = sandbox.process, watch.exit_code()
    if limit is None and code is None:
        errors = watch.kept[process.stderr].decode(errors="replace")
        raise refusal(errors, process.returncode)
    if limit is not None:
        code = None
    by_signal = code is not None and 128 < code < 128 + signal.NSIG
    return Ending(
        how="limit" if limit else "signal" if by_signal else "exited",
        code=code - 128 if by_signal else code,
        limit=limit,
        cpu_seconds=watch.usage.cpu_seconds,
        peak_memory=watch.peak,
        stdout=bytes(watch.kept[process.stdout]),
        stderr=bytes(watch.kept[process.stderr]),
    )
