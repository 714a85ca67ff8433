"""A Dask cluster on this machine gives what the machine's own workers give."""

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from headway.grading.workers import cluster as ours
from headway.runner.transport import pack, unpack
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


@pytest.mark.full
def test_a_cluster_grades_as_this_machine_does(headway, cluster, tmp_path):
    here, there = class_in(tmp_path / "here"), class_in(tmp_path / "there")
    assert headway("grade", "01", "--course", here, "--workers", "1").code == 1, "one is set aside"
    result = headway("grade", "01", "--course", there, "--scheduler", cluster.address)
    assert result.code == 1, result.err
    assert results_of(there) == results_of(here)
    assert results_of(there)["ada"]["score"] == 24


def killed_meanwhile(course: Path, cluster: Cluster, processes: list[subprocess.Popen]) -> str:
    """What a run says during which processes of its cluster are killed; it ends with 2."""
    command = (
        "from headway.grading.workers import cluster; cluster.WITHOUT_WORKERS_SECONDS = 5; "
        "cluster.ANSWERING_SECONDS = 5; from headway.cli import main; main()"
    )
    run = subprocess.Popen(
        [
            *(sys.executable, "-c", command, "grade", "01"),
            *("--course", course, "--scheduler", cluster.address),
        ],
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
    for process in processes:
        os.kill(process.pid, signal.SIGKILL)
    said, _ = run.communicate(timeout=120)
    assert run.returncode == 2, said
    assert "Traceback" not in said
    return " ".join(said.split())


@pytest.mark.full
@pytest.mark.parametrize("who", ["scheduler", "workers"])
def test_a_cluster_that_dies_is_said_and_the_next_run_goes_on(headway, cluster, tmp_path, who):
    course = class_in(tmp_path / "course", sleepy)
    processes = [cluster.scheduler] if who == "scheduler" else cluster.workers
    said = killed_meanwhile(course, cluster, processes)
    gone = {"scheduler": "The cluster is gone", "workers": "The cluster has no workers any more"}
    assert gone[who] in said
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


def test_workers_with_other_code_are_refused(headway, cluster, tmp_path, monkeypatch):
    course = class_in(tmp_path / "course")
    monkeypatch.setattr(ours, "code_here", lambda: "another")
    result = headway("grade", "01", "--course", course, "--scheduler", cluster.address)
    assert result.code == 2, result.err
    assert "The cluster's worker tcp://127.0.0.1:" in result.err
    assert "has another version of the course" in result.err
    assert not (course / "report.json").exists()


def test_a_worker_that_came_later_with_other_code_grades_nothing():
    result = unpack(ours.grade_there(pack({}), "another"))
    assert result["status"] == "fault"
    assert "another version of the course" in result["reason"]


@pytest.mark.parametrize(
    ("future", "reason"),
    [
        (
            SimpleNamespace(status="error", exception=lambda: OSError(28, "No space left")),
            "No space",
        ),
        (SimpleNamespace(status="finished", result=lambda: b"?"), ""),
        (
            SimpleNamespace(status="finished", result=lambda: pack({"status": "graded"})),
            "no result",
        ),
        (SimpleNamespace(status="finished", result=lambda: pack(["graded"])), "no result"),
    ],
)
def test_what_one_worker_says_or_suffers_is_a_fault_of_one_job(future, reason):
    result = ours._result(future)
    assert result["status"] == "fault"
    assert reason in result["reason"]


def test_slots_of_one_machine_have_cores_of_their_own(tmp_path):
    code = (
        "from headway.grading.workers.cluster import _own_core\n"
        "print(_own_core(), flush=True)\ninput()"
    )
    cores = sorted(os.sched_getaffinity(0))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env=os.environ | {"TMPDIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(len(cores) + 1)
    ]
    found = [json.loads(process.stdout.readline()) for process in processes]
    for process in processes:
        process.communicate("\n")
    assert sorted(found) == [[], *([core] for core in cores)]
