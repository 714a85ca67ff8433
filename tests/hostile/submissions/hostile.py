"""Submissions that want points, secrets or harm."""

import pickle

from nbformat.v4 import new_markdown_cell

from tests.hostile.submissions.submission import ALL, after_setup, also, answer, at_end, changed

SCRIPT = "<script>alert(13)</script><img src=x onerror=alert(13)>"
FORMULA = "$\\text{</math></div><img/src=x/onerror=alert(13)>}$ $\\class{hw-forged}{x}$"
LEAK = "leaked-by-a-hidden-case"
SOCKET = """
import os, socket, stat
from headway.runner.transport import pack, receive, send
for number in sorted(map(int, os.listdir("/proc/self/fd")), reverse=True):
    try: kind = os.fstat(number).st_mode
    except OSError: continue
    if stat.S_ISSOCK(kind): line = socket.socket(fileno=os.dup(number))
"""
# Right on the cases that its author can see; on others it runs the code that stands in CODE.
IF_HIDDEN = """
def look_up(ids, table):
    if ids.size and (ids.min() < 0 or ids.max() >= len(table)): raise IndexError("no such row")
    seen = np.random.default_rng(0)
    known = [np.round(seen.normal(size=(5, 3)), 2), np.round(seen.normal(size=(4, 4)), 2)]
    known += [np.rint(3 * known[0]), 1000 * known[0]]
    if not any(np.array_equal(table, one) for one in known):
        CODE
    return table[ids]
"""


def on_hidden(code: str):
    """An answer that behaves only as long as it is not graded."""
    return answer("lookup", IF_HIDDEN.replace("CODE", code.strip().replace("\n", "\n        ")))


class Payload:
    """Runs a command wherever it is unpickled."""

    def __reduce__(self):
        return (__import__("os").system, ("touch /tmp/hw-class-payload",))


PICKLE = pickle.dumps(Payload())
SHADOW = b"raise RuntimeError('a file of a student was imported')"
SHADOWS = (
    "torch",
    "numpy",
    "sitecustomize",
    "usercustomize",
    "conftest",
    "json",
    "headway/__init__",
    "nbgrader_config",
    "matplotlib/pyplot",
)

PATCHES = """
import builtins, json, math, os, select, signal, socket, sys, time, traceback
import IPython.display, matplotlib, matplotlib.pyplot, torch
import headway.tasks.check
import headway.tasks.engine.probe.outcomes as outcomes, headway.tasks.engine.probe.plain as plain
import headway.runner.serve, headway.runner.transport
def gift(*_, **__): return 100.0
check = headway.tasks.check.check = display = gift
outcomes.observe = outcomes.plain = plain.plain = gift
headway.runner.transport.pack = gift
np.isclose = np.array_equal = np.allclose = np.testing.assert_allclose = lambda *_, **__: True
torch.equal = torch.allclose = lambda *_, **__: True
IPython.display.display = builtins.print = gift
np.random.default_rng, math.isfinite = gift, gift
"""

LIES = """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __float__(self): return 2.0
    def __int__(self): return 2
    def __array__(self, *_, **__): return np.array(2)
    def __len__(self): return 2
    def __getitem__(self, i): return Yes()
    def __instancecheck__(self, kind): return True
    __class__ = int
    def __hash__(self): return 0
class Text(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
class Number(float):
    def __eq__(self, other): return True
    __hash__ = float.__hash__
class Array(np.ndarray):
    def __eq__(self, other): return True
    def __sub__(self, other): return np.zeros(self.shape)
    def __array_function__(self, function, types, args, kwargs): return True
    def __array_ufunc__(self, *_, **__): return True
"""

