"""Reading verdicts out of outputs: right ones are taken as they are, anything else is refused."""

import ast
import math

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from headway.grading.notebooks.verdicts import (
    LONGEST_DETAILS,
    check_call,
    checked_task,
    details_in,
    names_in_source,
    read_verdict,
    result_of,
)
from headway.tasks.check import MIME
from headway.tasks.engine.find import find_task

TASK = find_task("01-one-hot/lookup")
GOOD = {
    "task": TASK.id,
    "status": "partial",
    "score": 1.5,
    "misconception": "negative-wraps",
    "reason": "a negative id: returns a value.",
}


def check_cell(*outputs):
    return new_code_cell(f'check("{TASK.id}", look_up)', outputs=list(outputs))


def shown(data):
    return new_output("display_data", {MIME: data, "text/plain": "a card"})


def test_a_verdict_is_read_as_it_was_shown():
    result = read_verdict(check_cell(shown(GOOD)), TASK)
    assert result.as_dict() == {
        "status": "partial",
        "score": 1.5,
        "max": 2,
        "misconception": "negative-wraps",
        "reason": "a negative id: returns a value.",
    }


@pytest.mark.parametrize(
    "change",
    [
        {"task": "01-one-hot/dot"},
        {"task": None},
        {"status": "excellent"},
        {"status": ["passed"]},
        {"score": 2.5},
        {"score": -1},
        {"score": math.nan},
        {"score": math.inf},
        {"score": True},
        {"score": "2"},
        {"score": None},
        {"score": 10**400},
    ],
    ids=str,
)
def test_a_verdict_that_cannot_be_is_none(change):
    assert read_verdict(check_cell(shown(GOOD | change)), TASK) is None


@pytest.mark.parametrize("data", [None, "passed", [GOOD], 3, {}])
def test_data_of_another_form_is_no_verdict(data):
    assert read_verdict(check_cell(shown(data)), TASK) is None


@pytest.mark.parametrize("name", ["no-such-mistake", "<script>", ["negative-wraps"], {"a": 1}, 7])
def test_a_misconception_outside_the_catalogue_is_dropped(name):
    assert (
        read_verdict(check_cell(shown(GOOD | {"misconception": name})), TASK).misconception is None
    )


def test_a_reason_is_one_line_of_bounded_length():
    reason = read_verdict(
        check_cell(shown(GOOD | {"reason": "a\n\x1b[31m" + "b" * 9999})), TASK
    ).reason
    assert len(reason) == 500
    assert reason.isprintable()
    assert reason.startswith("a [31mb")


def test_what_a_card_shows_of_a_case_comes_in_lines_that_no_terminal_obeys():
    assert details_in(check_cell(shown(GOOD))) == ""
    cell = check_cell(shown(GOOD | {"details": "What was called:\n    x = '\x1b[2J'"}))
    assert details_in(cell) == "What was called:\n    x = '\\x1b[2J'"
    assert len(details_in(check_cell(shown(GOOD | {"details": "x" * 10**6})))) == LONGEST_DETAILS
    for odd in (None, 7, ["a"], {"a": 1}):
        assert details_in(check_cell(shown(GOOD | {"details": odd}))) == ""
    assert details_in(check_cell(shown("passed"))) == ""


def test_a_cell_that_raised_is_a_failure_with_its_error():
    error = new_output("error", ename="NameError", evalue="name 'x' is not defined", traceback=[])
    result = result_of(check_cell(error), TASK)
    assert (result.status, result.score) == ("failed", 0)
    assert result.reason == "NameError: name 'x' is not defined"


def test_a_cell_that_did_not_run_is_a_failure():
    result = result_of(check_cell(), TASK)
    assert (result.status, result.score) == ("failed", 0)
    assert result.reason == "The check gave no result."


@pytest.mark.parametrize(
    ("source", "task_id"),
    [
        ('check("01-one-hot/dot", dot)', "01-one-hot/dot"),
        ("x = 1\ncheck('a/b', x)\n", "a/b"),
        ('check("a/b")', None),
        ("check(name, x)", None),
        ('checks("a/b", x)', None),
        ('# check("a/b", x)', None),
        ('def f():\n    check("a/b", x)', None),
        ("def broken(", None),
        ("\0", None),
        ("(" * 5000, None),
        ("", None),
    ],
)
def test_a_check_cell_is_known_by_its_call(source, task_id):
    call = check_call(source)
    assert (call and call.task_id) == task_id


def test_a_check_that_no_memory_was_left_to_read_is_one_the_next_time(monkeypatch):
    def fails(source):
        raise MemoryError

    source = 'check("of/this", test)'
    with monkeypatch.context() as patch:
        patch.setattr(ast, "parse", fails)
        assert check_call(source) is None
    assert check_call(source).task_id == "of/this"


def test_only_code_cells_with_a_known_task_check_one():
    assert checked_task(check_cell()) is TASK
    assert checked_task(new_markdown_cell(f'check("{TASK.id}", x)')) is None
    assert checked_task(new_code_cell('check("01-one-hot/no-such", x)')) is None


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(x):\n    return g(x) + h.i", {"x", "g", "h"}),
        ("g = 1", set()),
        ("# g\n'g'", set()),
        ("g + '''\nh", {"g"}),
        ("g" + "(" * 10_000, {"g"}),
        ("g\n" + "\n" * 10**7 + "h", {"g"}),
    ],
    ids=["read", "written", "said", "no Python", "too deep", "too long"],
)
def test_names_that_code_reads(source, names):
    assert names_in_source(source) == names
