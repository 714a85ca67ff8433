"""Processor time of a command and of all that it starts: a control group counts it.

What a process has waited for is not all. A sandbox's processes have a first process of their own,
and what they used is lost where that one ends with them.
"""

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path

PATIENCE = 10.0  # seconds until the last process is gone


def run_counted(command: list[str], **options) -> tuple[subprocess.CompletedProcess, float | None]:
    """As `subprocess.run`; with the seconds, None where no control group can be made here."""
    try:
        folder = _own_group() / f"headway-benchmark-{os.getpid()}"
        folder.mkdir()
    except OSError:
        return subprocess.run(command, **options), None
    procs = folder / "cgroup.procs"
    try:
        enter = ["/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', str(procs)]
        done = subprocess.run([*enter, *command], **options)
        words = (folder / "cpu.stat").read_text(encoding="ascii").split()
        return done, int(words[words.index("usage_usec") + 1]) / 1e6
    finally:
        end = time.monotonic() + PATIENCE
        while folder.exists() and time.monotonic() < end:
            with suppress(OSError):
                folder.rmdir()
            time.sleep(0.05)


def _own_group() -> Path:
    """Where the group of this process stands (version 2).

    Raises:
        OSError: if there is none to be seen.
    """
    groups = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    own = next((line[3:] for line in groups if line.startswith("0::")), None)
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        place, _, kind = line.partition(" - ")
        if own is not None and kind.startswith("cgroup2 "):
            root, mounted = place.split()[3:5]
            return Path(mounted) / Path(own).relative_to(root)
    raise FileNotFoundError("no control group of version 2")