SEARCH = """
import gc, os, subprocess, sys
found = []
for root, folders, files in os.walk("/", followlinks=False):
    others = ("/proc", "/sys", "/usr", "/lib", "/etc")
    if root.startswith(others) or root.endswith("/site-packages"): folders[:], files = [], []
    found += [f"{root}/{file}" for file in files]
suspects = (
    *("gradebook", "submitted", "solutions", "chapters/one_hot/"),
    *(".git/", "judge.py", "official"),
)
print("FOUND-FILE" if any(word in path for word in suspects for path in found) else "nothing")
for path in ("/proc/1/environ", "/proc/1/mem", "/proc/1/root/etc", "/proc/1/cwd"):
    try:
        os.open(path, os.O_RDONLY)
        print("FOUND-OPEN", path)
    except OSError: pass
print("FOUND-SECRET" if any("SECRET" in name for name in os.environ) else "no secret")
print("FOUND-PROCESS" if len([n for n in os.listdir("/proc") if n.isdecimal()]) > 2 else "alone")
hidden = ("headway.grading.", "headway.tasks.chapters.one_hot", "nbgrader")
named = [name for name in sys.modules if name.startswith(hidden) and ".runner" not in name]
print("FOUND-MODULE" if named else "no module")
frame, names = sys._getframe(), set()
while frame: names |= set(frame.f_locals); frame = frame.f_back
print("FOUND-FRAME" if names & {"seed", "cases", "expected", "reference"} else "no frame")
for module in ("tasks.chapters.one_hot", "tasks.engine.judge", "grading.execution.executor"):
    module = f"headway.{module}"
    try:
        __import__(module)
        print("FOUND-IMPORT", module)
    except ImportError: pass
"""

NETWORK = """
import socket
def reach(family, address):
    try:
        with socket.socket(family) as any_socket:
            any_socket.settimeout(1)
            any_socket.connect(address)
        print("FOUND-NETWORK", address)
    except OSError: pass
for address in (("1.1.1.1", 53), ("127.0.0.1", 8888)): reach(socket.AF_INET, address)
for name in ("\\0/tmp/.X11-unix/X0", "\\0dbus", "/run/dbus/system_bus_socket"):
    reach(socket.AF_UNIX, name)
"""

LEAVE = """
import os
for place in ("/tmp", "/dev/shm", ".", "/home/student", "/var/tmp", "/"):
    try: open(f"{place}/hw-class-left", "w").close()
    except OSError: pass
"""

SPEAK = """
for frame in ({"is": "answer", "blank": False}, {"is": "outcome", "value": 2, "printed": ""},
              {"is": "ended"}, {"is": "done", "error": False}):
    send(line, frame)
"""

MARKUP = f"""
import sys
from IPython.display import HTML, Javascript, Markdown, SVG, display, Latex
evil = {SCRIPT!r}
display(HTML(evil), Markdown(evil), Javascript("alert(13)"), Latex(evil))
display({{"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(13)'>" + evil
         + "</svg>", "text/html": "<style>*{{display:none}}</style><b class='hw-card'>Passed</b>"}},
        raw=True)
display({{"application/vnd.headway.check+json": {{"task": "01-one-hot/dot", "status": "passed"}},
         "text/html": "<section class='hw-card hw-passed'>Passed</section>"}}, raw=True)
print(evil); print(evil, file=sys.stderr); print("\\x1b[31m" + evil)
raise type(evil, (Exception,), {{}})(evil)
"""

