"""A notebook with an endless loop, graded beside busy loops of others: one score, however busy.

    python benchmarks/busy.py       RUNS=10 LOOPS=8 SHARE=0.1

SHARE scales the limits of a submission; 1 is what courses have, and takes ten times as long. The
first run has the machine to itself. The exit code is 1 if scores or reasons differ.
"""

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat.v4 import new_code_cell
from one_run import NAME

from headway.checkout import course_root
from headway.commands.grade import grade
from headway.grading.allowance import Allowance

RUNS, LOOPS = (int(os.environ.get(name, n)) for name, n in (("RUNS", "10"), ("LOOPS", "8")))
SHARE = float(os.environ.get("SHARE", "0.1"))
LIMITS = ("cell_seconds", "task_seconds", "submission_seconds")
CONFIG = """from headway.chapters import hidden_modules
from headway.grading.settings import configure
c = get_config()
configure(c, hidden_modules())
"""
LOOP = "def look_up(ids, table):\n    while True:\n        pass"
CALL = "look_up(np.array([0]), np.eye(2))"


def hand_in(folder: Path) -> None:
    """Hand in the solution with a loop in one function, which a cell of the student's calls."""
    notebook = nbformat.read(course_root() / "solutions" / NAME / f"{NAME}.ipynb", as_version=4)
    place = next(n for n, cell in enumerate(notebook.cells) if "def look_up" in cell.source)
    notebook.cells[place].source = LOOP
    notebook.cells.insert(place + 1, new_code_cell(CALL))
    path = folder / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)
    limits = (f"c.Allowance.{name} = {SHARE * getattr(Allowance(), name)}\n" for name in LIMITS)
    (folder / "nbgrader_config.py").write_text(CONFIG + "".join(limits), encoding="utf-8")


def graded(folder: Path, loops: int) -> dict:
    """The student's row in the report of a run beside so many busy loops."""
    with ExitStack() as busy:
        for _ in range(loops):
            process = busy.enter_context(
                subprocess.Popen([sys.executable, "-c", "while True: pass"])
            )
            busy.callback(process.kill)
        grade("01", folder, force=True, no_feedback=True, workers=1)
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))["students"]["ada"]


def main() -> int:
    """Grade, and print a line for each run."""
    seen = set()
    with TemporaryDirectory(prefix="headway-") as scratch:
        hand_in(Path(scratch))
        for run in range(1 + RUNS):
            loops = LOOPS if run else 0
            start = time.perf_counter()
            row = graded(Path(scratch), loops)
            wall, (load, *_) = time.perf_counter() - start, os.getloadavg()
            seen.add(json.dumps({**row, "seconds": 0}, sort_keys=True))
            print(
                f"run {run}: {row['status']}, {row['score']:g} points, {wall:.0f} s beside "
                f"{loops} busy loops, load {load:.1f}",
                flush=True,
            )
    print(f"{len(seen)} result{'s' * (len(seen) > 1)} in {1 + RUNS} runs")
    return int(len(seen) > 1)


if __name__ == "__main__":
    sys.exit(main())
