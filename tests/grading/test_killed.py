"""Runs that are killed: what they leave is whole, and the next run ends as an undisturbed one."""

import csv
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from nbformat.v4 import new_code_cell

from tests.grading.classroom import CHAPTER, cell_named, duplicate, hand_in

NAME = CHAPTER.name
ROUNDS = 5  # of four kills each
PATIENCE = 240

pytestmark = [pytest.mark.full, pytest.mark.jupyter]


def source_of(grade_id: str, source: str):
    return lambda notebook: cell_named(notebook, grade_id).update(source=source)


def endless(notebook):
    notebook.cells.append(new_code_cell("while True:\n    pass"))


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    """A class that has handed in, and the seed of its hidden cases."""
    course = tmp_path_factory.mktemp("class")
    for student in ("ada", "ben"):
        hand_in(course, student)
    hand_in(course, "eve", "release")
    hand_in(course, "fay", change=source_of("dot", "def dot(a, b):\n    return 0.0"))
    hand_in(course, "gil", change=source_of("dot", "raise ValueError('no')"))
    hand_in(course, "hal", change=source_of("lookup", "import os\nos._exit(3)"))
    hand_in(course, "ida", change=lambda notebook: duplicate(notebook, "dot"))
    hand_in(course, "joe").write_text('{"cells": [')
    hand_in(course, "kim", change=endless)  # whom each of six runs waits for
    hand_in(course, "leo", change=lambda nb: nb.cells.remove(cell_named(nb, "check-dot")))
    (course / "submitted" / "max" / NAME).mkdir(parents=True)
    (course / "submitted" / "ben" / NAME / "timestamp.txt").write_text("2026-03-02 08:00:00 UTC")
    (course / "nbgrader_config.py").write_text(
        "from headway.chapters import hidden_modules\n"
        "from headway.grading.settings import configure\n"
        "c = get_config()\nconfigure(c, hidden_modules())\nc.Allowance.cell_seconds = 4\n"
    )
    state = course / ".headway" / NAME
    state.mkdir(parents=True)
    (state / "run.json").write_text(json.dumps({"seed": 20261121}))
    return course


