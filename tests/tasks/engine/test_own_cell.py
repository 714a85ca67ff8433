"""A cell that runs without the rest of its notebook: what it finds there, and where it stops."""

import sys
from functools import partial

import numpy as np
import pytest
import torch

import headway.ngram
from headway.ngram import byte_chain
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.drawn_cases import VISIBLE, cases_of
from headway.tasks.engine.task import Case, Task
from headway.tasks.engine.unseen_text.cell import Cell, fit_then_predict, judge_alone
from headway.tasks.engine.unseen_text.refusals import Budget

BUDGET = Budget(bytes=4_000, seconds=1, characters=2_000)
HONEST = """
import numpy as np

def fit(text, seed):
    pass
    return {"shares": (np.bincount(text, minlength=256) + 1.0).astype(np.float32)}

def predict(numbers, seen):
    pass
    return np.repeat((numbers["shares"] / numbers["shares"].sum())[None], len(seen), axis=0)

model = fit, predict
"""


def cases(budget, rng):
    drawn = [rng.integers(97, 100, size=(40,)).astype(np.uint8) for _ in range(2)]
    rows = rng.integers(97, 100, size=(3, 4)).astype(np.uint8)
    return [Case(f"text {n}", text, n, rows, budget, core=not n) for n, text in enumerate(drawn)]


def task_with(budget=BUDGET):
    return Task(
        id="00-none/model",
        title="A model",
        kind="build",
        points=2,
        minutes=1,
        answer="model",
        cases=partial(cases, budget),
        reference=Cell(HONEST),
        verb=fit_then_predict,
        compare=tells,
        excused=("second-call-differs",),
    )


def tells(got, expected, case):
    """Passes what is counted, and says why something is not."""
    return Difference(": ".join(got["refused"])) if "refused" in got else None


def verdict_on(source, budget=BUDGET, elsewhere=(), hidden=()):
    cell = Cell(source, elsewhere=frozenset(elsewhere).__contains__, hidden=hidden)
    return judge_alone(task_with(budget), cell)


def with_lines(fit="pass", predict="pass"):
    before, between, after = HONEST.split("    pass\n")
    lines = [text.replace("\n", "\n    ") for text in (fit, predict)]
    return f"{before}    {lines[0]}\n{between}    {lines[1]}\n{after}"


def test_an_honest_cell_passes():
    verdict = verdict_on(HONEST)
    assert (verdict.status, verdict.reason) == ("passed", "")


def test_a_cell_that_ends_the_program_earns_nothing_and_the_check_goes_on():
    assert "SystemExit" in verdict_on(with_lines("raise SystemExit")).reason


def test_what_fit_leaves_behind_is_named_though_it_is_no_number():
    reason = verdict_on(with_lines("global kept; kept = text", "kept"), elsewhere=["kept"]).reason
    assert "shared state: predict uses something that fit has left" in reason


@pytest.mark.parametrize(
    ("more", "shared"), [("('kept' in globals())", True), ("np.random.rand()", False), ("0", False)]
)
def test_a_prediction_that_depends_on_what_fit_has_left_is_told_from_chance(more, shared):
    source = with_lines("global kept; kept = text", f"numbers['shares'][97] += 50 * {more}")
    case, _ = cases_of(task_with(), VISIBLE)
    assert fit_then_predict(Cell(source), case.inputs)["shared"] is shared


def test_a_case_finds_nothing_of_the_one_before_it():
    once = "global kept\nassert 'kept' not in globals()\nkept = 1"
    assert verdict_on(with_lines(once)).status == "passed"


def test_a_helper_of_another_cell_is_named():
    reason = verdict_on(with_lines("helper(text)"), elsewhere=["helper"]).reason
    assert "a helper elsewhere: the cell uses helper, which only another cell defines" in reason
    assert "NameError" in verdict_on(with_lines("helper(text)")).reason, "no cell defines it"


def test_a_cell_that_is_too_long_is_not_run():
    reason = verdict_on(HONEST + "#" * BUDGET.characters).reason
    assert "characters, and 2,000 are allowed" in reason


@pytest.mark.parametrize("where", ["fit", "predict"])
def test_who_never_ends_is_stopped_by_the_time_of_the_processor(where):
    source = with_lines(**{where: "while True: pass"})
    reason = verdict_on(source, Budget(4_000, 0.5, 2_000)).reason
    assert f"ended: {where} needs more than the 0.5 seconds of a processor" in reason


def test_torch_has_one_thread_there_and_as_many_as_before_afterwards():
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        told = "import torch\nraise ValueError(torch.get_num_threads())"
        assert "`fit`: 1" in verdict_on(with_lines(told)).reason
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test_what_is_printed_is_shown_with_the_failure():
    printed = verdict_on(with_lines("print('so far')\nraise ValueError(len(text))"))
    assert printed.printed == "so far\n"
    assert "raises ValueError in line 6 of `fit`: 40" in printed.reason


def test_the_texts_that_decide_stay_here():
    """Cases are drawn once, and a cell gets copies."""
    task = task_with()
    before = [case.inputs[0].copy() for case in cases_of(task, VISIBLE)]
    judge_alone(task, Cell(with_lines("text[:] = 0", "seen[:] = 0")))
    for text, case in zip(before, cases_of(task, VISIBLE), strict=True):
        np.testing.assert_equal(case.inputs[0], text)


@pytest.mark.parametrize(
    "line", ["import headway.ngram.byte_chain", "from headway.ngram import byte_chain"]
)
def test_what_a_task_hides_cannot_be_imported_there_and_can_be_afterwards(line):
    name, source = "headway.ngram.byte_chain", f"{line}\n{HONEST}"
    hidden = verdict_on(source, hidden=[name])
    assert f"{name} answers this assignment" in hidden.reason
    assert sys.modules[name] is headway.ngram.byte_chain is byte_chain
    assert verdict_on(source).status == "passed"
