"""Grading a class beside stock nbgrader: the same submissions, with and without feedback pages.

    python benchmarks/grading.py            all rows; MANY=0 leaves out the class of a thousand

Times are seconds for one submission: of the whole run divided by its submissions. Ours begins with
a fresh course folder and ends with the reports written; starting workers and taking the assignment
into the gradebook are in it. Of stock nbgrader only `Autograde` counts, and `GenerateFeedback`
where pages are made, with its own preprocessors and on fewer submissions, since it takes them one
by one. Both are measured in a process of their own, from when the imports are done.

The last submissions of a class show what one more costs, in processor time of everything together.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from measure import Case, show
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from one_run import NAME
from processor import run_counted

from headway.checkout import course_root

CLASS, SMALL, FEW, MANY, WORKERS = 200, 40, 6, 1_000, 2
SLOPE, MOST_BEYOND = (20, 60), 1.0


@dataclass(frozen=True)
class Assignment:
    """A notebook with its solution, and what a class hands in."""

    title: str
    notebook: nbformat.NotebookNode


def one_hot() -> Assignment:
    """The course's first assignment, which needs no torch."""
    path = course_root() / "solutions" / NAME / f"{NAME}.ipynb"
    return Assignment("one-hot", nbformat.read(path, as_version=4))


def with_torch() -> Assignment:
    """One function, with an instructor's own asserts."""
    answer = (
        "def mean(x):\n    ### BEGIN SOLUTION\n    return x.sum() / len(x)\n    ### END SOLUTION"
    )
    return plain(
        "one function with torch",
        ["import torch", answer],
        "assert mean(torch.tensor([1.0, 3.0])) == 2",
    )


def plain(title: str, sources: list[str], test: str = "assert True") -> Assignment:
    """Cells to run, the last one for the student's answer, and a test."""
    cells = [new_markdown_cell("# An assignment"), *map(new_code_cell, sources)]
    mark(cells[-1], "answer", solution=True)
    mark(new := new_code_cell(test), "test", grade=True, locked=True, points=1)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return Assignment(title, new_notebook(cells=[*cells, new], metadata={"kernelspec": kernel}))


def mark(cell: nbformat.NotebookNode, name: str, **marks: object) -> None:
    """Put nbgrader's marks on a cell."""
    cell.metadata["nbgrader"] = {
        "grade_id": name,
        "schema_version": 3,
        **{"grade": False, "solution": False, "locked": False, "task": False},
        **marks,
    }


def hand_in(assignment: Assignment, folder: Path, students: int) -> Path:
    """A fresh course folder in which everyone handed in the solution; the source beside it."""
    text = nbformat.writes(assignment.notebook)
    places = [folder / "submitted" / f"student-{n:04d}" for n in range(students)]
    for place in (folder / "solution", *places):
        path = place / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return folder


