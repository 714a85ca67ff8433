"""Submissions that take all they can get."""

from collections.abc import Callable
from dataclasses import replace

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from tests.grading.classroom import cell_named
from tests.hostile.programs import SOCKETS
from tests.hostile.submissions.submission import after_setup, also, answer, changed

SWALLOW = """
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True:
    try:
        while True: pass
    except BaseException: pass
"""

IN_LOOKUP = "def look_up(ids, table):\n    "


def slow_before(grade_id: str) -> Callable[[NotebookNode], None]:
    """Runs a slow cell before an answer."""

    def change(notebook: NotebookNode) -> None:
        place = notebook.cells.index(cell_named(notebook, grade_id))
        notebook.cells.insert(place, new_code_cell("import time; time.sleep(3)"))

    return change


def _lookup(code: str) -> str:
    return IN_LOOKUP + code.strip().replace("\n", "\n    ")


# Not one of the class: it needs a limit on the whole notebook that others might reach by bad luck.
SLOW = replace(
    changed("hungry-slow", "ten slow cells, a few too many", *[slow_before("mixture")] * 10),
    status="set-aside",
    words=("take more than 16 seconds",),
)
HUNGRY = (
    changed(
        "hungry-loop",
        "an endless loop in a cell, and one in an answer",
        answer("dot", "dot = 2\nwhile True: pass"),
        answer("lookup", _lookup("while True: pass")),
        lost={"lookup"},
        words=("computed or slept for more than 4 seconds",),
    ),
    changed(
        "hungry-stubborn",
        "an endless loop that swallows what it can",
        answer("dot", "dot = 2" + SWALLOW),
        lost={"dot"},
        words=("computed or slept for more than 4 seconds",),
    ),
    changed(
        "hungry-stubborn-answer",
        "an answer that does the same",
        answer("lookup", _lookup(SWALLOW)),
        lost={"lookup"},
        words=("computed or slept for more than 4 seconds",),
    ),
    changed(
        "hungry-input",
        "questions to nobody",
        answer("dot", "dot = int(input())"),
        answer("shapes", "breakpoint()\nshapes = 1"),
        answer("mixture", "1 / 0"),
        after_setup("import getpass; getpass.getpass()"),
        after_setup("%debug"),
        after_setup("import sys; sys.stdin.read()"),
        answer("lookup", _lookup("return input()")),
        lost={"dot", "shapes", "mixture", "lookup"},
        words=("input",),
    ),
    changed(
        "hungry-exits",
        "every way to end",
        answer("dot", "import os; os._exit(0)"),
        answer("shapes", "import ctypes; ctypes.string_at(0)"),
        answer("mixture", "import sys; sys.exit(0)"),
        answer("vocabulary", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),
        answer("one-hot", "def one_hot(ids, size): import os; os._exit(0)"),
        answer("matmul", "def matmul(A, B): import ctypes; ctypes.string_at(0)"),
        answer("lookup", "def look_up(ids, table): raise SystemExit(0)"),
        lost={"dot", "shapes", "mixture", "vocabulary", "one-hot", "matmul", "lookup"},
        words=("its process ended", "signal 11"),
    ),
    changed(
        "hungry-memory",
        "memory in one block and in many, in a cell and in an answer",
        answer("dot", "dot = np.ones(1 << 40)"),
        answer("shapes", "shapes = []\nwhile True: shapes.append(bytearray(1 << 20))"),
        answer("lookup", _lookup("x = []\nwhile True: x.append(bytearray(1 << 20))")),
        lost={"dot", "shapes", "lookup"},
        words=("Memory",),
    ),
    changed(
        "hungry-children",
        "memory in children, and shared",
        answer(
            "dot",
            "import mmap, os, time\n"
            "for _ in range(8):\n"
            "    if not os.fork():\n"
            "        block = bytearray(b'x') * (100 << 20); time.sleep(60); os._exit(0)\n"
            "time.sleep(60)",
        ),
        answer(
            "shapes",
            "import mmap\nblock = mmap.mmap(-1, 1 << 30)\n"
            "for i in range(0, 1 << 30, 4096): block[i] = 1",
        ),
        lost={"dot", "shapes"},
        words=("512 MB of memory",),
    ),
    changed(
        "hungry-forks",
        "a fork bomb, in a cell and in an answer",
        # Who of all is refused one more is the scheduler's choice; what comes of it is the same.
        answer(
            "dot",
            "import os\ndot = 0\ntry:\n    while True: os.fork()\nexcept BaseException: pass",
        ),
        answer(
            "lookup",
            _lookup("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"),
        ),
        lost={"dot", "lookup"},
    ),
    changed(
        "hungry-threads",
        "a thread bomb, and one that goes on",
        # The threads end: beside so many, the cells below may not get the memory that they need.
        answer(
            "dot",
            "import threading\nend = threading.Event()\ntry:\n"
            "    while True: threading.Thread(target=end.wait).start()\n"
            "except RuntimeError: dot = 2\nend.set()",
        ),
    ),
    changed(
        "hungry-daemon",
        "what shall outlive the run",
        after_setup(
            "import atexit, os, subprocess, sys, threading, time\n"
            "if not os.fork():\n"
            "    os.setsid()\n"
            "    if not os.fork(): time.sleep(1000)\n"
            "    os._exit(0)\n"
            "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)  # hw-class'],"
            " start_new_session=True)\n"
            "atexit.register(time.sleep, 1000)\n"
            "class Late:\n"
            "    def __del__(self): time.sleep(1000)\n"
            "late = Late()\n"
            "threading.Thread(target=time.sleep, args=(1000,)).start()"
        ),
    ),
    changed(
        "hungry-files",
        "all the space, all the files, all the descriptors",
        after_setup(
            "for place in ('/tmp', '/dev/shm', '.'):\n"
            "    try:\n"
            "        for n in range(100):\n"
            "            with open(f'{place}/{n}', 'wb') as file: file.write(bytes(4 << 20))\n"
            "    except OSError: pass\n"
            "    import glob, os\n"
            "    for name in glob.glob(f'{place}/[0-9]*'): os.unlink(name)\n"
            "kept = []\n"
            "try:\n"
            "    while True: kept.append(open('/dev/null'))\n"
            "except OSError: pass"
        ),
        # The next cell cannot import anything, until the files are closed.
        also("dot", "kept.clear()"),
    ),
    changed(
        "hungry-output",
        "output without end, by every way",
        after_setup("import os\nwhile True: os.write(1, b'x' * 100_000)"),
        after_setup("print('x' * 50_000_000)"),
        after_setup("for i in range(1_000_000): display(i)"),
        after_setup("for i in range(300_000): print(i, flush=True)"),
    ),
    changed(
        "hungry-numbers",
        "numbers that are none",
        answer("dot", "dot = float('nan')"),
        answer("mixture", "mixture = [float('inf'), 1e308 * 10]"),
        answer("shapes", "shapes = 10 ** 5000"),
        answer("one-hot", "def one_hot(ids, size): return np.eye(size, dtype=object)[ids]"),
        answer("matmul", "def matmul(A, B): return [[1], [2, 3], ..., 5e-324]"),
        answer("lookup", "def look_up(ids, table): return table[ids].astype('S8')"),
        answer("encoder", "def encode(sentence, words): return [10 ** 400] * 3"),
        answer("by-code", "def predict_by_code(*_): return np.full(200, np.nan)"),
        answer("by-one-hot", "def predict_by_one_hot(a, b, c): return np.full(len(c), np.nan)"),
        answer("pairs", "def count_pairs(ids, size): return np.full((size, size), 1e308) * 10"),
        lost={"dot", "mixture", "shapes", "one-hot", "matmul", "lookup", "encoder", "by-code"}
        | {"by-one-hot", "pairs"},
        words=("Python objects",),
    ),
    changed(
        "hungry-giants",
        "answers as large as they may be",
        answer("one-hot", "def one_hot(ids, size): return [0.5] * 110_000"),
        answer("lookup", "def look_up(ids, table): return np.zeros(900_000)"),
        answer("pairs", "def count_pairs(*_): return {str(n): [n] for n in range(55_000)}"),
        lost={"one-hot", "lookup", "pairs"},
    ),
    changed(
        "hungry-sockets",
        "memory that waits in sockets",
        answer("dot", SOCKETS),
        lost={"dot"},
        words=("512 MB of memory",),
    ),
)
