"""How long each assignment takes to grade: a class that handed in the course's solutions.

    python benchmarks/assignments.py          all; ONLY=08 for one

Each row is one `headway grade` over `CLASS` submissions, from its start to the reports, feedback
pages among them, on `WORKERS` workers. The table in the guide for instructors is this one.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from headway.chapters import ASSIGNMENTS, Chapter, course_root

CLASS, WORKERS, LARGE = 12, 2, 300


def seconds_for(chapter: Chapter) -> float:
    """Grade a class in an assignment."""
    text = (course_root() / "solutions" / chapter.notebook).read_bytes()
    with TemporaryDirectory() as folder:
        for student in range(CLASS):
            path = Path(folder) / "submitted" / f"s{student:02d}" / chapter.notebook
            path.parent.mkdir(parents=True)
            path.write_bytes(text)
        command = ["grade", chapter.name, "--course", folder, "--workers", str(WORKERS)]
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "headway", *command], check=True, stdout=subprocess.DEVNULL
        )
        return time.perf_counter() - start


def main() -> None:
    """Print the table, a row as soon as it is measured."""
    print(f"| Assignment | {CLASS} students | {LARGE} students |\n|:--|--:|--:|")
    for chapter in ASSIGNMENTS:
        if os.environ.get("ONLY", "") in chapter.name:
            seconds = seconds_for(chapter)
            minutes = seconds * LARGE / CLASS / 60
            print(f"| `{chapter.name}` | {seconds:.0f} s | {minutes:.0f} min |", flush=True)


if __name__ == "__main__":
    main()
