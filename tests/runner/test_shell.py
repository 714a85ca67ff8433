import json
import re
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from headway.runner.output_capture import (
    MAX_CELL_OUTPUT,
    MAX_OUTPUTS,
    OutputCapture,
    Stream,
)

FRAME = """
class Table:
    def __repr__(self): return "a table"
    def _repr_html_(self): return "<table><tr><td>1</td></tr></table>"
Table()
"""
BUNDLE = """
class Bundle:
    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"text/plain": "plain", "application/json": {"a": [1, None]}}
        return data, {"text/plain": {"x": 1}}
display(Bundle())
"""
FIGURE = """
import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.title("title")
print("before the figure");
"""
UPDATE = """
from IPython.display import HTML, clear_output, display
print("gone"); clear_output(wait=True)
handle = display(HTML("<b>first</b>"), display_id="mine")
handle.update(HTML("<i>second</i>"))
"""
SHOWS_ITSELF = """
class Own:
    def _ipython_display_(self): print("shown by itself")
Own()
"""
WARNS = "import warnings\nwarnings.warn('careful')\nimport logging\nlogging.warning('logged')"
DEEP = "def f(n):\n    return 1 / n\n\ndef g():\n    f(0)\n\ng()"
CAUSE = "try:\n    {}['a']\nexcept KeyError as error:\n    raise ValueError('outer') from error"
REPR = "class Bad:\n    def __repr__(self): raise OSError('no repr')\nBad()"
HTML = (
    "class Bad2:\n    def _repr_html_(self): return 1 / 0\n    __repr__ = lambda s: 'bad'\nBad2()"
)
CELLS = [
    "1 + 1",
    "_ + _1",
    "7;",
    "print('out'); import sys; print('err', file=sys.stderr); print('out again')",
    "'text', None",
    "None",
    "In[1], Out[1]",
    FRAME,
    BUNDLE,
    FIGURE,
    "plt.plot([3, 1]); plt.show(); 'after'",
    "%matplotlib inline\nplt.scatter([1], [2]);",
    UPDATE,
    SHOWS_ITSELF,
    WARNS,
    "import asyncio\nawait asyncio.sleep(0.001)\n'awaited'",
    "asyncio.get_running_loop().is_running()",
    DEEP,
    CAUSE,
    REPR,
    HTML,
    "def f(:\n    pass",
    "undefined_name",
    "%no_such_magic",
    "%%writefile made.txt\nsome text",
    "!cat made.txt; echo",
    "lines = !echo one; echo two\nlines",
    "%%bash\necho from bash",
    "%%bash\nexit 3",
    "%%capture kept\nprint('hidden')",
    "kept.stdout",
    "%time 5",
    "input('name? ')",
    "import getpass\ngetpass.getpass()",
    "sys.exit(3)",
    "raise SystemExit",
    "raise KeyboardInterrupt",
    "print('a\\rb\\x1b[31mred\\x1b[0m')",
    "'a\0b'",
    "import math as m\nm.pi",
    "?no_such_thing",
    "get_ipython().run_cell('1/0');",
    "%run made.txt",
    "import pandas_that_is_not_there",
    "from math import pi as π\nπ > 3",
    "  indented = 1\n  indented",
    "display({'a': 1}, [2], metadata={'m': 1})",
]


