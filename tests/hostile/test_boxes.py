"""What the kernel bounds and counts where it gives us control groups.

These tests are skipped where it does not; `headway doctor` says how to get them, and so does "For
instructors". With the same command before it, pytest runs them.
"""

import json
import subprocess
import sys

import pytest

from headway.grading.sandbox.boxes import NAME, place_of_boxes
from headway.grading.sandbox.cgroups import NotDelegated, find_delegated
from headway.grading.sandbox.limits import Limits
from tests.hostile.conftest import ended_by, run_cell
from tests.hostile.programs import MEMORY, SOCKETS
from tests.hostile.submissions import CLASS
from tests.hostile.submissions.course import course_folder

MIB = 1 << 20
# 1.2 seconds of a processor, of which a look from time to time sees a third.
UNSEEN = """
import subprocess, sys
program = '''
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody is told what a child has used
for _ in range(240):
    if not os.fork():
        while time.process_time() < 0.005: pass
        os._exit(0)
    try: os.wait()
    except ChildProcessError: pass
print("done")
'''
done = subprocess.run([sys.executable, "-ISc", program], stdout=subprocess.PIPE, text=True)
print(done.stdout, end="")
"""


def _is_given() -> bool:
    try:
        find_delegated()
    except NotDelegated:
        return False
    return True


pytestmark = pytest.mark.skipif(not _is_given(), reason="no control groups are given to us here")


def boxes() -> list[str]:
    return [path.name for path in place_of_boxes().folder.glob(f"{NAME}*")]


def test_a_session_is_in_a_box_of_its_own_as_long_as_it_lasts(sessions):
    with sessions.session() as first, sessions.session() as second:
        assert len(boxes()) == 2
        look = "print(open('/proc/self/cgroup').read().splitlines()[-1])"
        # Its namespace shows it the box as all there is.
        assert run_cell(first, look).startswith("0::/")
        assert run_cell(second, look).startswith("0::/")
    assert boxes() == []


def test_memory_that_no_measurement_sees_ends_the_session_for_its_memory(sessions, monkeypatch):
    monkeypatch.setattr("headway.grading.sandbox.usage.SOCKET_BYTES", 0)
    with sessions.session(Limits(memory_bytes=300 * MIB, processes=40)) as session:
        assert ended_by(session, SOCKETS) == "memory_bytes"
        assert session.peak < 300 * MIB, "it was not what is measured"
    assert boxes() == []


def test_memory_that_grows_faster_than_it_is_measured_is_refused_by_the_kernel(
    sessions, monkeypatch
):
    monkeypatch.setattr("headway.grading.sandbox.session.INTERVAL", 60)
    code = MEMORY["children"]
    with sessions.session(Limits(memory_bytes=300 * MIB)) as session:
        assert ended_by(session, code) == "memory_bytes"
    assert boxes() == []


def test_processor_time_of_processes_that_nobody_sees_is_counted(sessions):
    with sessions.session() as session:
        before = session.usage.cpu_seconds
        assert run_cell(session, UNSEEN) == "done\n"
        assert session.usage.cpu_seconds - before > 1.1


def test_processes_are_counted_by_the_kernel_too(sessions):
    with sessions.session(Limits(processes=20)) as session:
        (box,) = place_of_boxes().folder.glob(f"{NAME}*")
        assert box.joinpath("pids.max").read_text() == "28\n"
        assert run_cell(session, "print(1)") == "1\n"


GRADE = "import sys; from headway.cli import main; main(sys.argv[1:])"
ENTER = 'echo $$ >"$0" && exec "$@"'
STUDENTS = ("honest-solved", "hungry-memory", "hungry-children", "attack-beyond")


@pytest.mark.jupyter
@pytest.mark.full
def test_scores_and_reasons_are_those_without_boxes(tmp_path):
    plain = place_of_boxes().folder / "plain"  # a group that is not marked as given to anybody
    plain.mkdir()
    found = []
    for name, enter in (
        ("with", []),
        ("without", ["/bin/sh", "-c", ENTER, plain / "cgroup.procs"]),
    ):
        course = course_folder(tmp_path / name, [CLASS[student] for student in STUDENTS])
        command = [sys.executable, "-c", GRADE, "grade", "01", "--no-feedback", "--course", course]
        subprocess.run([*enter, *command], check=True, capture_output=True)
        rows = json.loads((course / "report.json").read_text(encoding="utf-8"))["students"]
        found.append({student: {**row, "seconds": 0} for student, row in rows.items()})
    plain.rmdir()
    assert found[0] == found[1]
    scores = {student: row["score"] for student, row in found[0].items()}
    assert scores == {student: CLASS[student].score for student in STUDENTS}
