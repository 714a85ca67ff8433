"""Transition matrices: from counts to probabilities, their doubt, and where they settle.

P[i, j] is the probability that state j follows state i, so each row sums to one:

    P[i, j] = (counts[i, j] + α) / Σₖ (counts[i, k] + α)          α ≥ 0, added before dividing

α = 0 is the maximum-likelihood estimate; α > 0 gives what was never seen a share as well
(additive smoothing). Shapes: counts and P are (..., V); matrices of a chain are (V, V).
"""

import numpy as np


def normalize(counts: np.ndarray, smoothing: float = 0.0) -> np.ndarray:
    """Rows of probabilities from rows of counts.

    Args:
        counts: (..., V), non-negative.
        smoothing: α, added to every count before the rows are divided by their sums.

    Returns:
        float64 (..., V). A row without any count is uniform if α > 0, and zero if α = 0.

    Raises:
        ValueError: if a count or α is negative.
    """
    smoothed = np.asarray(counts, dtype=float) + check_smoothing(smoothing)
    if (smoothed < smoothing).any():
        raise ValueError(f"counts must not be negative, got {np.min(counts)}")
    totals = smoothed.sum(axis=-1, keepdims=True)
    return np.divide(smoothed, totals, out=np.zeros_like(smoothed), where=totals > 0)


def check_smoothing(smoothing: float) -> float:
    """α itself, if it is a number that can be added to counts.

    Raises:
        ValueError: if it is negative or not finite.
    """
    if not (np.isfinite(smoothing) and smoothing >= 0):
        raise ValueError(f"smoothing must be a finite number ≥ 0, got {smoothing}")
    return smoothing


def row_entropy(probabilities: np.ndarray) -> np.ndarray:
    """Doubt about the next state, row by row: −Σⱼ P[j] ln P[j], in nats.

    Zero for a row with a single one, ln V for a uniform row; exp of it is the number of equally
    likely states that would leave as much doubt. Divide by ln 2 for bits.

    Args:
        probabilities: (..., V).

    Returns:
        float64 (...).
    """
    probabilities = np.asarray(probabilities, dtype=float)
    logs = np.log(probabilities, out=np.zeros_like(probabilities), where=probabilities > 0)
    return -(probabilities * logs).sum(axis=-1) + 0.0  # + 0.0: no "−0" for certain rows


def stationary_distribution(matrix: np.ndarray) -> np.ndarray:
    """The distribution π that a step of the chain leaves as it is: π P = π, Σ π = 1.

    It is solved for, not approached: the powers of a periodic chain go round in a circle and
    never settle on π, although it exists and is the share of time spent in each state.

    Args:
        matrix: P, (V, V), rows summing to one.

    Returns:
        float64 (V,).

    Raises:
        ValueError: if P is not square, if a row does not sum to one (an absorbing state needs
            a one on the diagonal), or if π is not unique: two sets of states that cannot be left.
    """
    matrix = np.asarray(matrix, dtype=float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a transition matrix has shape (V, V), got {matrix.shape}")
    sums = matrix.sum(axis=1)
    if (matrix < 0).any() or not np.allclose(sums, 1):
        row = int(np.abs(sums - 1).argmax())
        raise ValueError(
            f"each row must hold probabilities that sum to one; row {row} sums to {sums[row]:g}. "
            "Is the state one that nothing ever followed?"
        )
    V = len(matrix)
    equations = np.vstack([matrix.T - np.eye(V), np.ones(V)])  # (V+1, V): (Pᵀ − I) π = 0, Σ π = 1
    solution, _, rank, _ = np.linalg.lstsq(equations, np.append(np.zeros(V), 1.0), rcond=None)
    if rank < V:
        raise ValueError(
            "the stationary distribution is not unique: the chain has at least two sets of "
            "states that it never leaves. Give each set its own matrix."
        )
    return np.maximum(solution, 0.0) / np.maximum(solution, 0.0).sum()
