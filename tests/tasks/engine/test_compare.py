import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.tasks.engine.compare import at_most, close, equal, identical
from headway.tasks.engine.probe.plain import plain

plains = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(plains)
def test_everything_equals_itself(thing):
    assert equal()(plain(thing), plain(thing), None) is None


@given(plains, plains)
def test_a_comparison_never_raises_and_is_symmetric(one, other):
    there, back = (close()(plain(a), plain(b), None) for a, b in ((one, other), (other, one)))
    assert (there is None) == (back is None)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        ([1, 2.0], np.array([1, 2])),
        (np.float32([0.1]).copy(), np.array([0.1])),
        (np.array([np.nan]), np.array([np.nan])),
        ([], np.zeros(0)),
        (3, 3.0),
    ],
)
def test_what_is_equal_up_to_rounding_and_container_passes(got, expected):
    assert close(rtol=1e-6)(got, expected, None) is None


@pytest.mark.parametrize(
    ("got", "expected", "says"),
    [
        (np.zeros((2, 3)), np.zeros((3, 2)), "shape is (2, 3), expected (3, 2)"),
        (np.array([1.0, 2.0]), np.array([1.0, 3.0]), "1 of 2 values differ; the first at [1]"),
        (np.array([np.nan]), np.array([1.0]), "got nan, expected 1"),
        ([["a"], [["b"]]], [["a"], [["c"]]], "at place 1, 0, 0: got 'b', expected 'c'"),
        (True, 1, "True"),
        ([[1], [2, 3]], np.zeros((2, 2)), "expected an array of shape (2, 2)"),
        pytest.param(10**5000, 1, "thousands of digits", id="digits"),
        (np.array(["a", "b"]), np.array(["a", "c"]), "1 of 2 values differ"),
        ({"f(1)": 2}, {"f(1)": 3}, "f(1): got 2, expected 3"),
    ],
)
def test_a_difference_is_said_in_a_sentence(got, expected, says):
    assert says in close()(got, expected, None).message


def test_the_kind_of_number_counts_where_the_task_asks_for_it():
    ones, integers = np.ones(2), np.ones(2, dtype=int)
    assert close()(integers, ones, None) is None
    assert "they are integers (int64); expected floats" in (
        close(same_kind=True)(integers, ones, None).message
    )
    assert close(same_kind=True)(np.float32(ones), ones, None) is None


@pytest.mark.parametrize(
    ("got", "passes"),
    [([1.0, 1.0], True), ([3.0, 0.0], False), ([np.nan, 0.0], False), ([1.0], False)],
)
def test_a_statistic_has_to_stay_below_its_limit(got, passes):
    compare = at_most(lambda x, case: float(np.abs(x).max()), "The largest", lambda case: 2.0)
    difference = compare(np.array(got), np.zeros(2), None)
    assert (difference is None) == passes


def test_one_long_text_among_many_numbers_costs_no_more_than_itself():
    tracemalloc.start()
    try:
        found = equal()(["x" * 1_000_000, *range(1_000)], np.zeros(1_001), None)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found
    assert peak < 50e6


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((1, True), (1, 1.0), ([1, 2], [1]), ({"a": 1}, {"b": 1})),
        *((np.ones(2), other) for other in (np.ones(2, np.float32), np.ones((2, 1)), [1.0, 1.0])),
    ],
)
def test_only_what_is_the_same_in_every_type_is_identical(one, other):
    assert not identical(one, other)
    assert identical({"a": [one, "x", None]}, {"a": [one, "x", None]})
