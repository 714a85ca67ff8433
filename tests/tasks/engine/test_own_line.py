"""Where a student's code raises: the line is named, and no code can break or forge what is said."""

import linecache

import pytest

from headway.tasks.check import MIME, bundle
from headway.tasks.engine.card import card_html, card_text, details_text
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe.calls import call
from headway.tasks.engine.probe.outcomes import LONGEST_LINE, LONGEST_NAME, Raised, observe

TASK = find_task("01-one-hot/lookup")


@pytest.fixture
def defined(request):
    """Runs a cell, as a notebook does, and gives the function that it defines."""

    def run(source: str, name: str = "look_up", module: str = "__main__"):
        file = f"<cell of {request.node.name}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        names = {"__name__": module}
        exec(compile(source, file, "exec"), names)
        return names[name]

    return run


def line(answer) -> str:
    outcome = observe(call, answer, [[1, 2]])
    assert isinstance(outcome, Raised)
    return outcome.line


def test_the_innermost_line_of_the_students_own_code_is_named(defined):
    cell = "def get(ids):\n    return ids[9]\n\ndef look_up(ids):\n    x = 1\n    return get(ids)\n"
    assert line(defined(cell)) == "line 2 of `get` (`return ids[9]`)"


def test_the_line_that_called_a_library_is_named_and_not_the_librarys_own(defined):
    cell = "import json\n\ndef look_up(ids):\n    return json.loads('{')\n"
    assert line(defined(cell)) == "line 4 of `look_up` (`return json.loads('{')`)"


def test_code_without_a_name_has_a_line_and_code_of_others_has_none(defined):
    assert (
        line(defined("look_up = lambda ids: ids[9]\n")) == "line 1 (`look_up = lambda ids: ids[9]`)"
    )
    assert line(defined("def look_up(ids):\n    return ids[9]\n", module="theirs")) == ""


def test_calls_in_calls_have_a_line(defined):
    assert line(defined("def look_up(ids):\n    return look_up(ids)\n")).startswith("line 2 of")


LONG = "n" * 3_000
HOSTILE = {
    "a long line": "def look_up(ids, table):\n    return ids[9], '" + "x" * 5_000 + "'\n",
    "markup": "def look_up(ids, table):\n    return '<script>alert(1)</script>'[99]\n",
    "a terminal's orders": "def look_up(ids, table):\n    return '\x1b[2J\x07\x9b'[99]\n",
    "a name that is long": f"def {LONG}(): return [][1]\nlook_up = lambda *given: {LONG}()",
    "a traceback of its own": (
        "class Odd(Exception):\n"
        "    __traceback__ = property(lambda self: 1 / 0, lambda self, new: None)\n"
        "def look_up(ids, table):\n    raise Odd('odd')\n"
    ),
    "a file of its own": (
        "class Name(str):\n"
        "    def __hash__(self): raise SystemExit\n"
        "    def __eq__(self, other): raise SystemExit\n"
        "def look_up(ids, table): return ids[99]\n"
        "try: look_up.__code__ = look_up.__code__.replace(co_filename=Name('x'))\n"
        "except TypeError: pass\n"
    ),
    "no module": "def look_up(ids, table):\n    globals().clear()\n    return [][1]\n",
    "a module that is no text": "__name__ = {}\ndef look_up(ids, table):\n    return [][1]\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_of_hostile_code_breaks_a_card_or_gets_out_of_it(defined, name):
    verdict = judge(TASK, defined(HOSTILE[name]))
    assert verdict.status == "failed"
    assert "raises" in verdict.reason
    assert len(verdict.reason) < 600 + LONGEST_LINE + LONGEST_NAME
    said = card_text(verdict)
    assert said.replace("\n", "").isprintable()
    assert "<script>" not in card_html(verdict)
    data = bundle(verdict)[MIME]
    assert data["reason"] == verdict.reason
    assert data.get("details", "") == details_text(verdict)


def test_the_terminal_shows_what_the_card_shows():
    verdict = judge(TASK, lambda ids, table: table[ids] * 2)
    said = details_text(verdict)
    assert said.startswith("What was called:\n    ids = np.array(")
    assert said.count("shape") >= 2
    assert "≠ " in said
    assert said in card_text(verdict)
    assert details_text(judge(TASK, TASK.reference)) == ""


def test_what_was_printed_obeys_nobody_and_is_cut():
    def look_up(ids, table):
        print("\x1b[2J", "x" * 900, *range(900), sep="\n")
        return ids

    said = details_text(judge(TASK, look_up))
    assert "Your code printed:" in said
    assert said.replace("\n", "").isprintable()
    assert max(map(len, said.split("\n"))) < 220
    assert said.count("\n") < 90
