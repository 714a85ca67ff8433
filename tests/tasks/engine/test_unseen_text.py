"""What a model is asked, what it is told, and what is refused before anything is counted."""

from functools import partial

import numpy as np
import pytest

from headway.tasks.engine.own_cell import fit_then_predict, long_cell
from headway.tasks.engine.probe.outcomes import Raised, Returned, observe
from headway.tasks.engine.probe.plain import UnplainError
from headway.tasks.engine.unseen_text import (
    ACROSS,
    AXIS_BYTES,
    EVERY_PLACE,
    LOGARITHMS,
    LONGEST_NAME,
    MOST_ARRAYS,
    NAMES,
    NO_ARRAYS,
    NO_PROBABILITIES,
    NOT_FINITE,
    SHAPE,
    SUMS,
    TOO_LARGE,
    Budget,
    fault_of_numbers,
    fault_of_probabilities,
    is_refused,
    size_of,
)

BUDGET = Budget(bytes=49, seconds=1, characters=20)
TEXT = np.frombuffer(b"abab", dtype=np.uint8)
ROWS = np.array([[97, 98, 97], [98, 97, 98]], dtype=np.uint8)
B = len(ROWS)


def fit(text, seed):
    return {"w": np.zeros(3, dtype=np.float32)}


def even(numbers, seen):
    return np.full((len(seen), 256), 1 / 256)


def observed(fit, predict, budget=BUDGET):
    return observe(fit_then_predict, (fit, predict), (TEXT, 5, ROWS, budget))


def test_what_comes_is_shown_only_after_it_was_predicted():
    shown = []

    def predict(numbers, seen):
        shown.append(seen.copy())
        return even(numbers, seen)

    assert isinstance(observed(fit, predict), Returned)
    assert [seen.shape for seen in shown] == [(2, 1), (2, 2)]
    for seen in shown:
        np.testing.assert_equal(seen, ROWS[:, : seen.shape[1]])


def test_bytes_cost_what_their_probabilities_say():
    def predict(numbers, seen):
        P = np.zeros((len(seen), 256))
        P[:, 97], P[:, 98] = 0.75, 0.25
        return P

    got = observed(fit, predict).value
    assert got["numbers"] == 3
    np.testing.assert_allclose(got["bits"], [[2, -np.log2(0.75)], [-np.log2(0.75), 2]])
    assert got["last"] == pytest.approx(0.25)
    assert got["late"] == pytest.approx((2 - np.log2(0.75)) / 2)
    assert got["apart"] == 0


def test_sums_within_the_tolerance_gain_nothing():
    """What is handed in is divided by its sum."""
    more = observed(fit, lambda numbers, seen: even(numbers, seen) * 1.0009).value
    np.testing.assert_allclose(more["bits"], 8)


def test_neither_function_can_change_the_texts_or_the_numbers():
    text, rows = TEXT.copy(), ROWS.copy()

    def spoil(numbers, seen):
        seen[:] = 0
        assert (numbers.pop("w") == 0).all()
        return even(numbers, seen)

    def spoiling_fit(text, seed):
        text[:] = 0
        return fit(text, seed)

    before = text.copy(), rows.copy()
    outcome = observe(fit_then_predict, (spoiling_fit, spoil), (text, 5, rows, BUDGET))
    assert outcome.value["numbers"] == 3
    np.testing.assert_equal((text, rows), before)


def with_columns(*columns):
    P = np.zeros((B, 256))
    for place, column in enumerate(columns):
        P[:, place] = column
    return P


