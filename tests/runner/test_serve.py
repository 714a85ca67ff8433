import contextlib
import socket
import time

import numpy as np
import pytest
import torch

from headway.runner.transport import receive, send
from headway.tasks.engine.probe import VERBS

PATIENCE = 60  # seconds


def test_a_cell_streams_its_outputs_and_keeps_its_names(seat):
    assert seat.text("x = 20\nprint('hello')") == "hello\n"
    outputs, error = seat.run("x + 1")
    assert outputs[0]["data"]["text/plain"] == "21"
    assert outputs[0]["execution_count"] == 2
    assert not error
    assert seat.run("1 / 0")[1]


def test_output_arrives_while_the_cell_still_runs(seat):
    send(seat.sock, {"do": "run", "source": "print('a'); import time; time.sleep(2)", "seconds": 9})
    start = time.monotonic()
    assert receive(seat.sock, PATIENCE)["output"]["text"] == "a"
    assert time.monotonic() - start < 1.5


def test_files_lie_in_the_working_directory(seat, tmp_path):
    seat.text(f"import os; os.chdir({str(tmp_path)!r})")
    files = {"a/b.txt": b"text", "c.bin": bytes(range(256))}
    assert seat.ask(do="files", files=files) == {"is": "ready"}
    assert (tmp_path / "a/b.txt").read_bytes() == b"text"
    assert (tmp_path / "c.bin").read_bytes() == bytes(range(256))


def test_an_answer_is_put_to_use_with_what_comes_over_the_wire(seat):
    seat.text("import numpy as np, torch\ndef double(x): print('doubling'); return 2 * x")
    outcome = seat.call("double", np.arange(3))
    assert outcome["value"].tolist() == [0, 2, 4]
    assert outcome["printed"] == "doubling\n"
    assert seat.value("lambda x: x.sum().item()", torch.ones(2, 2)) == 4
    assert seat.value("lambda x: x + 1", torch.ones(2)).tolist() == [2, 2]


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_can_be_asked_for(seat, verb):
    module = "type('Seven', (__import__('torch').nn.Module,), {'forward': lambda self: 7})"
    answers = {"value": "7", "call": "lambda: 7", "use": "dict", "forward": module}
    expression = answers[verb]
    inputs = {"use": [[], ("__len__",)], "forward": [(), {}, ()]}.get(verb, [])
    seat.answer(expression)
    expected = {"__len__()": 0} if verb == "use" else 7
    assert seat.ask(do="ask", verb=verb, inputs=inputs)["value"] == expected


@pytest.mark.parametrize(("expression", "blank"), [("None", True), ("...", True), ("0", False)])
def test_an_answer_says_whether_it_is_blank(seat, expression, blank):
    assert seat.answer(expression) == {"is": "answer", "blank": blank}


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("undefined", "NameError"),
        ("1 +", "SyntaxError"),
        ("1/0", "ZeroDivisionError"),
        ("\0", None),
    ],
)
def test_an_expression_that_fails_is_told_and_the_seat_goes_on(seat, expression, name):
    told = seat.answer(expression)
    assert told["is"] == "raised"
    assert name in (None, told["error"])
    assert told["traceback"]
    assert seat.value("lambda: 1") == 1


def test_an_exception_in_a_call_is_an_outcome(seat):
    seat.text("import sys\ndef f(x): print('before'); raise ValueError('bad ' + x)")
    outcome = seat.call("f", "input")
    assert (outcome["error"], outcome["message"]) == ("ValueError", "bad input")
    assert outcome["printed"] == "before\n"
    assert seat.call("lambda: sys.exit(3)")["error"] == "SystemExit"


def test_a_value_that_the_wire_does_not_carry_is_an_outcome(seat):
    assert seat.call("lambda: [[0] * 1_000_000] * 3")["error"] == "UnplainError"
    assert seat.call("lambda: object()")["error"] == "UnplainError"
    assert seat.call("lambda: 10 ** 5000")["error"] == "UnplainError"


def test_what_a_call_changes_reaches_no_later_cell_or_answer(seat):
    seat.text(
        "import numpy as np\nkept = []\n"
        "def f(x): kept.append(x); np.pi = 3; return len(kept), np.random.rand()"
    )
    first = seat.value("f", 1)
    assert first[0] == 1
    assert seat.value("f", 1) == first
    assert seat.text("print(kept, np.pi > 3.1)") == "[] True\n"


def test_one_answer_keeps_its_state_between_its_calls(seat):
    seat.text("calls = []\ndef f(): calls.append(1); return len(calls)")
    seat.answer("f")
    assert [seat.ask(do="ask", verb="call", inputs=[])["value"] for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os._exit(3)", "exit 3"),
        ("import os; os._exit(0)", "exit 0"),
        ("import ctypes; ctypes.string_at(0)", "signal 11"),
        ("import os; os.kill(os.getpid(), 9)", "signal 9"),
        ("import os; os.abort()", "signal 6"),
    ],
)
def test_an_answer_that_ends_its_process_is_lost_and_the_next_is_fine(seat, code, why):
    seat.text("def f(code): exec(code)")
    assert seat.call("f", code) == {"is": "lost", "why": why}
    assert seat.value("lambda: 'fine'") == "fine"
    assert seat.text("print('fine')") == "fine\n"


