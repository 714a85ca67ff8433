"""`headway try`: right answers, known mistakes, and files that are no answer."""

import json

import pytest

from headway.tasks.engine.right_value import coded
from tests.commands.sentences import assert_sentence

LOOKUP = "01-one-hot/lookup"
GOOD_LOOKUP = """
import numpy as np

def look_up(ids, table):
    ids = np.asarray(ids)
    if ids.size and not ((0 <= ids) & (ids < len(table))).all():
        raise IndexError("no such row")
    return table[ids]
"""


@pytest.fixture
def attempt(headway, tmp_path):
    """Runs `headway try` on a task with a file of this text."""

    def run(task: str, text: str, *options: str):
        path = tmp_path / "answer.py"
        path.write_text(text, encoding="utf-8")
        result = headway("try", task, path, *options)
        assert "Traceback" not in result.out + result.err
        assert [file.name for file in tmp_path.iterdir()] == ["answer.py"], "no byte code"
        return result

    return run


def test_try_passes_a_right_answer(attempt):
    result = attempt(LOOKUP, GOOD_LOOKUP)
    assert result.code == 0
    assert "✓ Passed" in result.out


def test_try_names_a_known_mistake_as_json_too_and_prints_nothing_else(attempt):
    wraps = "print('noise')\ndef look_up(ids, table): return table[ids]"
    assert "negative-wraps" in attempt(LOOKUP, wraps).out
    result = attempt(LOOKUP, wraps, "--json")
    verdict = json.loads(result.out)
    assert result.code == 1
    assert (verdict["status"], verdict["misconception"]) == ("partial", "negative-wraps")
    assert "noise" in result.err


def test_try_holds_an_answer_to_the_numbers_that_the_file_s_own_check_brings(attempt):
    own = f"""
from headway.tasks.check import check
dot = 4
check("01-one-hot/shapes", ...)
check("01-one-hot/dot", dot, "{coded(4)}")
"""
    result = attempt("01-one-hot/dot", own)
    assert (result.code, result.out.count("✓ Passed")) == (0, 1)
    assert "published question" not in result.err
    assert attempt("01-one-hot/dot", own.replace("dot = 4", "dot = 2")).code == 1
    assert attempt("01-one-hot/dot", "dot = 2").code == 0


def test_try_says_that_it_knows_the_published_numbers_alone(attempt):
    assert "This was the published question. If" in attempt("01-one-hot/dot", "dot = 4").err
    assert "published question" not in attempt(LOOKUP, GOOD_LOOKUP).err, "it asks for code"


def test_try_leaves_a_notebook_to_check(headway, tmp_path):
    result = headway("try", "01-one-hot/dot", tmp_path / "mine.ipynb")
    assert_sentence(result, "mine.ipynb is a notebook", "headway check")


def test_try_shows_what_was_called_and_both_values(attempt):
    said = attempt(LOOKUP, "def look_up(ids, table): return table[ids] + 1").out
    called = said.partition("What was called:\n")[2]
    assert called.startswith("    ids = np.array(")
    assert "\nyours, shape (" in called
    assert "\nexpected, shape (" in called
    assert "≠ " in called


def test_try_names_the_line_of_the_file_that_raises(attempt):
    raises = "def get(ids):\n    return ids[99]\n\ndef look_up(ids, table):\n    get(ids)\n"
    said = attempt(LOOKUP, raises).out
    assert "raises IndexError in line 2 of `get` (`return ids[99]`): " in said


@pytest.mark.parametrize("given", ["'seven'", "[1, 2, 3]", "..."])
def test_try_fails_an_answer_of_the_wrong_type_or_shape_in_words(attempt, given):
    result = attempt("01-one-hot/dot", f"dot = {given}")
    assert result.code == 1
    assert result.out.count("\n") >= 2


@pytest.mark.parametrize(
    ("task", "text", "said"),
    [
        ("01-one-hot/lokup", "", ["no task '01-one-hot/lokup'.", "'01-one-hot/lookup'?"]),
        (
            "01-one-hot/dot",
            "import math\n_hidden = 1\ndef dott(): pass\nclass Other: pass",
            ["defines no 'dot'", "It defines: dott, Other."],
        ),
    ],
)
def test_try_suggests_a_task_and_lists_what_is_defined(attempt, task, text, said):
    assert_sentence(attempt(task, text), *said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\ny = missing", "raises NameError in line 2: name 'missing' is not defined"),
        ("def f(:\n    pass", "raises SyntaxError in line 1"),
        ("\nimport sys\nsys.exit(0)", "raises SystemExit in line 3: 0"),
    ],
)
def test_try_says_where_a_file_raises(attempt, text, said):
    result = attempt("01-one-hot/dot", text)
    assert result.code == 2
    assert said in result.err


def test_try_says_that_a_file_is_missing(headway, tmp_path):
    result = headway("try", "01-one-hot/dot", tmp_path / "no.py")
    assert_sentence(result, "There is no file", "no.py")
