"""Comparing with a stranger's value: no exception, no endless time, no memory without bound."""

import signal
from dataclasses import replace

import numpy as np
import pytest

from headway.tasks.engine import comparisons as module
from headway.tasks.engine.compare import Difference, close, examining
from headway.tasks.engine.comparisons import Comparisons, Run
from headway.tasks.engine.find import find_task
from headway.tasks.engine.probe.outcomes import Returned
from headway.tasks.engine.task import Case

MATMUL = find_task("01-one-hot/matmul")
CASES = [Case("one"), Case("two")]


def differences(compare, seconds=60.0):
    mine, right = (Run(CASES, [Returned(number)] * 2) for number in (1, 0))
    return Comparisons(replace(MATMUL, compare=compare), seconds).differences(mine, right)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (TypeError("secret"), "have the form we asked for: got 1, expected 0"),
        (MemoryError(), "more memory than there is"),
    ],
)
def test_an_exception_of_a_comparison_is_a_difference(error, says):
    def compare(got, expected, case):
        raise error

    for difference in differences(compare):
        assert isinstance(difference, Difference)
        assert says in difference.message
        assert "secret" not in difference.message


def test_a_comparison_without_end_is_stopped_and_nothing_is_compared_any_more():
    compared = []

    def compare(got, expected, case):
        compared.append(case.label)
        while True:
            pass

    found = differences(compare, seconds=0.2)
    assert [difference.message for difference in found] == [module.TOO_LONG] * 2
    assert compared == ["one"]


def test_a_comparison_that_takes_the_interruption_for_its_own_is_interrupted_again():
    def compare(got, expected, case):
        while True:
            try:
                while True:
                    pass
            except Exception as error:
                if got == 2:
                    raise
                got, _ = 2, error

    assert differences(compare, seconds=0.2)[0].message == module.TOO_LONG


def test_what_is_in_time_is_compared_and_leaves_no_timer():
    assert differences(close(1.0)) == [None, None]
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
    assert signal.getsignal(signal.SIGPROF) is signal.SIG_DFL


def test_a_list_is_examined_once_however_often_it_is_compared(monkeypatch):
    made, make = [], np.array
    monkeypatch.setattr("numpy.array", lambda value: made.append(len(value)) or make(value))
    mine, compare = [0.5] * 1_000, close()
    with examining():
        for n in range(5):
            assert compare(mine, [0.25 + n] * 1_000) is not None
    assert made.count(1_000) == 6  # each of the six lists
