"""A Dask cluster on this machine gives what the machine's own workers give."""

import json
import os
import re
import signal
import subprocess
import sysconfig
import time
from pathlib import Path

import pytest

from tests.grading.classroom import CHAPTER, cell_named, hand_in

NAME = CHAPTER.name
DASK = Path(sysconfig.get_path("scripts")) / "dask"

pytestmark = pytest.mark.jupyter


class Cluster:
    """A scheduler and two workers of one thread each."""

    def __init__(self, folder: Path):
        self._log = folder / "cluster.log"
        self._folder = folder
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        self.address = self._wait_for(r"Scheduler at:\s+(tcp://\S+)")
        quiet = ["--no-nanny", "--no-dashboard", "--nthreads", "1", "--host", "127.0.0.1"]
        self.workers = [
            self._start("worker", self.address, *quiet, "--local-directory", folder / name)
            for name in "ab"
        ]
        for _ in self.workers:
            self._wait_for(r"(?s)(Registered to:.*){2}")

    def _start(self, what: str, *options: object) -> subprocess.Popen:
        command = [DASK, what, *options, *(["--no-dashboard"] if what == "scheduler" else [])]
        with self._log.open("a") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)

    def _wait_for(self, pattern: str) -> str:
        end = time.monotonic() + 120
        while not (found := re.search(pattern, self._log.read_text())):
            assert time.monotonic() < end, self._log.read_text()
            time.sleep(0.1)
        return found[1]

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.end()


def sleepy(notebook):
    cell_named(notebook, "dot").source += "\nimport time\ntime.sleep(10)"


def class_in(course: Path, change=None) -> Path:
    course.mkdir()
    hand_in(course, "ada", change=change)
    hand_in(course, "bob", "release", change)
    hand_in(course, "cut").write_text("{")
    hand_in(course, "dan", change=lambda nb: cell_named(nb, "dot").update(source="1 / 0"))
    state = course / ".headway" / NAME
    state.mkdir(parents=True)
    (state / "run.json").write_text('{"seed": 7}')
    return course


def results_of(course: Path) -> dict:
    rows = json.loads((course / "report.json").read_text())["students"]
    return {name: {**row, "seconds": None} for name, row in rows.items()}


def test_a_cluster_grades_as_this_machine_does(headway, cluster, tmp_path):
    here, there = class_in(tmp_path / "here"), class_in(tmp_path / "there")
    assert headway("grade", "01", "--course", here, "--workers", "1").code == 1, "one is set aside"
    result = headway("grade", "01", "--course", there, "--scheduler", cluster.address)
    assert result.code == 1, result.err
    assert results_of(there) == results_of(here)
    assert results_of(there)["ada"]["score"] == 24


@pytest.mark.full
def test_a_scheduler_that_dies_is_said_and_the_next_run_goes_on(headway, cluster, tmp_path):
    course = class_in(tmp_path / "course", sleepy)
    command = [DASK.with_name("headway"), "grade", "01", "--course", course]
    run = subprocess.Popen(
        [*command, "--scheduler", cluster.address],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    journal = course / ".headway" / NAME / "journal"
    end = time.monotonic() + 120
    while not list(journal.glob("cut.json")):
        assert run.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    os.kill(cluster.scheduler.pid, signal.SIGKILL)
    said, _ = run.communicate(timeout=120)
    assert run.returncode == 2, said
    assert "The cluster is gone" in said
    assert "Traceback" not in said
    assert not (course / "report.json").exists()
    assert headway("grade", "01", "--course", course, "--workers", "2").code == 1
    assert results_of(course)["ada"]["score"] == 24


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "nonsense", "ftp://x", ""])
def test_a_scheduler_that_does_not_answer_is_said(headway, tmp_path, address, monkeypatch):
    monkeypatch.setattr("headway.grading.workers.cluster.ANSWERING_SECONDS", 1)
    course = class_in(tmp_path / "course")
    result = headway("grade", "01", "--course", course, "--scheduler", address)
    assert result.code == 2, result.err
    assert "does not answer" in result.err
    assert "Traceback" not in result.err
    assert not (course / "report.json").exists()
