"""Figures of an answer: measured on the cases that decide, all of them there or none."""

import math
from dataclasses import replace

import numpy as np
import pytest

from headway.tasks.check import bundle
from headway.tasks.engine.judge import judge
from headway.tasks.engine.leaderboard import Leaderboard
from headway.tasks.engine.task import Case, Task
from tests.tasks.engine.test_official import memorized, officially


def sums(cases, values):
    """What an answer gave in all, and how many numbers it was given."""
    return {
        "sum": float(sum(np.sum(value) for value in values)),
        "numbers": sum(case.inputs[0].size for case in cases),
        "least": 0.5,
    }


BOARD = Leaderboard(sums, ranked="sum", floor="least", also=("numbers",))
MEASURED = Task(
    id="00-none/double",
    title="Twice as much",
    kind="build",
    points=4,
    minutes=1,
    answer="double",
    cases=lambda rng: [
        Case("a matrix", rng.normal(size=(3, 4)), core=True),
        Case("a larger one", rng.normal(size=(5, 4))),
    ],
    reference=lambda rows: 2 * rows,
    leaderboard=BOARD,
)


def test_the_figures_of_a_right_answer_stand_beside_its_points():
    verdict = judge(MEASURED, MEASURED.reference)
    assert list(verdict.measured) == ["sum", "numbers", "least"]
    assert verdict.measured["numbers"] == 3 * 4 + 5 * 4
    assert verdict.as_dict()["measured"] == verdict.measured
    words = f"Measured: sum {verdict.measured['sum']:.3f}, numbers 32, least 0.500."
    card = bundle(verdict)
    assert words in card["text/plain"]
    assert words in card["text/html"]


def test_a_task_without_a_leaderboard_measures_nothing():
    verdict = judge(replace(MEASURED, leaderboard=None), MEASURED.reference)
    assert (verdict.status, verdict.measured) == ("passed", {})
    assert "measured" not in verdict.as_dict()


def test_an_answer_that_raises_in_one_case_has_no_figures():
    def of_three_rows(rows):
        if len(rows) != 3:
            raise ValueError(len(rows))
        return 2 * rows

    verdict = judge(MEASURED, of_three_rows)
    assert (verdict.status, verdict.measured) == ("partial", {})


def test_the_figures_of_an_official_test_are_those_of_its_hidden_cases():
    right, _ = officially(MEASURED, MEASURED.reference)
    wrong, _ = officially(MEASURED, lambda rows: 4 * rows)
    by_heart, _ = officially(MEASURED, memorized(MEASURED, lambda rows: 4 * rows))
    assert right.measured != judge(MEASURED, MEASURED.reference).measured
    for verdict in (wrong, by_heart):
        assert verdict.status == "failed"
        assert verdict.measured["sum"] == pytest.approx(2 * right.measured["sum"])


@pytest.mark.parametrize("value", [math.nan, None, "1", True])
def test_figures_are_finite_numbers_or_nothing(value):
    good = {"sum": 3.5, "numbers": 2, "least": 0.5}
    assert BOARD.valid({**good, "more": 1}) == good
    assert BOARD.valid({**good, "numbers": value}) == {}
    assert BOARD.valid({"numbers": 3}) == {}