@pytest.mark.parametrize(
    ("P", "kind"),
    [
        (with_columns(1.002), SUMS),
        (np.zeros((B, 256)), SUMS),
        (with_columns(1.5, -0.5), NO_PROBABILITIES),
        (with_columns(np.nan), NO_PROBABILITIES),
        (np.log(np.full((B, 256), 1 / 256)), LOGARITHMS),
        (np.full((B, 256), 1 / B), ACROSS),
        (np.full((B, 3, 256), 1 / 256), EVERY_PLACE),
        (np.full((256,), 1 / 256), SHAPE),
        (np.ones((B, 256), dtype=np.int64), SHAPE),
        (np.full((B, 256), "x"), SHAPE),
        (None, SHAPE),
    ],
)
def test_what_are_no_probabilities_is_refused_by_name(P, kind):
    assert fault_of_probabilities(P, B).kind == kind


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_probabilities_of_any_precision_will_do(dtype):
    assert fault_of_probabilities(even(None, ROWS).astype(dtype), B) is None


ARRAY = np.zeros(2, dtype=np.float32)


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([ARRAY], NO_ARRAYS),
        ({"w": ARRAY.tolist()}, NO_ARRAYS),
        ({"w": ARRAY.astype(np.float64)}, NO_ARRAYS),
        ({"w" * (LONGEST_NAME + 1): ARRAY}, NAMES),
        ({"ключ": ARRAY}, NAMES),
        ({str(n): ARRAY[:1] for n in range(MOST_ARRAYS + 1)}, NAMES),
        ({"w": ARRAY.astype(np.uint8)}, NO_ARRAYS),
        ({"w": np.zeros(11, dtype=np.float32)}, TOO_LARGE),
        ({"w": np.zeros(6, dtype=np.float32), "v": np.zeros(5, dtype=np.float32)}, TOO_LARGE),
        ({"ww": np.zeros(10, dtype=np.float32)}, TOO_LARGE),
        ({"w": np.zeros((2, 5), dtype=np.float32)}, TOO_LARGE),
        ({"w": np.full(21, np.nan, dtype=np.float16)}, TOO_LARGE),
        ({"w": ARRAY * np.nan}, NOT_FINITE),
        ({"w": np.zeros((0, 12345), dtype=np.float32)}, NOT_FINITE),
    ],
)
def test_what_is_no_model_of_the_size_is_refused_by_name(numbers, kind):
    assert fault_of_numbers(numbers, BUDGET).kind == kind


@pytest.mark.parametrize(
    "numbers", [{"w": np.zeros(10, dtype=np.float32)}, {"w": np.zeros(20, dtype=np.float16)}, {}]
)
def test_a_model_of_the_very_size_will_do(numbers):
    assert fault_of_numbers(numbers, BUDGET) is None


def test_all_that_could_carry_something_from_fit_to_predict_counts():
    numbers = {"a": np.zeros(3, dtype=np.float16), "bc": np.zeros((2, 2), dtype=np.float32)}
    assert size_of(numbers) == 3 * 2 + 4 * 4 + 3 + 3 * AXIS_BYTES


def test_a_byte_that_was_impossible_is_refused_and_not_counted():
    outcome = observed(fit, lambda numbers, seen: with_columns(1.0))
    assert outcome.value["refused"][0] == "impossible bytes"
    assert is_refused(outcome)


def test_objects_are_no_numbers():
    outcome = observed(lambda text, seed: {"w": np.array([None])}, even)
    assert (outcome.error, is_refused(outcome)) == (UnplainError.__name__, True)
    assert observed(fit, partial(lambda *_: object())).error == UnplainError.__name__


def test_who_needs_too_long_is_told_which_function_it_is():
    slow = Budget(bytes=49, seconds=0, characters=20)
    outcome = observed(fit, even, slow)
    kind, said = outcome.value["refused"]
    assert kind == "too slow"
    assert said.startswith("fit needs more than the 0 seconds")


def test_functions_that_are_not_filled_in_give_nothing():
    outcome = observed(lambda text, seed: None, even)
    assert outcome == Returned(None)
    assert is_refused(outcome)
    unwritten = observed(fit, None)
    assert isinstance(unwritten, Raised)


def test_a_cell_that_is_too_long_is_not_run():
    assert long_cell("x" * 20, BUDGET) is None
    assert long_cell("x" * 21, BUDGET).kind == "a long cell"
