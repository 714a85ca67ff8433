"""Cells and answers that end their process, never end, or patch all that they can reach."""

import contextlib

import psutil
import pytest

from tests.hostile.programs import wait_for


def is_over(number: int) -> bool:
    """Whether a process has ended; nobody may have waited for it yet."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(number).status() == psutil.STATUS_ZOMBIE
    return True


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os._exit(0)", "exit 0"),
        ("import ctypes; ctypes.string_at(0)", "signal 11"),
        ("import os; os.kill(os.getpid(), 9)", "signal 9"),
    ],
)
def test_an_answer_that_ends_its_process_is_lost_and_the_next_is_fine(session, code, why):
    session.text("def f(code): exec(code)")
    assert session.call("f", code) == {"is": "lost", "why": why}
    assert session.value("lambda: 'fine'") == "fine"
    assert session.text("print('fine')") == "fine\n"


@pytest.mark.parametrize(
    "loop",
    [
        "while True: pass",
        "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
        "import os\nos.fork()\nos.fork()\nwhile True: pass",
        "import signal; signal.pthread_sigmask(0, range(1, 64))\nwhile True: pass",
    ],
)
def test_an_endless_call_is_lost_to_time_and_the_next_is_fine(session, loop):
    session.text("def f(code): exec(code)")
    assert session.call("f", loop, seconds=0.5) == {"is": "lost", "why": "time"}
    assert session.value("lambda: 'fine'") == "fine"


def test_a_process_that_a_call_leaves_behind_is_ended(session):
    session.text(
        "import os, time\n"
        "def f():\n"
        "    if number := os.fork(): return number\n"
        "    while True: time.sleep(600)"
    )
    left = session.value("f")
    wait_for(lambda: is_over(left))


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "async def loop():\n  while True: pass\nawait loop()",
        "for i in range(10**9): print(i)",
        "from IPython.display import display\nwhile True: display(1)",
        "try:\n  while True: pass\nfinally: print('cleaned up')",
        "try:\n  while True: pass\nexcept KeyboardInterrupt: pass\nwhile True: pass",
    ],
)
def test_a_cell_beyond_its_time_is_stopped_and_the_session_goes_on(session, source):
    outputs, error = session.run(source, seconds=0.5)
    assert error
    told = [output for output in outputs if output["output_type"] == "error"]
    assert [output["ename"] for output in told] == ["CellTimeoutError"]
    assert told[0]["evalue"] == "it computed for more than 0.5 seconds, and was stopped"
    assert session.text("print('fine')") == "fine\n"


@pytest.mark.parametrize(
    "patch",
    [
        "time = 3; json = None; os = 'linux'; np = send = shell = print = open = len = 0",
        "import builtins; builtins.open = builtins.print = builtins.eval = None",
        "import json; json.dumps = json.loads = json.JSONEncoder = None",
        "import os; os.fork = os.waitpid = os._exit = os.kill = os.getpid = lambda *a: 1 / 0",
        "import time; time.monotonic = time.time = lambda: 0",
        "import numpy as np\nnp.asarray = np.ndarray = np.frombuffer = np.empty = None",
        "import pickle, socket, select, struct\npickle.dumps = select.poll = socket.socket = None",
        "import signal, threading; signal.signal = signal.setitimer = threading.Thread = None",
        "import sys; sys.stdout = sys.stderr = None",
        "import torch; torch.Tensor = torch.get_num_threads = None",
        "import os; os.close(1); os.close(2)",
        "del In, Out, get_ipython",
        "import sys; sys.setrecursionlimit(60)",
        "import asyncio; asyncio.get_event_loop().stop()",
    ],
)
def test_what_a_cell_patches_leaves_answers_as_they_are(session, patch):
    session.run("def f(x): return [x, 1]\nclass C: pass")
    session.run(patch)
    assert session.value("f", "a") == ["a", 1]
    assert session.call("lambda: C()")["error"] == "UnplainError"
    assert session.call("f", "a")["value"] == ["a", 1]


@pytest.mark.parametrize(
    "patch",
    [
        "import headway.tasks.engine.probe as p\np.plain = p.observe = p.call = lambda *a: C()",
        "import headway.runner.transport as w\nw.pack = w.unpack = 0\n"
        "import headway.runner.serve as s\ns._SessionLoop = 0",
        "import sys; sys.modules.clear()",
        "import builtins; builtins.len = builtins.type = builtins.isinstance = None",
    ],
)
def test_what_breaks_the_session_itself_gives_plain_data_or_its_end(session, patch):
    session.run("class C: pass")
    with contextlib.suppress(EOFError):
        session.run(patch)
        message = session.call("lambda: 1")
        assert message["is"] in ("outcome", "lost", "raised")


def test_with_another_thread_alive_answers_are_used_in_the_same_process(session):
    session.text(
        "import threading, time\nn = 0\n"
        "threading.Thread(target=time.sleep, args=[60], daemon=True).start()"
    )
    session.text("def f():\n    global n\n    n += 1\n    return n")
    assert [session.value("f"), session.value("f")] == [1, 2]
    session.text("def loop():\n    while True: pass")
    assert session.call("loop", seconds=0.3) == {"is": "lost", "why": "time"}
    assert session.answer("undefined")["is"] == "raised"
    assert session.value("f") == 3


def test_a_printing_thread_never_breaks_a_frame(session):
    session.text(
        "import threading\nstop = False\n"
        "def chatter():\n    while not stop: print('x' * 50)\n"
        "threads = [threading.Thread(target=chatter) for _ in range(3)]\n"
        "for t in threads: t.start()"
    )
    assert session.value("lambda: 1") == 1
    session.run("for i in range(50): print(i)")
    session.run("stop = True\nfor t in threads: t.join()")
    assert session.text("print('quiet')").endswith("quiet\n")
