"""Honest cells in sessions of each kind, how sessions end, and what a failing fork server does."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from headway.errors import UserError
from headway.grading.allowance import Allowance
from headway.grading.execution.executor import grade_notebook
from headway.grading.runner.transport import receive, send
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import student_view
from headway.grading.sandbox.sessions import ForkedSessions, FreshSessions, TrustedSessions
from tests.hostile.conftest import HIDDEN, run_cell
from tests.hostile.programs import alive, in_namespace, wait_for


def is_at_its_end(session) -> bool:
    try:
        return receive(session.socket, 120) is None
    except (EOFError, ConnectionError):
        return True


def test_a_session_runs_cells_one_after_another(any_sessions):
    with any_sessions.session() as session:
        assert run_cell(session, "x = 20") == ""
        assert run_cell(session, "import numpy; print(numpy.arange(3) + x)") == "[20 21 22]\n"
        assert session.ended_by_limit() is None


def test_a_figure_is_shown_without_being_asked_for(any_sessions):
    """Also where the library that draws was there before the cell that imports it."""
    draw = "import matplotlib.pyplot as plt\nplt.plot([1, 2]);"
    with any_sessions.session() as session:
        assert kinds_shown(session, draw) == {"text/plain", "image/png"}


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_a_figure_that_is_drawn_is_a_picture_as_well(sessions, kind):
    """For pages show no drawing of a stranger."""
    choose = f"%config InlineBackend.figure_formats = [{kind!r}]\n"
    with sessions.session() as session:
        shown = kinds_shown(session, choose + "import matplotlib.pyplot as plt\nplt.plot([1]);")
        assert len(shown) == 3
        assert shown > {"text/plain", "image/png"}


def kinds_shown(session, source: str) -> set[str]:
    """The kinds of data that a cell shows first."""
    send(session.socket, {"do": "run", "source": source, "seconds": 60})
    message = receive(session.socket, 90)
    assert message["is"] == "output"
    return {*message["output"]["data"]}


def test_a_set_has_the_same_order_in_every_session(any_sessions):
    """So that an answer that goes by it gets the same score whenever it is graded."""
    code = "print(list({*'abcdefgh'}), hash('ran'))"
    seed = os.environ | {"PYTHONHASHSEED": "0"}
    seen = {subprocess.check_output([sys.executable, "-c", code], env=seed, text=True)}
    for _ in range(2):
        with any_sessions.session() as session:
            seen.add(run_cell(session, code))
    assert len(seen) == 1


def test_random_numbers_begin_alike_in_each_forked_session(sessions):
    code = "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1))"
    with sessions.session() as first, sessions.session() as second:
        assert run_cell(first, code) == run_cell(second, code)


def test_torch_makes_small_numbers_in_every_session(any_sessions):
    """Its first float16 reads /proc/cpuinfo, which a forked session does not have."""
    with any_sessions.session() as session:
        code = "import torch\nprint(torch.full((9,), 1.5).half().sum().item())"
        assert run_cell(session, code) == "13.5\n"


def test_a_hidden_module_is_told_to_be_hidden(any_sessions):
    code = """
try: from headway.text import vocabulary
except ImportError as error: print(error)
import headway.text.categories
"""
    with any_sessions.session() as session:
        assert run_cell(session, code) == (
            "headway.text.vocabulary answers this assignment's tasks, so it is not there while "
            "they are graded\n"
        )


def test_modules_beside_the_notebook_can_be_imported_and_shadow_nothing(any_sessions):
    files = {
        "mine.py": b"value = 3",
        **dict.fromkeys(["torch.py", "json.py", "colorsys.py", "headway.py"], b"raise Exception"),
    }
    code = "import mine, json, colorsys, torch, headway.text.categories; print(mine.value)"
    with any_sessions.session() as session:
        send(session.socket, {"do": "files", "files": files})
        assert receive(session.socket, 10) == {"is": "ready"}
        assert run_cell(session, code) == "3\n"


def test_a_session_that_is_killed_comes_to_its_end(any_sessions):
    with any_sessions.session() as session:
        session.kill()
        assert is_at_its_end(session)
        assert session.ended_by_limit() is None


def test_each_cell_that_ends_the_process_costs_a_session(sessions):
    cells = [*(new_code_cell("import os; os._exit(1)") for _ in range(3)), new_code_cell("5")]
    graded = grade_notebook(new_notebook(cells=cells), {}, sessions, Allowance(), seed=1)
    assert [*graded.fatal] == [0, 1, 2]
    assert graded.sessions == 4
    (last,) = graded.outputs[3]
    assert last.data == {"text/plain": "5"}


STUBBORN = """
import signal, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True:
    try: time.sleep(100)
    except BaseException: pass
"""


def test_wall_time_is_limited_for_whoever_swallows_every_signal_and_exception(any_sessions):
    with any_sessions.session(Limits(wall_seconds=3)) as session:
        with suppress(EOFError):  # it may have taken as long to start
            send(session.socket, {"do": "run", "source": STUBBORN, "seconds": 600})
        assert is_at_its_end(session)
        assert session.ended_by_limit() == "wall_seconds"


def test_a_session_that_is_left_is_gone_with_its_daemons(sandboxes):
    daemon = """
import os, signal
print(os.readlink("/proc/self/ns/pid"))
if not os.fork():
    os.setsid()
    if not os.fork(): signal.pause()
    signal.pause()
