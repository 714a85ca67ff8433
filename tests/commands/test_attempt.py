"""`headway try`: right answers, known mistakes, and files that are no answer."""

import json

import pytest

from tests.commands.sentences import assert_sentence

GOOD_LOOKUP = """
import numpy as np

def look_up(ids, table):
    ids = np.asarray(ids)
    if ids.size and not ((0 <= ids) & (ids < len(table))).all():
        raise IndexError("no such row")
    return table[ids]
"""


@pytest.fixture
def answer(tmp_path):
    """Writes a Python file and gives its path."""

    def write(text: str):
        path = tmp_path / "answer.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_try_passes_a_right_answer(headway, answer):
    result = headway("try", "01-one-hot/lookup", answer(GOOD_LOOKUP))
    assert result.code == 0
    assert "✓ Passed" in result.out


def test_try_names_a_known_mistake(headway, answer):
    path = answer("def look_up(ids, table): return table[ids]")
    result = headway("try", "01-one-hot/lookup", path)
    assert result.code == 1
    assert "negative-wraps" in result.out


def test_try_names_the_line_of_the_file_that_raises(headway, answer):
    path = answer("def get(ids):\n    return ids[99]\n\ndef look_up(ids, table):\n    get(ids)\n")
    result = headway("try", "01-one-hot/lookup", path)
    assert "raises IndexError in line 2 of `get` (`return ids[99]`): " in result.out


def test_try_shows_what_was_called_and_both_values(headway, answer):
    path = answer("def look_up(ids, table): return table[ids] + 1")
    result = headway("try", "01-one-hot/lookup", path)
    called = result.out.partition("What was called:\n")[2]
    assert called.startswith("    ids = np.array(")
    assert "\nyours, shape (" in called
    assert "\nexpected, shape (" in called
    assert "≠ " in called


def test_try_prints_the_verdict_as_json_and_nothing_else(headway, answer):
    path = answer("print('noise')\ndef look_up(ids, table): return table[ids]")
    result = headway("try", "01-one-hot/lookup", path, "--json")
    verdict = json.loads(result.out)
    assert result.code == 1
    assert (verdict["status"], verdict["misconception"]) == ("partial", "negative-wraps")
    assert "noise" in result.err


@pytest.mark.parametrize(
    "given", ["dot = 'seven'", "dot = [1, 2, 3]", "dot = ...", "dot = object()"]
)
def test_try_fails_an_answer_of_the_wrong_type_or_shape_in_words(headway, answer, given):
    result = headway("try", "01-one-hot/dot", answer(given))
    assert result.code == 1
    assert result.out.count("\n") >= 2
    assert "Traceback" not in result.out + result.err


def test_try_suggests_a_task_for_a_misspelled_id(headway, answer):
    result = headway("try", "01-one-hot/lokup", answer(""))
    assert_sentence(result, "There is no task '01-one-hot/lokup'.", "'01-one-hot/lookup'?")


def test_try_says_that_a_file_is_missing(headway, tmp_path):
    assert_sentence(
        headway("try", "01-one-hot/dot", tmp_path / "no.py"), "There is no file", "no.py"
    )


def test_try_lists_what_the_file_defines_if_the_name_is_missing(headway, answer):
    path = answer("import math\n_hidden = 1\ndef dott(): pass\nclass Other: pass")
    result = headway("try", "01-one-hot/dot", path)
    assert_sentence(result, "defines no 'dot'", "It defines: dott, Other.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\ny = missing", "raises NameError in line 2: name 'missing' is not defined"),
        ("def f(:\n    pass", "raises SyntaxError in line 1"),
        ("\nimport sys\nsys.exit(0)", "raises SystemExit in line 3: 0"),
        ("import json\njson.loads('{')", "raises JSONDecodeError in line 2"),
    ],
)
def test_try_says_where_a_file_raises(headway, answer, text, said):
    result = headway("try", "01-one-hot/dot", answer(text))
    assert result.code == 2
    assert said in result.err
    assert "Traceback" not in result.err


def test_try_leaves_no_byte_code_behind(headway, answer, tmp_path):
    headway("try", "01-one-hot/dot", answer("dot = 1"))
    assert [path.name for path in tmp_path.iterdir()] == ["answer.py"]
