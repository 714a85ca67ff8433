"""What a model is asked, what it is told, and what is refused before anything is counted."""

from functools import partial

import numpy as np
import pytest

from headway.tasks.engine.probe.outcomes import Raised, Returned, observe
from headway.tasks.engine.probe.plain import UnplainError
from headway.tasks.engine.unseen_text.cell import fit_then_predict, is_refused
from headway.tasks.engine.unseen_text.refusals import (
    AXIS_BYTES,
    LONGEST_NAME,
    MOST_ARRAYS,
    Budget,
    Refused,
    probabilities,
    require_numbers,
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
    asked = [(2, 1)] * 3 + [(2, 2)] + [(2, 1)] * 2
    assert [seen.shape for seen in shown] == asked, "twice where fit has run, and twice at last"
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


@pytest.mark.parametrize("more", [0, 1])
def test_a_prediction_that_depends_on_earlier_calls_is_not_steady(more):
    calls = []

    def predict(numbers, seen):
        calls.append(seen)
        P = even(numbers, seen)
        P[:, 97] += more * len(calls)
        return P / P.sum(axis=1, keepdims=True)

    assert observed(fit, predict).value["steady"] is not bool(more)


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
        (with_columns(1.002), "sums that are not one"),
        (np.zeros((B, 256)), "sums that are not one"),
        (with_columns(1.5, -0.5), "no probabilities"),
        (with_columns(np.nan), "no probabilities"),
        (np.log(np.full((B, 256), 1 / 256)), "logarithms"),
        (np.full((B, 256), 1 / B), "sums over the texts"),
        (np.full((B, 3, 256), 1 / 256), "a prediction for every place"),
        (np.full((256,), 1 / 256), "another shape"),
        (np.ones((B, 256), dtype=np.int64), "another shape"),
        (np.full((B, 256), "x"), "another shape"),
        (None, "another shape"),
    ],
)
def test_what_are_no_probabilities_is_refused_by_name(P, kind):
    with pytest.raises(Refused) as refused:
        probabilities(P, B)
    assert refused.value.kind == kind


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_probabilities_of_any_precision_will_do(dtype):
    np.testing.assert_allclose(probabilities(even(None, ROWS).astype(dtype), B), 1 / 256)


ARRAY = np.zeros(2, dtype=np.float32)


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([ARRAY], "no dictionary of arrays"),
        ({"w": ARRAY.tolist()}, "no dictionary of arrays"),
        ({"w": ARRAY.astype(np.float64)}, "no dictionary of arrays"),
        ({"w" * (LONGEST_NAME + 1): ARRAY}, "names of arrays"),
        ({"ключ": ARRAY}, "names of arrays"),
        ({str(n): ARRAY[:1] for n in range(MOST_ARRAYS + 1)}, "names of arrays"),
        ({"w": ARRAY.astype(np.uint8)}, "no dictionary of arrays"),
        ({"w": np.zeros(11, dtype=np.float32)}, "too large a model"),
        (dict.fromkeys("wv", np.zeros(6, dtype=np.float32)), "too large a model"),
        ({"ww": np.zeros(10, dtype=np.float32)}, "too large a model"),
        ({"w": np.zeros((2, 5), dtype=np.float32)}, "too large a model"),
        ({"w": np.full(21, np.nan, dtype=np.float16)}, "too large a model"),
        ({"w": ARRAY * np.nan}, "numbers that are not finite"),
        ({"w": np.zeros((0, 12345), dtype=np.float32)}, "numbers that are not finite"),
    ],
)
def test_what_is_no_model_of_the_size_is_refused_by_name(numbers, kind):
    with pytest.raises(Refused) as refused:
        require_numbers(numbers, BUDGET)
    assert refused.value.kind == kind


@pytest.mark.parametrize(
    "numbers", [{"w": np.zeros(10, dtype=np.float32)}, {"w": np.zeros(20, dtype=np.float16)}, {}]
)
def test_a_model_of_the_very_size_will_do(numbers):
    require_numbers(numbers, BUDGET)


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
    assert kind == "ended"
    assert said.startswith("fit needs more than the 0 seconds")


def test_functions_that_are_not_filled_in_give_nothing():
    outcome = observed(lambda text, seed: None, even)
    assert outcome == Returned(None)
    assert is_refused(outcome)
    unwritten = observed(fit, None)
    assert isinstance(unwritten, Raised)