"""
    with sandboxes.session() as session:
        name = run_cell(session, daemon).strip()
        wait_for(lambda: len(in_namespace(name)) == 4)
    assert not in_namespace(name)


def test_what_a_session_uses_is_measured(sandboxes):
    code = """
import time
block = bytearray(b"x") * (64 << 20)
end = time.process_time() + 0.2
while time.process_time() < end: pass
"""
    with sandboxes.session() as session:
        run_cell(session, "")
        before = session.usage
        run_cell(session, code)
        assert 60 << 20 < session.usage.memory_bytes - before.memory_bytes < 200 << 20
        assert session.usage.cpu_seconds > 0.1
        assert session.peak >= session.usage.memory_bytes


def test_a_fork_server_that_died_is_started_once_more(student_package):
    with ForkedSessions(student_view(student_package), Limits(), HIDDEN) as sessions:
        sessions._fork_server._monitor.kill()
        assert sessions._fork_server._monitor.is_gone(60)
        with sessions.session() as session:
            assert run_cell(session, "print(1)") == "1\n"
        assert (sessions.is_forking, sessions.note) == (True, "")


@pytest.mark.parametrize(
    "program",
    [
        "raise MemoryError('nothing left')",
        # ready, then garbage for an answer, each time
        "import socket, sys, time\n"
        "line = socket.socket(fileno=int(sys.argv[1])); line.send(b'ready')\n"
        "while line.recv(1 << 16): line.send(bytes(range(256)))",
        # ready, then a greeting that is none, by a process that cannot be another's
        "import socket, sys\n"
        "line = socket.socket(fileno=int(sys.argv[1])); line.send(b'ready')\n"
        "while True:\n"
        "    _, [session], _, _ = socket.recv_fds(line, 1 << 16, 1)\n"
        "    with socket.socket(fileno=session) as end: end.send(b'?')",
    ],
    ids=["broken", "garbage", "false greeting"],
)
def test_where_the_fork_server_does_not_work_sessions_are_fresh_and_say_so(
    student_package, tmp_path, program
):
    tmp_path.chmod(0o755)
    broken = shutil.copytree(student_package, tmp_path / "headway")
    (broken / "grading" / "runner" / "fork_server.py").write_text(program)
    with ForkedSessions(student_view(broken), Limits(), HIDDEN) as sessions:
        with sessions.session() as session:
            assert run_cell(session, "print(1)") == "1\n"
        assert not sessions.is_forking
        assert "each submission started Python anew" in sessions.note


@pytest.mark.parametrize("kind", [ForkedSessions, FreshSessions])
@pytest.mark.parametrize(
    ("complaint", "mending"),
    [
        (None, "sudo apt-get install bubblewrap"),
        ("bwrap: Unknown option --disable-userns", "version 0.8 or newer"),
        (
            "bwrap: No permissions to create new namespace",
            "seccomp=unconfined.*unmask=/proc|sysctl",
        ),
    ],
)
def test_a_system_without_a_sandbox_is_told_how_to_get_it(
    student_package, monkeypatch, kind, complaint, mending
):
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        if complaint:
            broken = Path(folder, "bwrap")
            broken.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 1\n")
            broken.chmod(0o755)
            mending = f"{complaint}.*{mending}.*headway doctor"
        monkeypatch.setenv("PATH", folder)
        with (
            pytest.raises(UserError, match=mending),
            kind(student_view(student_package)) as sessions,
            sessions.session(),
        ):
            pass


def test_what_is_to_be_bound_and_is_not_there_is_named(student_package):
    view = student_view(student_package, (Path("/none/such"), Path("/course")))
    with (
        pytest.raises((UserError, OSError), match="/none/such"),
        FreshSessions(view).session(),
    ):
        pass


def test_trusted_sessions_say_that_there_is_no_sandbox(student_package, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with TrustedSessions(student_package) as sessions, sessions.session() as session:
        assert "without a sandbox" in sessions.note
        assert run_cell(session, "print(1)") == "1\n"


def test_a_student_package_of_another_name_is_refused_where_it_is_imported_directly(tmp_path):
    with pytest.raises(ValueError, match="expected a folder called headway"):
        TrustedSessions(tmp_path)


@pytest.mark.parametrize("kind", [ForkedSessions, FreshSessions])
def test_nothing_is_left_when_the_worker_is_killed(student_package, kind):
    token = f"hidden_{uuid4().hex}"  # on the command line of whatever the worker starts
    code = f"""
import sys, time
from pathlib import Path
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.sessions import {kind.__name__}
from headway.grading.sandbox.mounts import student_view
from headway.grading.runner.transport import send
view, hidden = student_view(Path(sys.argv[1])), ["hidden_" + sys.argv[2]]
with {kind.__name__}(view, Limits(), hidden) as sessions, sessions.session() as session:
    loop = "import os, time\\nos.fork(); os.setsid()\\nwhile True: time.sleep(1)"
    send(session.socket, {{"do": "run", "source": loop, "seconds": 1000}})
    print("started", flush=True)
    time.sleep(100)
"""
    command = [sys.executable, "-c", code, str(student_package), token.removeprefix("hidden_")]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert worker.stdout.readline() == b"started\n"
        assert len(alive(token)) >= 3
    finally:
        os.kill(worker.pid, signal.SIGKILL)
        worker.communicate()
    wait_for(lambda: not alive(token))
