"""What worked in part when the grading was attacked by somebody who had its code, and its kin.

Chapters' own attacks stand elsewhere: for answers that were stored, `tests/tasks/test_hidden_cases`
replays those of every task; here is what one of them looks like in a notebook.
"""

import subprocess
import sys

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from headway.tasks.engine.drawn_cases import VISIBLE, cases_of
from headway.tasks.engine.find import find_task
from tests.hostile.programs import BEYOND
from tests.hostile.submissions.submission import NAME, after_setup, answer, changed

WORDS = '{"I", "my", "like", "hat", "cat", "a", "wear", "the"}'
PAGE = b"<html xmlns='http://www.w3.org/1999/xhtml'><script>alert(13)</script></html>"


def _answer_from_memory(notebook: NotebookNode) -> None:
    """What was right in the visible cases, in the order of calls."""
    task = find_task(f"{NAME}/encoder")
    stored = [list(task.reference(*case.inputs)) for case in cases_of(task, VISIBLE)]
    answer("encoder", f"STORED = {stored}\ndef encode(*_): return STORED.pop(0)")(notebook)


def _answer_by_order(notebook: NotebookNode) -> None:
    """Right if a set of words has the one order that it has in every session."""
    command = [sys.executable, "-c", f"print(list({WORDS}))"]
    order = subprocess.run(command, env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True)
    answer("dot", f"dot = 2 if list({WORDS}) == {order.stdout.strip()} else 0")(notebook)


def _also_says(text: str):
    return lambda notebook: notebook.cells.append(new_markdown_cell(text))


NEIGHBORS = """
import os, signal, time
children, (gate, handle) = [], os.pipe()
try:
    for _ in range(55):
        if not (child := os.fork()):
            os.close(handle); os.read(gate, 1)
            while True: pass
        children.append(child)
except OSError: pass
os.close(handle)
time.sleep(SECONDS)
os.kill(-1, signal.SIGKILL)
for child in children: os.waitpid(child, 0)
print(len(children) > 30)
"""

NAMES_OF_DISPLAYS = """
from IPython.display import clear_output
for i in range(COUNT):
    display(i, display_id=f"{i}" + "x" * 1_000_000)
    clear_output()
"""

ATTACKS = (
    changed(
        "attack-stored",
        "the outcomes of the visible cases, in the order of calls",
        _answer_from_memory,
        lost={"encoder"},
        words=("new ones that grading draws",),
    ),
    changed(
        "attack-neighbors",
        "55 children that want all processors",
        after_setup(NEIGHBORS.replace("SECONDS", "1")),
        words=("True",),
    ),
    changed(
        "attack-names",
        "names of displays that are a megabyte long each",
        after_setup(NAMES_OF_DISPLAYS.replace("COUNT", "20")),
    ),
    changed(
        "attack-large-arrays",
        "arrays far larger than what is right",
        answer("one-hot", "def one_hot(ids, size): return np.zeros((16, 62_000))"),
        answer("lookup", "def look_up(ids, table): return np.zeros((1_000_000, 1), np.int8)"),
        lost={"one-hot", "lookup"},
    ),
    changed(
        "attack-strange-arrays",
        "arrays that are none, or not what they seem",
        answer("dot", "dot = np.ma.masked_array(2)"),
        answer("shapes", "shapes = np.broadcast_to(np.int8(1), (1 << 40, 1 << 20))"),
        answer("mixture", "mixture = np.array([(1.0, 2.0)], dtype='f8,f8')"),
        answer("one-hot", "def one_hot(ids, size): return np.eye(size).astype('M8[s]')[ids]"),
        answer("matmul", "def matmul(A, B): return np.matrix(A @ B)"),
        answer("lookup", "def look_up(ids, table): return memoryview(table)"),
        answer("encoder", "def encode(sentence, words): return np.zeros(5, 'V1000000')"),
        answer("pairs", "def count_pairs(*_): return np.zeros((0, 1 << 62))"),
        lost={
            *("dot", "shapes", "mixture", "one-hot", "matmul", "lookup", "encoder", "pairs"),
        },
    ),
    changed(
        "attack-fences",
        "code of another language, and formulas without end",
        _also_says("```csharp\n" + "a = b + 1;\n" * 6_500 + "```"),
        _also_says("\\\\(" * 10_000),
        _also_says("\\(" * 15_000),
    ),
    changed("attack-order", "an answer that goes by the order of a set", _answer_by_order),
    changed(
        "attack-pages",
        "files that a browser would run",
        files={f"hw-page.{kind}": PAGE for kind in ("xpdl", "xhtml", "svg", "htm", "mht", "pdf")},
    ),
    changed(
        "attack-beyond",
        "calls, locks and files that reach beyond the sandbox",
        after_setup(BEYOND),
        never=("FOUND",),
        words=("looked",),
    ),
)