class Run:
    """`headway grade` on a course folder, in a process of its own."""

    def __init__(self, course: Path):
        self.course, self._seen = course, set()
        self.scratch = course.parent / "scratch"
        self.scratch.mkdir(exist_ok=True)
        headway = Path(sysconfig.get_path("scripts")) / "headway"
        command = [headway, "grade", "01", "--course", course]
        self.process = subprocess.Popen(
            [*command, "--workers", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "TMPDIR": str(self.scratch)},
        )

    def family(self) -> list[psutil.Process]:
        """All processes below it; those that were ever seen are remembered."""
        try:
            found = psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            found = []
        self._seen |= set(found)
        return found

    def workers(self) -> list[psutil.Process]:
        """The processes that grade, the oldest first."""
        return _running("headway.grading.workers.worker", self.family())

    def wait_until(self, reached: Callable[[], object], interval: float = 0.2) -> bool:
        """Wait for a moment; False if the run ended before."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            if reached():
                return True
            assert time.monotonic() < end, "the moment never came"
            time.sleep(interval)
        return False

    def kill(self, process: psutil.Process | subprocess.Popen) -> None:
        self.family()
        process.send_signal(signal.SIGKILL)

    def end(self) -> str:
        """Wait for the end; what it said."""
        said, _ = self.process.communicate(timeout=PATIENCE)
        return said

    def assert_all_gone(self) -> None:
        """Processes, and what they kept outside the course folder.

        But for the scratch of the worker that was killed itself: the run removes it with its
        next job, and may be killed before.
        """
        _, alive = psutil.wait_procs(self._seen, timeout=PATIENCE)
        assert not [p for p in alive if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]
        assert len(list(self.scratch.glob("headway-*"))) <= 1


def _running(module: str, among: list[psutil.Process]) -> list[psutil.Process]:
    found = []
    for process in among:
        try:
            if module in process.cmdline() and process.name() != "bwrap":
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return sorted(found, key=lambda process: process.create_time())


def entries(course: Path) -> list[Path]:
    return list((course / ".headway" / NAME / "journal").glob("*.json"))


def gradebook_of(course: Path) -> dict[str, list[tuple]]:
    """Rows of the gradebook by student; what differs from run to run, such as keys, left out."""
    path = course / "gradebook.db"
    if not path.exists():
        return {}
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not database.execute("select 1 from sqlite_master where name = 'grade'").fetchall():
            return {}
        rows = {student: [] for (student,) in database.execute("select id from student")}
        submissions = """
            select a.student_id, a.timestamp, n.late_submission_penalty, b.name,
                   g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade
            from submitted_assignment a
            left join submitted_notebook n on n.assignment_id = a.id
            left join grade g on g.notebook_id = n.id
            left join base_cell b on b.id = g.cell_id"""
        comments = """
            select a.student_id, b.name, c.auto_comment, c.manual_comment
            from comment c join submitted_notebook n on c.notebook_id = n.id
            join submitted_assignment a on n.assignment_id = a.id
            join base_cell b on b.id = c.cell_id"""
        for query in (submissions, comments):
            for student, *row in database.execute(query):
                rows[student].append(tuple(row))
        return {student: sorted(found, key=str) for student, found in rows.items()}


def results_of(course: Path) -> dict:
    """All that a run is for, without the time that it took."""
    report = json.loads((course / "report.json").read_text())
    for row in report["students"].values():
        del row["seconds"]
    with (course / "grades.csv").open() as file:
        table = list(csv.DictReader(file))
    pages = sorted(str(p.relative_to(course)) for p in course.glob("feedback/*/*/*.html"))
    notebooks = sorted(str(p.relative_to(course)) for p in course.glob("autograded/*/*/*.ipynb"))
    return {
        "gradebook": gradebook_of(course),
        "report": report,
        "table": table,
        "pages": pages,
        "notebooks": notebooks,
    }


@pytest.fixture(scope="module")
def undisturbed(class_folder, tmp_path_factory):
    """What an undisturbed run comes to."""
    course = shutil.copytree(class_folder, tmp_path_factory.mktemp("undisturbed") / "course")
    run = Run(course)
    run.wait_until(lambda: run.family() and False)
    said = run.end()
    assert run.process.returncode == 1, said
    run.assert_all_gone()
    results = results_of(course)
    statuses = {name: row["status"] for name, row in results["report"]["students"].items()}
    assert {name for name, status in statuses.items() if status != "graded"} == {"joe", "max"}
    assert len({row["score"] for row in results["report"]["students"].values()}) >= 4
    return results


def assert_whole(course: Path, undisturbed: dict) -> None:
    """What a killed run has recorded is complete: nobody could read what nobody gave."""
    for student, rows in gradebook_of(course).items():
        assert rows == undisturbed["gradebook"][student]
    for path in [*entries(course), course / "report.json"]:
        if path.exists():
            json.loads(path.read_text())


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_run_that_is_killed_again_and_again_ends_as_an_undisturbed_one(
    class_folder, undisturbed, tmp_path, number
):
    draw = random.Random(number)
    course = shutil.copytree(class_folder, tmp_path / "course")
    run = Run(course)
    # Both workers are killed, one after the other.
    assert run.wait_until(lambda: len(entries(course)) >= 2 and len(run.workers()) == 2)
    first, second = run.workers()
    time.sleep(draw.uniform(0, 1))
    run.kill(first)
    time.sleep(draw.uniform(0, 1))
    run.kill(second)
    # Then the run itself, in the middle of recording.
    before = len(gradebook_of(course))
    assert run.wait_until((course / "gradebook.db-journal").exists, 0.001)
    time.sleep(draw.uniform(0, 0.05))
    run.kill(run.process)
    run.end()
    run.assert_all_gone()
    assert_whole(course, undisturbed)
    assert len(gradebook_of(course)) >= before
    for path in entries(course):
        assert "could not be graded on this machine" not in path.read_text()
    # Then the next one, wherever it is.
    run = Run(course)
    run.wait_until(run.workers)
    time.sleep(draw.uniform(0, 5))
    run.kill(run.process)
    run.end()
    run.assert_all_gone()
    assert_whole(course, undisturbed)

    run = Run(course)
    run.wait_until(lambda: run.family() and False)
    said = run.end()
    assert run.process.returncode == 1, said
    assert results_of(course) == undisturbed
    run.assert_all_gone()
    assert not list(course.rglob(".headway-*")), "what was half written is cleared away"
