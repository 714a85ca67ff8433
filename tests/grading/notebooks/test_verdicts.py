"""Reading verdicts out of outputs: right ones are taken as they are, anything else is refused."""

import math

import pytest
from nbformat.v4 import new_code_cell, new_output

from headway.grading.notebooks.verdicts import LONGEST_DETAILS, details_in, read_verdict, result_of
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


def test_a_verdict_is_read_as_it_was_shown_and_its_reason_in_one_short_line():
    read = read_verdict(check_cell(shown(GOOD)), TASK).as_dict()
    assert read == {name: one for name, one in GOOD.items() if name != "task"} | {"max": 2}
    long = GOOD | {"reason": "a\n\x1b[31m" + "b" * 9999}
    reason = read_verdict(check_cell(shown(long)), TASK).reason
    assert (len(reason), reason.isprintable(), reason[:8]) == (500, True, "a [31mbb")


@pytest.mark.parametrize("name", ["no-such-mistake", "<script>", ["negative-wraps"], 7])
def test_a_misconception_outside_the_catalogue_is_dropped(name):
    result = read_verdict(check_cell(shown(GOOD | {"misconception": name})), TASK)
    assert (result.score, result.misconception) == (1.5, None)


@pytest.mark.parametrize(
    "data",
    [
        *("passed", [GOOD], {}),
        *(GOOD | {"task": task} for task in ("01-one-hot/dot", None)),
        *(GOOD | {"status": status} for status in ("excellent", ["passed"])),
        *(GOOD | {"score": score} for score in (2.5, -1, math.nan, True, "2", None, 10**400)),
    ],
    ids=str,
)
def test_a_verdict_that_cannot_be_is_none(data):
    assert read_verdict(check_cell(shown(data)), TASK) is None


def test_what_a_card_shows_of_a_case_comes_in_lines_that_no_terminal_obeys():
    assert details_in(check_cell(shown(GOOD))) == ""
    cell = check_cell(shown(GOOD | {"details": "What was called:\n    x = '\x1b[2J'"}))
    assert details_in(cell) == "What was called:\n    x = '\\x1b[2J'"
    assert len(details_in(check_cell(shown(GOOD | {"details": "x" * 10**6})))) == LONGEST_DETAILS
    for odd in (None, 7, ["a"], {"a": 1}):
        assert details_in(check_cell(shown(GOOD | {"details": odd}))) == ""
    assert details_in(check_cell(shown("passed"))) == ""


def test_a_cell_that_raised_or_did_not_run_is_a_failure():
    error = new_output("error", ename="NameError", evalue="name 'x' is not defined", traceback=[])
    for outputs, reason in (
        ([error], "NameError: name 'x' is not defined"),
        ([], "The check gave no result."),
    ):
        result = result_of(check_cell(*outputs), TASK)
        assert (result.status, result.score, result.reason) == ("failed", 0, reason)
