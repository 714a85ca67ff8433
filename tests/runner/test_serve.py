import contextlib
import socket

import numpy as np
import psutil
import pytest
import torch

from headway.runner.transport import receive, send
from headway.tasks.engine.probe.verbs import VERBS
from tests.hostile.programs import wait_for
from tests.runner.conftest import PATIENCE


def is_over(number: int) -> bool:
    """Whether a process has ended; nobody may have waited for it yet."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(number).status() == psutil.STATUS_ZOMBIE
    return True


def test_a_cell_streams_its_outputs_and_keeps_its_names(session):
    assert session.text("x = 20\nprint('hello')") == "hello\n"
    outputs, error = session.run("x + 1")
    assert outputs[0]["data"]["text/plain"] == "21"
    assert outputs[0]["execution_count"] == 2
    assert not error
    assert session.run("1 / 0")[1]


def test_output_arrives_while_the_cell_still_runs(session, tmp_path):
    source = (
        "import time\nfrom pathlib import Path\nprint('a')\n"
        f"while not Path({str(tmp_path / 'seen')!r}).exists(): time.sleep(0.01)\nprint('b')"
    )
    send(session.sock, {"do": "run", "source": source, "seconds": PATIENCE})
    assert receive(session.sock, PATIENCE)["output"]["text"].strip() == "a"
    (tmp_path / "seen").touch()
    assert receive(session.sock, PATIENCE)["output"]["text"].strip() == "b"
    assert receive(session.sock, PATIENCE)["is"] == "done"


def test_files_lie_in_the_working_directory(session, tmp_path):
    session.text(f"import os; os.chdir({str(tmp_path)!r})")
    files = {"a/b.txt": b"text", "c.bin": bytes(range(256))}
    assert session.ask(do="files", files=files) == {"is": "ready"}
    assert (tmp_path / "a/b.txt").read_bytes() == b"text"
    assert (tmp_path / "c.bin").read_bytes() == bytes(range(256))


def test_an_answer_is_put_to_use_with_what_comes_over_the_wire(session):
    session.text("import numpy as np, torch\ndef double(x): print('doubling'); return 2 * x")
    outcome = session.call("double", np.arange(3))
    assert outcome["value"].tolist() == [0, 2, 4]
    assert outcome["printed"] == "doubling\n"
    assert session.value("lambda x: x.sum().item()", torch.ones(2, 2)) == 4
    assert session.value("lambda x: x + 1", torch.ones(2)).tolist() == [2, 2]


MODULE = "type('Seven', (__import__('torch').nn.Module,), {'forward': lambda self, *x: 7})"
ASKED = {
    "value": ("7", [], 7),
    "call": ("lambda: 7", [], 7),
    "use": ("dict", [[], ("__len__",)], {"__len__()": 0}),
    "forward": (MODULE, [(), {}, ()], 7),
    "call_then_look": ("lambda x: x.append(2)", [[1]], [[1, 2]]),
    "call_then_spoil": ("lambda x: x", [[1]], []),
    "call_part": ("[abs, lambda x: x + 1]", [1, 4], 5),
    "call_each": ("lambda x: x + 1", [[[1], [4]]], [2, 5]),
    "call_by_length": ("lambda xs: [len(x) for x in xs]", [["ab", "c"]], [1]),
    "call_for_last": ("lambda xs: [len(x) for x in xs]", [[["ab", "c"]]], [2, 1]),
    "ask_and_count": ("lambda row, x: row(x).tolist()", [np.eye(2)[None], [[1]]], [[[0, 1], 1, 1]]),
    "ask_and_note": ("lambda ask, x: x", [None, 7], [7, []]),
    "ask_then_look": ("lambda ask, x: x.append(2)", [None, [1]], [[1, 2]]),
    "use_then_look": ("list", [[[1]], ("append", [2])], [[[1]], ["append", [2]]]),
    "forward_then_look": (MODULE, [(), {}, ([1],)], [[1]]),
}


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_can_be_asked_for(session, verb):
    expression, inputs, expected = ASKED[verb]
    session.answer(expression)
    assert session.ask(do="ask", verb=verb, inputs=inputs)["value"] == expected


# What stands in the place of a table, and whether an array is in reach of it.
REACHES = """
def reaches(row, i):
    import gc, numpy
    seen, left = set(), [row]
    while left:
        one = left.pop()
        if isinstance(one, numpy.ndarray) and one.size == 27:
            return "the table"
        if id(one) not in seen and type(one).__name__ != "module" and len(seen) < 3_000:
            seen.add(id(one))
            left += gc.get_referents(one)
    return row(i, 0).tolist()
"""


def test_a_table_that_the_other_side_keeps_is_asked_for_row_by_row(session):
    tables = np.arange(54.0).reshape(2, 3, 3, 3)
    session.text(REACHES)
    session.answer("reaches")
    said = session.ask(do="ask", verb="ask_and_count", inputs=[[[2], [1]]], kept=[2, 3, 3, 3])
    asked = []
    while said["is"] == "question":
        asked.append((said["table"], *said["place"]))
        send(session.sock, {"row": tables[asked[-1]]}, PATIENCE)
        said = receive(session.sock, PATIENCE)
    assert asked == [(0, 2, 0), (1, 1, 0)]
    assert [result for result, *_ in said["value"]] == [[18, 19, 20], [36, 37, 38]]


READS = """
def reads(read, x):
    try:
        read(x.numpy().tolist(), 5)
    except IndexError as error:
        said = str(error)
    return [read(x).sum(), said]
