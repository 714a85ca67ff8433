import socket

import numpy as np
import pytest
import torch

from headway.runner.transport import receive, send
from headway.tasks.engine.probe.verbs import VERBS
from tests.runner.conftest import PATIENCE


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
    "call_for_slope": ("lambda x: (x * x, 7)", [torch.tensor(3.0)], [9, 7, 6]),
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
    ("expression", "names"),
    [
        ("undefined", ["NameError"]),
        ("1 +", ["SyntaxError"]),
        ("1/0", ["ZeroDivisionError"]),
        ("\0", ["SyntaxError", "ValueError"]),
    ],
)
def test_an_expression_that_fails_is_told_and_the_session_goes_on(session, expression, names):
    told = session.answer(expression)
    assert told["is"] == "raised"
    assert told["error"] in names
    assert told["traceback"]
    assert session.value("lambda: 1") == 1


def test_an_exception_in_a_call_and_a_value_that_is_not_carried_are_outcomes(session):
    session.text("import sys\ndef f(x): print('before'); raise ValueError('bad ' + x)")
    outcome = session.call("f", "input")
    assert (outcome["error"], outcome["message"]) == ("ValueError", "bad input")
    assert outcome["printed"] == "before\n"
    assert session.call("lambda: sys.exit(3)")["error"] == "SystemExit"
    for value in ("[[0] * 1_000_000] * 3", "object()", "10 ** 5000"):
        assert session.call(f"lambda: {value}")["error"] == "UnplainError"


def test_an_answer_keeps_its_state_between_its_calls_and_leaves_none_to_others(session):
    session.text(
        "import numpy as np\nkept = []\n"
        "def f(x): kept.append(x); np.pi = 3; return len(kept), np.random.rand()"
    )
    session.answer("f")
    first, second = (session.ask(do="ask", verb="call", inputs=[1])["value"] for _ in range(2))
    assert session.ask(do="end") == {"is": "ended"}
    assert (first[0], second[0]) == (1, 2)
    assert session.value("f", 1) == first
    assert session.text("print(kept, np.pi > 3.1)") == "[] True\n"


def test_the_session_ends_with_the_stream(session):
    session.text("1")
    session.sock.shutdown(socket.SHUT_WR)
    with pytest.raises(EOFError):
        receive(session.sock, PATIENCE)