def run_cells(cells: list[str], folder: Path) -> list:
    """[outputs, error] of each cell in the shell."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("cells.py"))],
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def cells(session, tmp_path):
    """Runs cells in one shell; gives the outputs of the last."""

    def run(*sources: str) -> list:
        session.run(f"%cd -q {tmp_path}")
        return [session.run(source)[0] for source in sources][-1]

    return run


def applied(outputs: list[dict]) -> list[dict]:
    """What a cell shows in the end: streams joined, what was cleared gone, updates made."""
    shown = []
    for output in outputs:
        output = dict(output)
        kind, name = output["output_type"], output.pop("transient", {}).get("display_id")
        if kind == "clear_output":
            shown.clear()
        elif kind == "update_display_data":
            for old in shown:
                if old.get("id") == name:
                    old.update(data=output["data"], metadata=output["metadata"])
        elif kind == "stream" and shown and shown[-1].get("name") == output["name"]:
            shown[-1]["text"] += output["text"]
        else:
            shown.append(output | ({"id": name} if name else {}))
    return [{key: value for key, value in output.items() if key != "id"} for output in shown]


def normal(outputs: list[dict]) -> list[dict]:
    """Outputs without what differs from process to process, and from run to run."""
    parted = []
    for output in applied(outputs):
        # The two streams come in any order where nothing else is between them.
        run = takewhile(lambda o: o["output_type"] == "stream", reversed(parted))
        same = [old for old in run if old["name"] == output.get("name")]
        if same:
            same[0]["text"] += output["text"]
        else:
            parted.append(output)
        if output.get("ename") == "StdinNotImplementedError":
            output["traceback"] = []  # it shows code of the shell
    text = json.dumps(parted)
    text = re.sub(r"0x[0-9a-f]+", "0x…", text)
    text = re.sub(r"(/[\w./-]*/ipykernel_\d+/)?\b\d+\.py", "<cell>", text)
    text = re.sub(r"[\d.]+(e\+\d+)? (ns|[µu]s|\\u[0-9a-f]{4}s|ms|s)\b", "… s", text)
    text = re.sub(r"/[\w./-]*/(ours|theirs)/", "<folder>/", text)
    return json.loads(text)


@pytest.mark.jupyter
def test_cells_put_out_what_they_do_in_jupyter(tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir(), theirs.mkdir()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in CELLS])
    NotebookClient(
        notebook, allow_errors=True, resources={"metadata": {"path": str(theirs)}}
    ).execute()
    got = run_cells(CELLS, ours)
    expected = [[dict(output) for output in cell.outputs] for cell in notebook.cells]
    assert [(source, normal(outputs)) for source, (outputs, _) in zip(CELLS, got, strict=True)] == [
        (source, normal(outputs)) for source, outputs in zip(CELLS, expected, strict=True)
    ]
    assert [error for _, error in got] == [
        any(output["output_type"] == "error" for output in outputs) for outputs in expected
    ]


def test_what_programs_and_children_write_to_the_descriptors_becomes_a_stream_once(cells):
    outputs = cells(
        "import os\nos.system('echo before');",
        "import ctypes, subprocess, sys\n"
        "os.write(1, b'low\\n'); os.system('echo child; echo wrong >&2')\n"
        "subprocess.run(['echo', 'run'])\n"
        "sys.__stdout__.write('dunder\\n'); sys.__stdout__.flush()\n"
        "if os.fork() == 0:\n    print('forked'); os._exit(0)\nos.wait();",
    )
    texts = {output["name"]: output["text"] for output in applied(outputs)}
    assert texts == {"stdout": "low\nchild\nrun\ndunder\nforked\n", "stderr": "wrong\n"}


def test_figures_display_and_print_keep_their_order(cells):
    outputs = cells(
        "import matplotlib.pyplot as plt\n"
        "print('one'); plt.plot([1]); plt.show(); print('two'); display(3); print('three')"
    )
    shown = [o.get("text") or sorted(o["data"])[0] for o in applied(outputs)]
    assert shown == ["one\n", "image/png", "two\n", "text/plain", "three\n"]


def test_plots_are_pictures_whichever_magic_asks_for_them(cells):
    cells("import matplotlib.pyplot as plt")
    for line in (
        *("%matplotlib notebook", "%matplotlib widget", "%matplotlib nbagg", "%matplotlib ipympl"),
        *("%matplotlib qt", "%matplotlib", "%pylab --no-import-all tk"),
        "get_ipython().run_line_magic('matplotlib', 'widget')",
    ):
        draw = "figure = plt.figure(); plt.plot([1, 2]); figure.canvas.draw(); plt.show()"
        outputs = cells(f"{line}\n{draw}")
        kinds = [kind for output in outputs for kind in output.get("data", [output["output_type"]])]
        assert kinds.count("image/png") == 1, line
        assert "error" not in kinds, line
    (output,) = cells("%pylab notebook", "mean(array([1, 3])), np.pi > 3")
    assert output["data"]["text/plain"].startswith("(np.float64(2.0), True)")


def test_clearing_takes_back_what_was_put_out(cells):
    source = "from IPython.display import clear_output\nprint('a'); display(1); clear_output()"
    assert applied(cells(source)) == []
    assert applied(cells(source + "; print('b')"))[0]["text"] == "b\n"


@pytest.mark.parametrize(
    "source",
    [
        "print('x' * 10_000_000)",
        "for _ in range(200): print('x' * 100_000)",
        "import os\nos.system(\"head -c 30000000 /dev/zero | tr '\\\\0' x\");",
        "'x' * 5_000_000",
        "from IPython.display import HTML\nHTML('x' * 5_000_000)",
        "raise ValueError('x' * 5_000_000)",
        "display({'application/json': [0] * 3_000_000}, raw=True)",
        "display({'image/png': 'x' * 3_000_000}, raw=True)",
        "import sys\nfor i in range(100_000): print(i, file=(sys.stdout, sys.stderr)[i % 2])",
        "for i in range(100_000): display({'text/plain': 'x'}, raw=True)",
        "from IPython.display import clear_output\nfor i in range(100_000): clear_output()",
        "import sys\nfor i in range(300_000): print('x', flush=True)",
    ],
)
def test_no_cell_puts_out_without_end(cells, source):
    outputs = cells(source)
    assert len(json.dumps(outputs)) < 1.3 * MAX_CELL_OUTPUT
    assert len(outputs) < MAX_OUTPUTS + 50
    if "error" not in outputs[-1].values():
        assert sum("was left out" in output.get("text", "") for output in outputs) <= 1


def test_many_pictures_are_bounded_together(cells):
    outputs = cells("for _ in range(30): display({'image/png': 'x' * 1_900_000}, raw=True)")
    assert 1 < len(outputs) <= 10
    assert "was left out" in outputs[-1]["text"]


def test_an_error_comes_even_where_there_is_no_room(cells):
    outputs = cells("for i in range(2_000): display(i)\n1 / 0")
    assert outputs[-1]["ename"] == "ZeroDivisionError"
    assert sum(output["output_type"] == "error" for output in outputs) == 1


@pytest.mark.parametrize(
    "data",
    [
        "{'text/plain': 'p', 'text/html': object()}",
        "{'text/plain': 'p', 'application/json': {'a': float('nan')}}",
        "{'text/plain': 'p', 3: 'three'}",
        "{'text/plain': type('Text', (str,), {})('p')}",
    ],
)
def test_what_is_no_json_is_dropped_from_an_output(cells, data):
    assert cells(f"display({data}, raw=True)")[0]["data"] == {"text/plain": "p"}


def test_bytes_of_a_picture_come_as_base64(cells):
    assert cells("display({'image/png': b'\\x89PNG'}, raw=True)")[0]["data"] == {
        "image/png": "iVBORw=="
    }


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("def __repr__(self): raise SystemExit", "SystemExit"),
        ("def __repr__(self): return self", "TypeError"),
        ("def _repr_html_(self): return self._repr_html_()", "RecursionError"),
        ("def _ipython_display_(self): 1 / 0", "ZeroDivisionError"),
        ("def _repr_mimebundle_(self, **_): raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_what_an_object_does_when_shown_is_an_error_of_its_cell(cells, body, name):
    outputs = cells(f"class Odd:\n    {body}\nOdd()")
    assert name in [output.get("ename") for output in outputs]


@pytest.mark.parametrize(
    "source", ["\ud800", "'\ud800'", "# \ud800", "\0", "(" * 10_000, "1\n" * 9]
)
def test_a_source_that_is_no_program_is_an_error_and_no_crash(cells, source):
    outputs = cells(source, "print('fine')")
    assert outputs == [{"output_type": "stream", "name": "stdout", "text": "fine\n"}] or (
        applied(outputs)[0]["text"] == "fine\n"
    )


@pytest.mark.parametrize("source", ["%debug", "breakpoint()", "import pdb; pdb.set_trace()"])
def test_a_debugger_is_refused_at_once(cells, source):
    outputs = cells("1 / 0", source)
    assert outputs[-1]["ename"] == "StdinNotImplementedError"


def test_a_progress_bar_works(cells):
    outputs = cells("from tqdm.auto import tqdm\nfor i in tqdm(range(3)): pass")
    assert "error" not in {output["output_type"] for output in outputs}


def test_the_namespace_is_fresh_and_no_configuration_is_read(cells):
    [output] = cells("sorted(name for name in dir() if not name.startswith('_'))")
    assert output["data"]["text/plain"] == "['In', 'Out', 'exit', 'get_ipython', 'open', 'quit']"


def test_a_file_beside_the_notebook_is_imported_and_shadows_no_library(cells):
    [output] = cells(
        "%%writefile helper.py\nx = 7",
        "%%writefile queue.py\n1 / 0",
        "import helper, sys; sys.modules.pop('queue', None); import queue\nhelper.x",
    )
    assert output["data"]["text/plain"] == "7"


def test_text_waits_for_a_cell_while_none_runs():
    outputs = []
    capture = OutputCapture(outputs.append)
    stream = Stream(capture, "stdout", 1)
    print("early", file=stream, flush=True)
    assert outputs == []
    capture.begin()
    capture.end()
    assert [output["text"] for output in outputs] == ["early\n"]


def test_a_stream_takes_text_only():
    stream = Stream(OutputCapture(lambda output: None), "stdout", 1)
    with pytest.raises(TypeError, match="must be str"):
        stream.write(b"bytes")
    assert (stream.fileno(), stream.isatty(), stream.encoding) == (1, False, "UTF-8")