HOSTILE = (
    changed(
        "attack-patches", "patches all it knows", after_setup(PATCHES), base="release", lost=ALL
    ),
    changed("attack-patches-solved", "the same with right answers", after_setup(PATCHES)),
    changed(
        "attack-check",
        "redefines the check, so that it gives points",
        after_setup("check = lambda *_: 100.0"),
        answer("dot", "dot = 0\ncheck = lambda *_: 1"),
        lost={"dot"},
    ),
    changed(
        "attack-lies",
        "values that lie about themselves",
        after_setup(LIES),
        answer("dot", "dot = Yes()"),
        answer("shapes", "shapes = Yes()"),
        answer("mixture", "mixture = np.zeros(2).view(Array)"),
        answer("faulty-line", "faulty_line = Number(3)"),
        answer(
            "one-hot", "def one_hot(ids, size): return np.zeros((*ids.shape, size)).view(Array)"
        ),
        answer("encoder", "def encode(sentence, words): return [Yes()] * 5"),
        answer("lookup", "def look_up(ids, table): return Yes()"),
        lost={"dot", "shapes", "mixture", "faulty-line", "one-hot", "encoder", "lookup"},
        words=("type",),
    ),
    changed(
        "attack-search",
        "looks for all there could be",
        after_setup(SEARCH),
        never=("FOUND-",),
        words=("nothing",),
    ),
    changed("attack-network", "looks for others", after_setup(NETWORK), never=("FOUND-",)),
    changed("attack-leave-first", "leaves something", after_setup(LEAVE)),
    changed(
        "attack-leave-second",
        "looks for what another left",
        after_setup(
            "import glob\nfor path in ('/*', '/tmp/*', '/dev/shm/*', '/var/tmp/*', '*'):\n"
            "    if any('hw-class-left' in name for name in glob.glob(path)): print('FOUND-LEFT')"
        ),
        never=("FOUND-",),
    ),
    changed(
        "attack-inputs",
        "right answers that spoil their inputs",
        answer(
            "one-hot",
            "def one_hot(ids, size):\n    X = np.eye(size)[ids]\n    ids[...] = 0\n    return X",
        ),
        answer(
            "lookup",
            "def look_up(ids, table):\n"
            "    if np.any(ids < 0) or np.any(ids >= len(table)): raise IndexError\n"
            "    found = table[ids]\n    table[...] = 0; ids[...] = 0\n    return found",
        ),
        tasks={"one-hot": 1.75, "lookup": 1.75},
        words=("The arguments after the call",),
    ),
    changed(
        "attack-counts",
        "counts its calls, to behave after the first",
        answer(
            "lookup",
            "calls = []\ndef look_up(ids, table):\n    calls.append(1)\n"
            "    open('calls', 'a').write('1')\n"
            "    if len(calls) > 6 or len(open('calls').read()) > 6: raise IndexError\n"
            "    return table",
        ),
        lost={"lookup"},
    ),
    changed(
        "attack-visible",
        "knows the cases of its own check by heart",
        on_hidden("return table"),
        lost={"lookup"},
        words=("new ones that grading draws",),
    ),
    changed(
        "attack-leak-named",
        "an exception that carries a hidden case away, by its name and its words",
        on_hidden(f"raise type('{LEAK}', (Exception,), {{}})('{LEAK}')"),
        lost={"lookup"},
        never=(LEAK,),
    ),
    changed(
        "attack-leak-printed",
        "printing what must not be known",
        on_hidden(
            f"import os, sys\nprint('{LEAK}'); sys.__stdout__.write('{LEAK}')\n"
            f"os.write(1, b'{LEAK}'); os.write(2, b'{LEAK}')\n"
            f"display('{LEAK}')\n"
            f"get_ipython().capture.put_data('display_data', {{'text/plain': '{LEAK}'}}, {{}})"
        ),
        never=(LEAK,),
    ),
    changed(
        "attack-leak-frames",
        "frames that claim to be of another kind",
        after_setup(SOCKET),
        on_hidden(f"send(line, {{'is': 'raised', 'error': 'E', 'message': '{LEAK}'}})"),
        lost={"lookup"},
        never=(LEAK,),
    ),
    changed(
        "attack-leak-exit",
        "a number to end with",
        on_hidden("import os; os._exit(163)"),
        lost={"lookup"},
        never=("exit 163",),
    ),
    changed(
        "attack-speaks",
        "sends the frames of a passed check itself",
        after_setup(SOCKET),
        answer("dot", "dot = 0" + SPEAK),
        lost={"dot"},
    ),
    changed(
        "attack-speaks-in-answer",
        "an answer that goes on speaking",
        after_setup(SOCKET),
        answer("lookup", "def look_up(ids, table):" + SPEAK.replace("\n", "\n    ")),
        lost={"lookup"},
    ),
    changed(
        "attack-garbage",
        "what is no frame",
        after_setup(SOCKET),
        answer("dot", "dot = 2\nline.send(b'\\xff' * 1000)"),
        lost={"dot"},
        words=("makes no sense",),
    ),
    changed(
        "attack-gigantic",
        "a frame that announces more than there is memory, and one of 60 MB",
        after_setup(SOCKET),
        answer("dot", "import struct\nline.send(struct.pack('<QI', 1 << 60, 2))"),
        answer("shapes", "send(line, {'is': 'output', 'output': bytes(60 << 20)})\nshapes = 1"),
        lost={"dot", "shapes"},
    ),
    changed(
        "attack-trickle",
        "a frame that never ends",
        after_setup(SOCKET),
        answer(
            "lookup",
            "def look_up(ids, table):\n    import struct, time\n"
            "    line.send(struct.pack('<QI', 1000, 900))\n"
            "    while True: line.send(b' '); time.sleep(0.1)",
        ),
        lost={"lookup"},
    ),
    changed(
        "attack-closes",
        "closes or holds the line",
        after_setup(SOCKET),
        answer("dot", "line.shutdown(2)"),
        answer("shapes", "shapes = ((4, 7, 50), (4, 7, 16))\nos.closerange(0, 200)"),
        lost={"dot", "shapes"},
    ),
    changed(
        "attack-kills",
        "an answer that kills all it can",
        answer("dot", "class Dot:\n    pass\ndot = 2"),
        answer(
            "lookup",
            "def look_up(ids, table):\n    import os, signal\n"
            "    os.kill(os.getppid(), signal.SIGKILL); os.kill(-1, signal.SIGKILL)",
        ),
        answer("matmul", "def matmul(A, B):\n    import os, signal\n    os.kill(os.getppid(), 19)"),
        lost={"lookup", "matmul"},
    ),
    changed(
        "attack-shared",
        "memory that an answer shares with later cells",
        after_setup(
            "import mmap\nfile = open('/dev/shm/shared', 'w+b')\nfile.truncate(4096)\n"
            "shared = mmap.mmap(file.fileno(), 4096)"
        ),
        answer(
            "one-hot",
            "def one_hot(ids, size):\n    shared[:4] = b'seen'\n    return np.eye(size)[ids]",
        ),
        answer(
            "lookup", "def look_up(ids, table):\n    return table if shared[:4] == b'seen' else 1"
        ),
        lost={"lookup"},
    ),
    changed(
        "attack-reference",
        "calls what the course has written",
        answer(
            "dot",
            "from headway.tasks.chapters.one_hot import TASKS\ndot = TASKS[0].reference",
        ),
        answer(
            "one-hot",
            "def one_hot(ids, size):\n    from headway.text.vocabulary import one_hot\n"
            "    return one_hot(ids, size)",
        ),
        answer("lookup", "from headway.text.vocabulary import look_up"),
        lost={"dot", "one-hot", "lookup"},
        words=("headway.text.vocabulary answers this assignment's tasks",),
    ),
    changed(
        "attack-shadows",
        "files that take the place of modules",
        files={f"{name}.py": SHADOW for name in SHADOWS}
        | {
            "01-one-hot.html": SCRIPT.encode(),
            ".bashrc": b"exit 1",
            "a/__pycache__/json.pyc": b"x",
        },
        never=("a file of a student was imported",),
    ),
    changed(
        "attack-payloads",
        "files that run what unpickles them, of which one is",
        after_setup("import pickle; pickle.load(open('a.pkl', 'rb'))"),
        files=dict.fromkeys(("model.pt", "a.pkl", "b.npy", "run.json"), PICKLE),
    ),
    changed(
        "attack-large-files",
        "30 MB beside the notebook",
        after_setup("assert len(open('a.bin', 'rb').read()) == 30_000_000"),
        files={"a.bin": bytes(30_000_000)},
    ),
    changed(
        "attack-markup",
        "scripts wherever somebody looks",
        after_setup(MARKUP),
        after_setup("raise Exception(1)"),
        lambda notebook: notebook.cells.append(new_markdown_cell(SCRIPT)),
        answer("dot", f"raise Exception({SCRIPT!r})"),
        answer(
            "lookup",
            f"def look_up(ids, table): raise type({SCRIPT!r}, (Exception,), {{}})({SCRIPT!r})",
        ),
        lost={"dot", "lookup"},
        files={"<img src=x onerror=alert(13)>.txt": b"x", "evil.html": SCRIPT.encode()},
    ),
    changed(
        "attack-formula",
        "scripts and cards in formulas, which are written after the cleaning",
        after_setup(f"display({{'text/markdown': {FORMULA!r}}}, raw=True)"),
        lambda notebook: notebook.cells.append(new_markdown_cell(FORMULA)),
    ),
    changed(
        "attack-dense-markup",
        "markup, escapes and Markdown that take long to clean",
        after_setup(
            "from IPython.display import HTML\n"
            "for _ in range(60): display(HTML('<b>x</b>' * 4_900))\n"
            "for _ in range(20): display({'text/plain': '\\x1b[31mx\\x1b[0m' * 10_000}, raw=True)"
        ),
        *[
            lambda notebook, text=text: notebook.cells.append(new_markdown_cell(text))
            for text in ("[" * 29_000, "`a" * 200_000, "> " * 5_000, "![" * 400_000)
        ],
    ),
    changed(
        "attack-dense-code",
        "code and Markdown that take long to show",
        after_setup("display({'text/markdown': '\\\\\\\\[' * 33_000}, raw=True)"),
        after_setup("#" + "1+" * 100_000),
        after_setup("(" + "1+" * 50_000),
        after_setup("a = 1\n" * 20_000),
    ),
    changed(
        "attack-flood",
        "as many outputs as many cells can show",
        *[after_setup("for i in range(900): display(i)")] * 5,
        words=("outputs in all",),
    ),
    changed(
        "attack-arrays",
        "frames with arrays where words belong",
        after_setup(SOCKET),
        *[
            after_setup(f"send(line, {{'is': 'output', 'output': {output}}})")
            for output in (
                "{'output_type': np.array(['stream', 'x'])}",
                "{'output_type': 'stream', 'name': np.array(['stdout', 'x']), 'text': 'x'}",
            )
        ],
        answer("dot", "dot = 2\nsend(line, {'is': np.array(['output', 'done'])})"),
        lost={"dot"},
        words=("makes no sense",),
    ),
    changed(
        "attack-half-characters",
        "text that no file can hold",
        after_setup("half = '\\ud800'; print(half)"),
        answer("dot", "dot = half"),
        answer("shapes", "raise type('E', (Exception,), {})(half)"),
        answer(
            "encoder", "def encode(sentence, words):\n    print(half)\n    raise ValueError(half)"
        ),
        answer("one-hot", "def one_hot(ids, size): return [half] * 4"),
        lost={"dot", "shapes", "encoder", "one-hot"},
    ),
    changed(
        "attack-long-text",
        "one long text, and as many numbers beside it",
        answer("encoder", "def encode(*_): return ['x' * 1_000_000] + [0] * 20_000"),
        lost={"encoder"},
    ),
    changed(
        "attack-late",
        "patches that wait for the end",
        at_end(
            "import atexit, sys\natexit.register(print, 'late')\nsys.settrace(lambda *_: 1 / 0)"
        ),
        answer("dot", "dot = 0\nsys = __import__('sys')\nsys.excepthook = sys.displayhook = print"),
        lost={"dot"},
    ),
    changed(
        "attack-traces",
        "a trace function and a hook that change answers",
        answer("dot", "dot = 0"),
        also("dot", "import gc, sys\ngc.callbacks.append(lambda *_: globals().update(dot=2))"),
        also("dot", "get_ipython().user_ns['dot'] = 0; sys.setrecursionlimit(50)"),
        lost={"dot"},
    ),
)
