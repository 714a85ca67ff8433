import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from headway.ngram.transition import normalize, row_entropy, stationary_distribution

counts = hnp.arrays(
    np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 9)
)


@given(counts, st.floats(0.001, 5))
def test_rows_sum_to_one_but_without_count_and_smoothing_to_zero_and_never_nan(table, alpha):
    np.testing.assert_allclose(normalize(table, alpha).sum(axis=-1), 1)
    np.testing.assert_allclose(normalize(table).sum(axis=-1), table.any(axis=-1).astype(float))


def test_rows_are_normalized_and_not_columns():
    np.testing.assert_allclose(normalize([[1, 3], [4, 0]]), [[0.25, 0.75], [1, 0]])


@pytest.mark.parametrize("given_", [([[1, -1]], 0), ([[1, 1]], -0.5), ([[1, 1]], np.inf)])
def test_negative_counts_and_smoothing_are_refused(given_):
    with pytest.raises(ValueError, match=r"must (not )?be"):
        normalize(*given_)


def test_entropy_is_zero_for_a_certain_row_and_ln_v_for_a_uniform_one():
    rows = np.array([[0, 1, 0, 0], [0.25] * 4, [0.5, 0.5, 0, 0]])
    np.testing.assert_allclose(row_entropy(rows), [0, np.log(4), np.log(2)])
    assert not np.signbit(row_entropy(rows)).any()


@given(hnp.arrays(float, (4, 4), elements=st.floats(0.01, 1)))
def test_a_step_leaves_the_stationary_distribution_as_it_is(weights):
    matrix = normalize(weights)
    pi = stationary_distribution(matrix)
    np.testing.assert_allclose(pi @ matrix, pi, atol=1e-9)
    assert pi.sum() == pytest.approx(1)
    np.testing.assert_allclose(np.linalg.matrix_power(matrix, 4000)[0], pi, atol=1e-6)


def test_a_periodic_chain_has_a_stationary_distribution_that_its_powers_never_reach():
    matrix = np.array([[0, 0.2, 0.8], [1, 0, 0], [1, 0, 0]])  # away, and back again
    pi = stationary_distribution(matrix)
    np.testing.assert_allclose(pi, [0.5, 0.1, 0.4], atol=1e-12)
    assert all(abs(np.linalg.matrix_power(matrix, n)[0] - pi).max() > 0.25 for n in (1000, 1001))


def test_a_chain_that_ends_in_one_state_stays_there():
    np.testing.assert_allclose(stationary_distribution([[0.5, 0.5], [0, 1]]), [0, 1], atol=1e-12)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 0], [0, 1]], "not unique"),
        ([[0, 1], [0, 0]], "row 1 sums to 0"),
        ([[0.5, 0.5]], r"shape \(V, V\), got \(1, 2\)"),
        ([[2, -1], [0, 1]], "must hold probabilities"),
    ],
)
def test_a_matrix_without_one_stationary_distribution_is_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        stationary_distribution(matrix)
