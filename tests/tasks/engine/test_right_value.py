"""Right values that a check cell brings: they replace the package's, and its named mistakes."""

import math
from fractions import Fraction

import numpy as np
import pytest

from headway.tasks.check import check
from headway.tasks.engine.probe.plain import plain
from headway.tasks.engine.right_value import RightValueError, coded, find_checked

DOT = "01-one-hot/dot"


@pytest.mark.parametrize(
    ("value", "near", "far"),
    [
        (4, 4.001, 2),
        (Fraction(1, 3), 0.3333, 0.34),
        (np.float32(0.5), 0.5, 2),
        ([[1, 2], [3]], ((1, 2), (3,)), [[1, 2], [4]]),
        (np.array([1.0, 2.5]), (1, 2.5), [1, 2]),
        (["ca", "cb"], ("ca", "cb"), ["ca"]),
        (math.inf, math.inf, 1e300),
    ],
)
def test_a_check_holds_an_answer_to_the_value_that_its_cell_brings(value, near, far, capsys):
    right = coded(plain(value))
    assert right.isascii()
    assert str(value) not in right
    assert check(DOT, near, right) == 1
    assert check(DOT, far, right) == 0
    assert "not the value asked for" in capsys.readouterr().out or isinstance(value, list)


def test_mistakes_with_the_package_s_numbers_have_no_name_then():
    assert check(DOT, -2).verdict.misconception.name == "signs-lost"
    assert check(DOT, -2, coded(4)).verdict.misconception is None


def test_a_stub_is_untouched_whatever_is_right():
    assert check(DOT, ..., coded(4)).verdict.status == "untouched"


def test_the_same_value_is_the_same_task_so_that_what_is_kept_of_it_is_found():
    assert find_checked(DOT, coded(4)) is find_checked(DOT, coded(4))
    assert find_checked(DOT, coded(4)) is not find_checked(DOT, coded(5))
    assert find_checked(DOT).reference == 2


@pytest.mark.parametrize("right", ["?", "4", "NC4", "bm9uZQ==", "W" * 100_000])
def test_a_value_that_cannot_be_read_says_where_to_take_the_cell_from(right):
    with pytest.raises(RightValueError, match=r"can't be read.*fresh copy"):
        check(DOT, 4, right)


def test_a_task_that_asks_for_code_takes_no_value():
    with pytest.raises(RightValueError, match="asks for code"):
        check("01-one-hot/lookup", len, coded(4))


@pytest.mark.parametrize("value", [{1, 2}, 1j, b"text"])
def test_what_no_check_can_hold_is_refused(value):
    with pytest.raises(TypeError):
        coded(value)
