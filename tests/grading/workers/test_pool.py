"""Workers that end, hang or talk nonsense are replaced, and jobs are drawn as they are needed."""

import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from headway.grading.workers import slot as module
from headway.grading.workers.pool import Pool, shares
from headway.grading.workers.slot import Slot, WorkerProcess
from tests.grading.classroom import cell_named, hand_in
from tests.hostile.programs import wait_for

PATIENCE = 120  # seconds, on a busy machine; nothing waits so long where all is well
WORKER = """
import os, socket, sys, time
from pathlib import Path
from headway.runner.transport import pack, receive, send

sock = socket.socket(fileno=int(sys.argv[1]))
while True:
    try:
        job = receive(sock)
    except EOFError:
        break
    do, folder = job["do"], Path(job["folder"])
    tries = len(list(folder.glob(f"{job['name']}-*")))
    (folder / f"{job['name']}-{tries}-{os.getpid()}").touch()  # two may begin at the same moment
    if do.endswith("once") and tries:
        do = "grade"
    if do.startswith("end"):
        os._exit(1)
    if do == "cores":
        while len(list(folder.glob("cores-*"))) < 2:  # so that another worker has the other job
            time.sleep(0.01)
        job["name"] = " ".join(map(str, sorted(os.sched_getaffinity(0))))
    if do.startswith("hang"):
        time.sleep(600)
    if do.startswith("trickle"):
        for byte in pack("x" * 5000):
            sock.send(bytes([byte]))
            time.sleep(0.05)
    if do.startswith("noise"):
        sock.sendall(os.urandom(4096))
        continue
    if do.startswith("half"):
        sock.sendall(pack("x" * 5000)[:100])
        os._exit(0)
    if do == "linger":
        while not (folder / "others are done").exists():
            time.sleep(0.01)
    answers = {
        "list": ["graded"],
        "bare": {"status": "graded"},
        "word": {"status": "fine"},
        "types": {"status": "graded", "notebook": 5, "seconds": 1.0},
        "fault": {"status": "fault", "reason": "no room"},
        "aside": {"status": "set-aside", "reason": "broken"},
    }
    graded = {"status": "graded", "notebook": job["name"], "seconds": 1.0}
    send(sock, answers.get(do.removesuffix(" once"), graded) if do != "grade" else graded)
"""


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Makes jobs for a worker that does as it is told."""
    script = tmp_path / "worker.py"
    script.write_text(WORKER)
    monkeypatch.setattr(WorkerProcess, "COMMAND", (sys.executable, str(script)))
    monkeypatch.setattr(module, "STARTING_SECONDS", PATIENCE)
    folder = tmp_path / "tries"
    folder.mkdir()

    def make(do: str, name: str = "job", seconds: float = 1.0) -> dict:
        allowance = {"submission_seconds": seconds}
        return {
            "do": do,
            "name": name,
            "folder": str(folder),
            "seconds": seconds,
            "allowance": allowance,
        }

    make.folder = folder
    make.tries = lambda name="job": len(list(folder.glob(f"{name}-*")))
    return make


@pytest.fixture
def slot():
    slot = Slot()
    yield slot
    slot.close()


@pytest.fixture(autouse=True)
def _strangers():
    """Processes of this one that other tests have started, such as a browser."""
    STRANGERS[:] = psutil.Process().children(recursive=True)


STRANGERS: list[psutil.Process] = []


def children() -> list[psutil.Process]:
    """The processes that the test itself has started, and theirs."""
    return [one for one in psutil.Process().children(recursive=True) if one not in STRANGERS]


def test_a_job_is_done_by_a_worker_that_stays_for_the_next(slot, job):
    assert slot.grade(job("grade"))["status"] == "graded"
    (worker,) = children()
    assert slot.grade(job("aside")) == {"status": "set-aside", "reason": "broken"}
    assert children() == [worker]


@pytest.mark.parametrize(
    ("do", "reason"),
    [
        *((do, "the worker ended") for do in ("end", "half")),
        ("noise", "what the worker gave cannot be read"),
        *((do, "what the worker gave is no result") for do in ("list", "bare", "word", "types")),
        ("fault", "no room"),
    ],
)
def test_what_fails_is_tried_again_and_then_a_fault_and_the_next_job_is_done(slot, job, do, reason):
    assert slot.grade(job(f"{do} once", "once"))["status"] == "graded"
    assert job.tries("once") == 2
    result = slot.grade(job(do))
    assert result["status"] == "fault"
    assert reason in result["reason"]
    assert job.tries() == 2
    assert slot.grade(job("grade", "next"))["status"] == "graded"


@pytest.mark.parametrize("do", ["hang", "trickle"])
def test_a_worker_that_hangs_is_given_up(slot, job, do, monkeypatch):
    monkeypatch.setattr(module, "STARTING_SECONDS", 0.5)
    result = slot.grade(job(do, seconds=0.5))
    assert result == {"status": "fault", "reason": "the worker gave no result in 1 seconds"}
    assert children() == []


def test_a_worker_that_was_killed_is_replaced(slot, job):
    slot.grade(job("grade"))
    (worker,) = children()
    worker.kill()
    assert slot.grade(job("grade", "next"))["status"] == "graded"


@pytest.mark.parametrize("do", ["grade", "end", "noise"])
def test_a_worker_leaves_no_files(job, do, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    slot = Slot()
    slot.grade(job(do))
    slot.close()
    assert not list(scratch.iterdir())


def test_results_come_by_key_and_only_few_jobs_are_drawn_ahead(job):
    drawn, done = [], []

    def jobs():
        for number in range(40):
            drawn.append(number)
            yield number, job("grade", f"n{number}")

    with Pool(2) as pool:
        for key, result in pool.map(jobs()):
            assert result["notebook"] == f"n{key}"
            done.append(key)
            assert len(drawn) - len(done) < 2 * 2
    assert sorted(done) == drawn == list(range(40))
    assert children() == []


def test_a_key_without_a_job_comes_back_in_its_turn(job):
    keys = [("no job", None), (0, job("grade", "n0")), ("none either", None)]
    with Pool(1) as pool:
        results = dict(pool.map(keys))
    assert results.pop("no job") is results.pop("none either") is None
    assert results[0]["notebook"] == "n0"


def test_a_slow_job_holds_up_no_other(job):
    jobs = [("slow", job("linger", "slow")), *((n, job("grade", f"n{n}")) for n in range(8))]
    done = []
    with Pool(2) as pool:
        for key, _ in pool.map(jobs):
            done.append(key)
            if len(done) == 8:
                job.folder.joinpath("others are done").touch()
    assert done[-1] == "slow"


def test_one_job_that_breaks_workers_leaves_the_others_their_results(job):
    jobs = [(f"{do}{n}", job(do, f"{do}{n}")) for n in range(2) for do in ("end", "grade", "noise")]
    with Pool(2) as pool:
        results = dict(pool.map(jobs))
    assert {key: result["status"] for key, result in results.items()} == {
        key: "graded" if key.startswith("grade") else "fault" for key, _ in jobs
    }


def test_whoever_wants_no_more_is_not_kept_waiting(job):
    def take_one():
        with Pool(2) as pool:
            results = pool.map(
                (n, job("grade" if n == 0 else "hang", f"n{n}", 1e6)) for n in range(9)
            )
            next(results)
            results.close()

    ThreadPoolExecutor(1).submit(take_one).result(PATIENCE)
    assert children() == []


def test_an_error_of_who_makes_the_jobs_ends_the_workers(job):
    def jobs():
        yield 1, job("hang", seconds=600.0)
        raise OSError(28, "No space left on device")

    with Pool(2) as pool, pytest.raises(OSError, match="No space"):
        list(pool.map(jobs()))
    assert children() == []


def test_closing_a_slot_that_is_at_work_ends_its_worker(job):
    for _ in range(5):
        slot = Slot()
        thread = threading.Thread(target=lambda slot=slot: _try(slot, job("end")))
        thread.start()
        time.sleep(0.15)
        slot.close()
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert children() == []


def _try(slot: Slot, job: dict) -> None:
    with suppress(RuntimeError):  # it was closed before the second try
        slot.grade(job)


@pytest.mark.jupyter
def test_an_interrupt_stops_the_run_at_once_and_leaves_nothing_alive(tmp_path):
    for number in range(4):
        hand_in(tmp_path, f"s{number}", change=_slow)
    patient = (
        "c = get_config()\nc.Allowance.cell_seconds = c.Allowance.submission_seconds = 1_000\n"
    )
    (tmp_path / "nbgrader_config.py").write_text(patient)
    headway = Path(sysconfig.get_path("scripts")) / "headway"
    command = [headway, "grade", "01", "--course", tmp_path, "--workers", "2"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    below = set()
    end = time.monotonic() + 120
    while ["sleep", "900"] not in [p.info["cmdline"] for p in below]:
        assert run.poll() is None
        assert time.monotonic() < end
        time.sleep(0.1)
        below |= _below(run.pid)
    run.send_signal(signal.SIGINT)
    said, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert "What was graded is kept; run the same command to go on.\nStopped.\n" in said
    assert "Traceback" not in said
    _, alive = psutil.wait_procs(below, timeout=PATIENCE)
    assert [p for p in alive if p.is_running() and p.status() != psutil.STATUS_ZOMBIE] == []


def _slow(notebook) -> None:
    # Where this is waited for, the test's own patience ends first.
    cell_named(notebook, "dot").source += "\nimport subprocess\nsubprocess.run(['sleep', '900'])"


def _below(pid: int) -> set[psutil.Process]:
    found = set()
    for process in psutil.Process(pid).children(recursive=True):
        try:
            process.info = {"cmdline": process.cmdline()}
            found.add(process)
        except psutil.NoSuchProcess:
            continue
    return found


def test_a_worker_ends_with_whoever_started_it():
    """Whatever happens to the run, its workers do not outlive it."""
    code = (
        "import time; from headway.grading.workers.slot import WorkerProcess\n"
        "worker = WorkerProcess(); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], env=os.environ)
    wait_for(psutil.Process(parent.pid).children)
    below = psutil.Process(parent.pid).children()
    parent.kill()
    parent.wait()
    _, alive = psutil.wait_procs(below, timeout=PATIENCE)
    assert not [p for p in alive if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


def test_workers_have_cores_of_their_own(job):
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        pytest.skip("there is one core")
    with Pool(2) as pool:
        jobs = [(name, job("cores", name)) for name in ("cores-a", "cores-b")]
        seen = [core for _, result in pool.map(jobs) for core in result["notebook"].split()]
    assert sorted(map(int, seen)) == cores


@pytest.mark.parametrize(
    ("cores", "size", "expected"),
    [
        ([0, 1], 2, [[0], [1]]),
        ([4, 5, 6], 2, [[4, 6], [5]]),
        ([0, 1], 3, [[0], [1], [0]]),
        ([7], 1, [[7]]),
    ],
)
def test_cores_are_shared_out(cores, size, expected):
    assert shares(cores, size) == expected