"""


def test_a_function_that_the_other_side_keeps_is_asked_over_the_wire(session):
    session.text(READS)
    session.answer("reads")
    said = session.ask(do="ask", verb="ask_and_note", inputs=[torch.ones(2)], kept=None)
    assert said == {"is": "question", "given": [[1.0, 1.0], 5]}
    send(session.sock, {"refused": ["IndexError", "no such row"]}, PATIENCE)
    said = receive(session.sock, PATIENCE)
    assert said["given"][0].tolist() == [1, 1]
    send(session.sock, {"told": torch.ones(2, 2)}, PATIENCE)
    said = receive(session.sock, PATIENCE)
    assert said["value"] == [[4.0, "no such row"], [[2], [2]]]


@pytest.mark.parametrize(("expression", "blank"), [("None", True), ("...", True), ("0", False)])
def test_an_answer_says_whether_it_is_blank(session, expression, blank):
    assert session.answer(expression) == {"is": "answer", "blank": blank}


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("undefined", "NameError"),
        ("1 +", "SyntaxError"),
        ("1/0", "ZeroDivisionError"),
        ("\0", None),
    ],
)
def test_an_expression_that_fails_is_told_and_the_session_goes_on(session, expression, name):
    told = session.answer(expression)
    assert told["is"] == "raised"
    assert name in (None, told["error"])
    assert told["traceback"]
    assert session.value("lambda: 1") == 1


def test_an_exception_in_a_call_is_an_outcome(session):
    session.text("import sys\ndef f(x): print('before'); raise ValueError('bad ' + x)")
    outcome = session.call("f", "input")
    assert (outcome["error"], outcome["message"]) == ("ValueError", "bad input")
    assert outcome["printed"] == "before\n"
    assert session.call("lambda: sys.exit(3)")["error"] == "SystemExit"


def test_a_value_that_the_wire_does_not_carry_is_an_outcome(session):
    assert session.call("lambda: [[0] * 1_000_000] * 3")["error"] == "UnplainError"
    assert session.call("lambda: object()")["error"] == "UnplainError"
    assert session.call("lambda: 10 ** 5000")["error"] == "UnplainError"


def test_what_a_call_changes_reaches_no_later_cell_or_answer(session):
    session.text(
        "import numpy as np\nkept = []\n"
        "def f(x): kept.append(x); np.pi = 3; return len(kept), np.random.rand()"
    )
    first = session.value("f", 1)
    assert first[0] == 1
    assert session.value("f", 1) == first
    assert session.text("print(kept, np.pi > 3.1)") == "[] True\n"


def test_one_answer_keeps_its_state_between_its_calls(session):
    session.text("calls = []\ndef f(): calls.append(1); return len(calls)")
    session.answer("f")
    assert [session.ask(do="ask", verb="call", inputs=[])["value"] for _ in range(3)] == [1, 2, 3]


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


def test_an_answer_that_nobody_ends_is_lost_to_time(session):
    told = session.answer("1", seconds=0.3)
    if told["is"] == "answer":  # else it is lost already
        told = receive(session.sock, PATIENCE)
    assert told == {"is": "lost", "why": "time"}
    send(session.sock, {"do": "ask", "verb": "value", "inputs": []})  # too late
    send(session.sock, {"do": "end"})
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
        "import time; time.sleep(600)",
        "import asyncio; await asyncio.sleep(600)",
        "for i in range(10**9): print(i)",
        "from IPython.display import display\nwhile True: display(1)",
        "try:\n  while True: pass\nfinally: print('cleaned up')",
        "!sleep 600",
    ],
)
def test_a_cell_beyond_its_time_is_stopped_and_the_session_goes_on(session, source):
    outputs, error = session.run(source, seconds=0.5)
    assert error
    told = [output for output in outputs if output["output_type"] == "error"]
    assert [output["ename"] for output in told] == ["CellTimeoutError"]
    assert told[0]["evalue"] == "the cell took more than 0.5 seconds and was stopped"
    assert session.text("print('fine')") == "fine\n"


def test_an_interruption_that_is_swallowed_once_comes_again(session):
    source = "try:\n  while True: pass\nexcept KeyboardInterrupt: pass\nwhile True: pass"
    assert session.run(source, seconds=0.3)[0][-1]["ename"] == "CellTimeoutError"


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
        "from headway.tasks.engine.probe import calls as c, outcomes as o\n"
        "o.plain = o.observe = c.plain = c.call = lambda *a: C()",
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


def test_random_numbers_are_the_same_in_every_session(new_session):
    source = (
        "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1))"
    )
    said = set()
    for _ in range(2):
        session = new_session()
        with session.sock:
            said.add(session.text(source))
    assert len(said) == 1


def test_the_session_ends_with_the_stream(session):
    pid = int(session.text("import os; print(os.getpid())"))
    session.sock.shutdown(socket.SHUT_WR)
    with pytest.raises(EOFError):
        receive(session.sock, PATIENCE)
    assert pid > 1
