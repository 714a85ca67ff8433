"""How large a value is, and how much an answer may give where the right one gives something."""

import numpy as np
import pytest

from headway.tasks.engine.probe.outcomes import Raised, Returned
from headway.tasks.engine.value_size import FREE, TIMES, bounded, most_bytes, most_for, value_size


@pytest.mark.parametrize(
    ("value", "about"),
    [
        (None, 1),
        (2.5, 1),
        (1 << 6400, 100),
        ("a" * 500, 500),
        ([1, [2, 3]], 8),
        ({"name": [1.0]}, 8),
        (np.zeros((20, 30), np.int8), 600),
        (np.array(["four", "text"]), 8),
        (np.zeros((0, 99)), 1),
    ],
)
def test_a_value_is_as_large_as_what_is_in_it(value, about):
    assert about <= value_size(value) <= about + 3


def test_no_more_is_counted_than_is_asked_for():
    class Counted(list):
        def __len__(self):
            raise AssertionError("not looked at")

    assert value_size([Counted(), "a" * 1_000], enough=100) > 100


@pytest.mark.parametrize("right", [7, [1.0] * 90_000, np.zeros((300, 4_000))])
def test_an_answer_may_give_several_times_what_the_right_one_does_and_no_more(right):
    most = most_for(Returned(right))
    assert most == FREE + TIMES * value_size(right)
    fine = Returned(np.zeros(most - 1), "printed")
    assert bounded(fine, most) is fine
    refused = bounded(Returned(np.zeros(most), "printed"), most)
    assert refused.error == "UnplainError"
    assert f"({most},)" in refused.message
    assert refused.printed == "printed"


def test_an_exception_has_no_size():
    raised = Raised("ValueError", "m" * 500)
    assert most_for(raised) == FREE
    assert bounded(raised, 1) is raised


def test_what_is_no_larger_than_it_may_be_fits_into_the_longest_message():
    from headway.runner.codec import pack

    most = 40_000
    for value in ([-1.2345678901234567e-300] * (most // 2), "\U0001f600" * most, np.zeros(most)):
        assert value_size(value) <= most + 2
        assert len(pack(value)) <= most_bytes(most)
