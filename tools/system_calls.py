"""Name the system calls that notebooks make in a session and that the sandbox does not allow.

The notebooks run without the sandbox, under strace (https://strace.io, `apt-get install strace`),
which counts what each of their processes asks the kernel for.

    tools/system-calls solutions/*/*.ipynb
"""

import shutil
import sys
import time
from pathlib import Path
from socket import SHUT_RDWR
from tempfile import TemporaryDirectory

import nbformat

import headway
from headway.grading.execution.client import Client
from headway.grading.sandbox import sessions
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.system_calls import ALLOWED

BY_ARGUMENT = {
    "clone",
    "clone3",
    "fcntl",
    "ioctl",
    "mmap",
    "prctl",
    "setsockopt",
    "socket",
    "socketpair",
}
CELL_SECONDS, ENDING_SECONDS = 600, 60


def calls_of(notebook: Path, folder: Path) -> dict[str, int]:
    """How often a notebook makes each system call, by name.

    Args:
        notebook: is run as it stands.
        folder: takes what strace writes.
    """
    counts = folder / f"{notebook.stem}.txt"
    strace = ("strace", "-f", "-qq", "-c", "-U", "name,calls", "-o", str(counts))
    fresh, sessions.FRESH_PROCESS = sessions.FRESH_PROCESS, (*strace, *sessions.FRESH_PROCESS)
    limits = Limits(wall_seconds=2 * CELL_SECONDS, cpu_seconds=2 * CELL_SECONDS)
    try:
        package = Path(headway.__file__).parent
        with sessions.TrustedSessions(package, limits).session() as session:
            client = Client(session)
            for cell in nbformat.read(notebook, as_version=4).cells:
                if cell.cell_type == "code":
                    client.run(cell.source, CELL_SECONDS, lambda output: None)
            session.socket.shutdown(SHUT_RDWR)  # upon which it ends, and strace writes
            deadline = time.monotonic() + ENDING_SECONDS
            while not (counts.exists() and counts.stat().st_size):
                if time.monotonic() > deadline:
                    sys.exit(f"{notebook}: nothing was written by strace.")
                time.sleep(0.2)
    finally:
        sessions.FRESH_PROCESS = fresh
    rows = (line.split() for line in counts.read_text().splitlines()[2:])
    return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdecimal()}


def main(notebooks: list[str]) -> None:
    if not shutil.which("strace"):
        sys.exit("There is no strace on this system. Install it: sudo apt-get install strace")
    beyond: dict[str, list[str]] = {}
    with TemporaryDirectory(prefix="headway-") as folder:
        for path in map(Path, notebooks):
            calls = calls_of(path, Path(folder))
            print(f"{path.stem}: {len(calls)} system calls", flush=True)
            for name in sorted(set(calls) - set(ALLOWED) - BY_ARGUMENT - {"total"}):
                beyond.setdefault(name, []).append(path.stem)
    for name, stems in beyond.items():
        print(f"not allowed: {name} ({', '.join(stems)})")
    sys.exit(bool(beyond))


if __name__ == "__main__":
    main(sys.argv[1:])