@pytest.mark.parametrize(
    "loop",
    [
        "while True: pass",
        "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
        "import os\nos.fork()\nos.fork()\nwhile True: pass",
        "import signal; signal.pthread_sigmask(0, range(1, 64))\nwhile True: pass",
    ],
)
def test_an_endless_call_is_lost_to_time_and_the_next_is_fine(seat, loop):
    seat.text("def f(code): exec(code)")
    start = time.monotonic()
    assert seat.call("f", loop, seconds=0.5) == {"is": "lost", "why": "time"}
    assert time.monotonic() - start < 3
    assert seat.value("lambda: 'fine'") == "fine"


def test_an_answer_that_nobody_ends_is_lost_to_time(seat):
    seat.answer("1", seconds=0.3)
    assert receive(seat.sock, PATIENCE) == {"is": "lost", "why": "time"}
    send(seat.sock, {"do": "ask", "verb": "value", "inputs": []})  # too late
    send(seat.sock, {"do": "end"})
    assert seat.value("lambda: 'fine'") == "fine"


def test_a_process_that_a_call_leaves_behind_is_ended(seat, tmp_path):
    file = tmp_path / "beats"
    seat.text(
        "import os, time\n"
        "def f(path):\n"
        "    if os.fork(): return 1\n"
        "    while True: open(path, 'a').write('x'); time.sleep(0.01)"
    )
    assert seat.value("f", str(file)) == 1
    size = file.stat().st_size if file.exists() else 0
    time.sleep(0.1)
    assert (file.stat().st_size if file.exists() else 0) == size


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "import time; time.sleep(60)",
        "import asyncio; await asyncio.sleep(60)",
        "for i in range(10**9): print(i)",
        "from IPython.display import display\nwhile True: display(1)",
        "try:\n  while True: pass\nfinally: print('cleaned up')",
        "!sleep 60",
    ],
)
def test_a_cell_beyond_its_time_is_stopped_and_the_seat_goes_on(seat, source):
    start = time.monotonic()
    outputs, error = seat.run(source, seconds=0.5)
    assert time.monotonic() - start < 5
    assert error
    told = [output for output in outputs if output["output_type"] == "error"]
    assert [output["ename"] for output in told] == ["CellTimeoutError"]
    assert told[0]["evalue"] == "the cell took more than 0.5 seconds and was stopped"
    assert seat.text("print('fine')") == "fine\n"


def test_an_interruption_that_is_swallowed_once_comes_again(seat):
    source = "try:\n  while True: pass\nexcept KeyboardInterrupt: pass\nwhile True: pass"
    assert seat.run(source, seconds=0.3)[0][-1]["ename"] == "CellTimeoutError"


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
def test_what_a_cell_patches_leaves_answers_as_they_are(seat, patch):
    seat.run("def f(x): return [x, 1]\nclass C: pass")
    seat.run(patch)
    assert seat.value("f", "a") == ["a", 1]
    assert seat.call("lambda: C()")["error"] == "UnplainError"
    assert seat.call("f", "a")["value"] == ["a", 1]


@pytest.mark.parametrize(
    "patch",
    [
        "import headway.tasks.engine.probe as p\np.plain = p.observe = p.call = lambda *a: C()",
        "import headway.runner.transport as w\nw.pack = w.unpack = 0\n"
        "import headway.runner.serve as s\ns._Seat = 0",
        "import sys; sys.modules.clear()",
        "import builtins; builtins.len = builtins.type = builtins.isinstance = None",
    ],
)
def test_what_breaks_the_seat_itself_gives_plain_data_or_its_end(seat, patch):
    seat.run("class C: pass")
    with contextlib.suppress(EOFError):
        seat.run(patch)
        message = seat.call("lambda: 1")
        assert message["is"] in ("outcome", "lost", "raised")


def test_with_another_thread_alive_answers_are_used_in_the_same_process(seat):
    seat.text(
        "import threading, time\nn = 0\n"
        "threading.Thread(target=time.sleep, args=[60], daemon=True).start()"
    )
    seat.text("def f():\n    global n\n    n += 1\n    return n")
    assert [seat.value("f"), seat.value("f")] == [1, 2]
    seat.text("def loop():\n    while True: pass")
    assert seat.call("loop", seconds=0.3) == {"is": "lost", "why": "time"}
    assert seat.answer("undefined")["is"] == "raised"
    assert seat.value("f") == 3


def test_a_printing_thread_never_breaks_a_frame(seat):
    seat.text(
        "import threading\nstop = False\n"
        "def chatter():\n    while not stop: print('x' * 50)\n"
        "threads = [threading.Thread(target=chatter) for _ in range(3)]\n"
        "for t in threads: t.start()"
    )
    assert seat.value("lambda: 1") == 1
    seat.run("for i in range(50): print(i)")
    seat.run("stop = True\nfor t in threads: t.join()")
    assert seat.text("print('quiet')").endswith("quiet\n")


def test_random_numbers_are_the_same_in_every_seat(new_seat):
    source = (
        "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1))"
    )
    said = set()
    for _ in range(2):
        seat = new_seat()
        with seat.sock:
            said.add(seat.text(source))
    assert len(said) == 1


def test_the_seat_ends_with_the_stream(seat):
    pid = int(seat.text("import os; print(os.getpid())"))
    seat.sock.shutdown(socket.SHUT_WR)
    with pytest.raises(EOFError):
        receive(seat.sock, PATIENCE)
    assert pid > 1
