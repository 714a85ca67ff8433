"""One run of what `grading` measures, in a process that has imported nothing else.

    python benchmarks/one_run.py ours|stock|cells FOLDER FEEDBACK [WORKERS [SCHEDULER]]

FEEDBACK is 1 for a run that also makes the students' pages, else 0.

It prints its result as JSON, with the most memory that this process used, in MB.
"""

import json
import os
import shutil
import sys
import time
from pathlib import Path

import nbformat

NAME = "01-one-hot"  # of every assignment here; reports know its tasks


def ours(folder: Path, feedback: bool, workers: int, scheduler: str | None) -> dict:
    """Grade a course folder; what a process of its own does."""
    from headway.chapters import hidden_modules
    from headway.grading.slow_imports import skip_slow_imports

    skip_slow_imports()
    from headway.grading.class_run import Options
    from headway.grading.course import Course
    from headway.grading.grade import grade_class
    from headway.grading.workers.pool import open_pool

    start = time.perf_counter()
    course = Course.open(folder, NAME, hidden_modules())
    source = folder / "solution" / NAME / f"{NAME}.ipynb"
    with open_pool(workers, scheduler) as pool:
        report, _ = grade_class(course, source, pool, Options(feedback=feedback))
    seconds = time.perf_counter() - start
    full = all(row.score >= row.max for row in report.students.values())
    return {"seconds": seconds, "full": full}


def stock(folder: Path, feedback: bool) -> dict:
    """The same with nbgrader as it comes."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    config = Config()
    config.CourseDirectory.root, config.IncludeHeaderFooter.header = str(folder), ""
    shutil.copytree(folder / "solution" / NAME, folder / "source" / NAME)
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    made = api.generate_assignment(NAME)
    assert made["success"], made["log"]
    students = sorted(api.get_submitted_students(NAME))
    start = time.perf_counter()
    done = [api.autograde(NAME, student)["success"] for student in students]
    if feedback:
        done += [api.generate_feedback(NAME, student)["success"] for student in students]
    return {"seconds": time.perf_counter() - start, "full": all(done)}


def cells_only(folder: Path) -> dict:
    """CPU time of the cells by themselves, in a shell that has imported what they need."""
    from headway.runner.shell import make_shell, run, use

    notebook = nbformat.read(folder / "solution" / NAME / f"{NAME}.ipynb", as_version=4)
    shell = make_shell()
    use(shell, lambda output: None)
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    own = [source for source in sources if not source.startswith("check(")]
    for _ in range(2):  # the first time is for imports
        start = time.process_time()
        failed = [run(shell, source) for source in own]
    return {"seconds": time.process_time() - start, "full": not any(failed)}


def main(what: str, folder: Path, feedback: str, workers: int = 0, scheduler: str | None = None):
    """What `measured` starts."""
    out = os.fdopen(os.dup(1), "w")  # the shell takes the descriptor
    result = {
        "ours": lambda: ours(folder, feedback == "1", int(workers), scheduler),
        "stock": lambda: stock(folder, feedback == "1"),
        "cells": lambda: cells_only(folder),
    }[what]()
    # The process's own; the maximum that `resource` knows is that of whoever started it, if larger.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    print(json.dumps({**result, "peak_mb": peak}), file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
