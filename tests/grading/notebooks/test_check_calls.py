"""Finding the checks in cells, and the names that code reads."""

import ast

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from headway.grading.notebooks.check_calls import check_call, checked_task, names_in_source
from headway.tasks.engine.find import find_task

TASK = find_task("01-one-hot/lookup")


@pytest.mark.parametrize(
    ("source", "task_id"),
    [
        ('check("01-one-hot/dot", dot)', "01-one-hot/dot"),
        ("x = 1\ncheck('a/b', x)\n", "a/b"),
        ('check("a/b")', None),
        ("check(name, x)", None),
        ('checks("a/b", x)', None),
        ('def f():\n    check("a/b", x)', None),
        ("\0", None),
        ("(" * 5000, None),
    ],
)
def test_a_check_cell_is_known_by_its_call(source, task_id):
    call = check_call(source)
    assert (call and call.task_id) == task_id


def test_only_code_cells_with_a_known_task_check_one():
    assert checked_task(new_code_cell(f'check("{TASK.id}", look_up)')) is TASK
    assert checked_task(new_markdown_cell(f'check("{TASK.id}", x)')) is None
    assert checked_task(new_code_cell('check("01-one-hot/no-such", x)')) is None


def test_a_check_that_no_memory_was_left_to_read_is_one_the_next_time(monkeypatch):
    def fails(source):
        raise MemoryError

    source = 'check("of/this", test)'
    with monkeypatch.context() as patch:
        patch.setattr(ast, "parse", fails)
        assert check_call(source) is None
    assert check_call(source).task_id == "of/this"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(x):\n    return g(x) + h.i", {"x", "g", "h"}),
        ("g = 1  # g", set()),
        ("g + '''\nh", {"g"}),
        ("g" + "(" * 10_000, {"g"}),
        ("g\n" + "\n" * 10**7 + "h", {"g"}),
    ],
    ids=["read", "written", "no Python", "too deep", "too long"],
)
def test_names_that_code_reads(source, names):
    assert names_in_source(source) == names