def environment() -> dict[str, str]:
    """Programs of this environment are found, as nbgrader needs it; two threads for everyone."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "OMP_NUM_THREADS": "2"}


def measured(
    what: str, assignment: Assignment, students: int, *more: object, feedback: bool = False
) -> dict:
    """Run one of the above on a fresh folder, in a process of its own.

    Returns:
        its result, with seconds for one submission, the most memory that the process itself
        used, in MB, and the processor seconds of all processes, None where nobody counts them.
    """
    with TemporaryDirectory(prefix="headway-") as scratch:
        folder = hand_in(assignment, Path(scratch), students)
        command = [
            sys.executable,
            Path(__file__).with_name("one_run.py"),
            what,
            str(folder),
            str(int(feedback)),
            *map(str, more),
        ]
        done, cpu = run_counted(command, env=environment(), stdout=subprocess.PIPE, check=True)
    result = json.loads(done.stdout.splitlines()[-1])
    if not result["full"]:
        raise RuntimeError(f"{what}: not every submission of {assignment.title} got full marks")
    return {**result, "each": result["seconds"] / students, "cpu": cpu}


def beside_stock(assignment: Assignment, feedback: bool = False, rounds: int = 3):
    """A class against nbgrader: how many times its throughput."""
    times = {"headway": [], "nbgrader": []}
    for _ in range(rounds):
        ours = measured("ours", assignment, CLASS, WORKERS, feedback=feedback)
        times["headway"].append(ours["each"])
        times["nbgrader"].append(measured("stock", assignment, FEW, feedback=feedback)["each"])
    own = measured("cells", assignment, 1)["seconds"]
    each = sorted(times["headway"])[rounds // 2]
    notes = {
        "submissions": f"{CLASS} and {FEW}",
        "cells_cpu_s": round(own, 3),
        "overhead_s": round(each * WORKERS - own, 3),  # of a core, starting everything included
    }
    name = f"{assignment.title}, a class of {CLASS}, {WORKERS} workers"
    name += ", with feedback" if feedback else ""
    return Case(name, print, {"nbgrader": print}, notes=notes), times


def one_more() -> Iterator[tuple[Case, dict]]:
    """What one more submission of a class costs beyond its own cells, in processor seconds."""
    own = measured("cells", one_hot(), 1)["seconds"]
    for workers in (1, 2):
        for feedback in (False, True):
            few, more = (
                measured("ours", one_hot(), n, workers, feedback=feedback)["cpu"] for n in SLOPE
            )
            if few is None or more is None:
                return
            beyond = (more - few) / (SLOPE[1] - SLOPE[0]) - own
            name = f"one-hot, one more, {workers} workers{', with feedback' * feedback}"
            peer = f"{MOST_BEYOND:g} core-seconds"
            case = Case(name, print, {peer: print}, 1, notes={"cells_cpu_s": round(own, 3)})
            yield case, {"headway": [beyond], peer: [MOST_BEYOND]}


def growth() -> Iterator[tuple[Case, dict]]:
    """How the time grows with workers, with cells and with outputs; each beside its first."""
    runs = {"one-hot": {f"{n} workers": (one_hot(), n) for n in (1, 2)}}
    few = {n: plain("cells", ["x = 1"] * n) for n in (10, 100, 400)}
    runs["cells"] = {f"{n} cells": (assignment, WORKERS) for n, assignment in few.items()}
    lines = {n: plain("outputs", [f"for i in range({n}): print(i)"]) for n in (0, 500, 50_000)}
    runs["outputs"] = {f"{n} lines": (assignment, WORKERS) for n, assignment in lines.items()}
    for name, variants in runs.items():
        first = None
        for variant, (assignment, workers) in variants.items():
            each = measured("ours", assignment, SMALL, workers)["each"]
            first = first or (variant, each)
            if first[0] != variant:
                yield (
                    Case(f"{name}, {variant}", print, {first[0]: print}),
                    {"headway": [each], first[0]: [first[1]]},
                )


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """A Dask cluster on this machine: the address of its scheduler."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
    ) as here:
        yield here.scheduler_address


def on_a_cluster() -> tuple[Case, dict]:
    """Two Dask workers beside one."""
    each = {}
    for workers in (1, 2):
        with cluster(workers) as address:
            each[workers] = measured("ours", one_hot(), SMALL, workers, address)["each"]
    times = {"headway": [each[2]], "one Dask worker": [each[1]]}
    return Case("one-hot, two Dask workers", print, {"one Dask worker": print}), times


def many() -> tuple[Case, dict]:
    """A thousand submissions beside forty: the time for each and the runner's memory stay."""
    few, lots = (measured("ours", one_hot(), n, WORKERS) for n in (SMALL, MANY))
    notes = {
        "seconds": round(lots["seconds"]),
        "runner_mb": round(lots["peak_mb"]),
        "runner_mb_of_40": round(few["peak_mb"]),
    }
    peer = f"{SMALL} submissions"
    times = {"headway": [lots["each"]], peer: [few["each"]]}
    return Case(f"one-hot, {MANY:,} submissions", print, {peer: print}, notes=notes), times


def cases() -> Iterator[tuple[Case, dict]]:
    """All rows."""
    for assignment in (one_hot(), with_torch()):
        yield beside_stock(assignment)
        yield beside_stock(assignment, feedback=True)
    yield from one_more()
    yield from growth()
    yield on_a_cluster()
    if os.environ.get("MANY") != "0":
        yield many()


if __name__ == "__main__":
    show("grading", "Grading a class: seconds for each submission", cases())
