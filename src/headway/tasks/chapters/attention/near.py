"""Stretch: weights by hand, so that attention prefers what is near, and not what is long."""

import math

import numpy as np

from headway.tasks.chapters.attention.mistakes import KEYS_FOR_VALUES, WRONGLY_TRANSPOSED
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task

WIDTH = 5  # a token: 1, x, y, x² + y², value
ONE, X, Y, SQUARE, VALUE = range(WIDTH)


def near_weights(sharpness):
    """W_Q, W_K (5, 3) and W_V (5, 1) that make weights proportional to exp(−sharpness · d²).

    d² = |q|² − 2 q·k + |k|². The first term is the same for all keys, so the softmax drops it.
    """
    W_Q, W_K, W_V = np.zeros((WIDTH, 3)), np.zeros((WIDTH, 3)), np.zeros((WIDTH, 1))
    size = sharpness * math.sqrt(3)
    W_Q[X, 0] = W_Q[Y, 1] = 2 * size
    W_Q[ONE, 2] = -size
    W_K[X, 0] = W_K[Y, 1] = W_K[SQUARE, 2] = 1.0
    W_V[VALUE, 0] = 1.0
    return W_Q, W_K, W_V


def tokens(points: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(N, 5): points (N, 2) with a one in front, the square of their length, and a value."""
    square = (points**2).sum(axis=1)
    return np.column_stack([np.ones(len(points)), points, square, values])


def near_cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, sharpness, core=False):
        points, asked = rng.normal(size=(7, 2)), rng.normal(size=(4, 2))
        asked += np.where(
            asked > 0, 0.3, -0.3
        )  # none at the origin, where every direction is alike
        memory = tokens(points, rng.normal(size=7) * 3)
        return Case(label, float(sharpness), truth=(tokens(asked, np.zeros(4)), memory), core=core)

    return [
        draw("some sharpness", round(rng.uniform(1.5, 3.0), 3), core=True),
        draw("sharpness 1", 1.0),
        draw("less than 1", round(rng.uniform(0.3, 0.7), 3)),
        draw("a very flat bump", 0.01),
        draw("a bump so sharp that the nearest takes it all", 400.0),
        draw("sharpness 0: all alike", 0.0),
    ]


def parts(value) -> list[np.ndarray] | None:
    """Three arrays of numbers, if that is what came."""
    try:
        found = [np.asarray(part, dtype=float) for part in value]
    except (TypeError, ValueError):
        return None
    return found if len(found) == 3 else None


def matrices(value) -> list[np.ndarray] | None:
    """Three matrices, if that is what came."""
    found = parts(value)
    return found if found and all(part.ndim == 2 for part in found) else None


def looked_up(value, case) -> tuple[np.ndarray, np.ndarray] | None:
    """Weights (4, 7) and what is mixed (4, E) by attention with these matrices, if they fit."""
    given = matrices(value)
    if given is None or any(len(part) != WIDTH for part in given):
        return None
    W_Q, W_K, W_V = given
    if W_Q.shape != W_K.shape or not W_Q.shape[1]:
        return None
    asked, memory = case.truth
    scores = (asked @ W_Q) @ (memory @ W_K).T / math.sqrt(W_Q.shape[1])
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    return weights, weights @ (memory @ W_V)


def looks_near(got, expected, case) -> Difference | None:
    """Whether attention with these matrices weighs by distance; many matrices do."""
    given = parts(got)
    if given is None:
        return Difference("three matrices are asked for: W_Q, W_K and W_V.")
    for name, part in zip(("W_Q", "W_K", "W_V"), given, strict=True):
        if part.ndim != 2:
            return Difference(f"{name} is no matrix: its shape is {part.shape}.")
    mine, theirs = looked_up(got, case), looked_up(expected, case)
    if mine is None:
        shapes = ", ".join(str(part.shape) for part in given)
        return Difference(f"the shapes are {shapes}; expected (5, D), (5, D) and (5, 1).")
    if not np.allclose(mine[0], theirs[0], atol=1e-3):
        return Difference("the weights are not those expected.", mine[0], theirs[0])
    if mine[1].shape != theirs[1].shape:
        return Difference(f"the mixture has the shape {mine[1].shape}, expected {theirs[1].shape}.")
    if not np.allclose(mine[1], theirs[1], atol=1e-2):
        return Difference("the weights are right, the mixture is not.", mine[1], theirs[1])
    return None


def alike(got, expected, case) -> Difference | None:
    """Whether two triples of matrices look up the same."""
    mine, theirs = looked_up(got, case), looked_up(expected, case)
    if mine is None or theirs is None:
        one, other = matrices(got), matrices(expected)
        same = one and other and [p.shape for p in one] == [p.shape for p in other]
        return None if same and mine is theirs else Difference("the shapes differ.")
    agree = all(
        a.shape == b.shape and np.allclose(a, b, atol=1e-4)
        for a, b in zip(mine, theirs, strict=True)
    )
    return None if agree else Difference("they look up other values.")


def _strength(got, case) -> float | None:
    """The number by which the scores multiply −d², up to what is the same for all keys, if any."""
    asked, memory = case.truth
    mine, unit = (
        scores - scores.mean(axis=1, keepdims=True)
        for W_Q, W_K, _ in (matrices(got), near_weights(1.0))
        for scores in [(asked @ W_Q) @ (memory @ W_K).T / math.sqrt(W_Q.shape[1])]
    )
    strength = float((mine * unit).sum() / (unit * unit).sum())
    return strength if np.allclose(mine, strength * unit, atol=1e-3 * abs(mine).max()) else None


def _power_of_the_sharpness(got, expected, case) -> bool:
    strength, (sharpness,) = _strength(got, case), case.inputs
    powers = (sharpness**power for power in (2, 3, 0, 0.5))
    return sharpness != 1 and any(np.isclose(strength, power, rtol=1e-3) for power in powers)


def _off_by_a_factor(got, expected, case) -> bool:
    return _strength(got, case) > 0


def _other_weights(got, expected, case) -> bool:
    mine, right = looked_up(got, case), looked_up(expected, case)
    return not np.allclose(mine[0], right[0], atol=1e-3)


def _other_values(got, expected, case) -> bool:
    return looked_up(got, case) is not None and not _other_weights(got, expected, case)


def _fit_when_transposed(got, expected, case) -> bool:
    turned = [part.T for part in matrices(got)]
    return looked_up(got, case) is None and looked_up(turned, case) is not None


near = Task(
    id="08-attention/near",
    title="Weights by hand: prefer what is near",
    kind="stretch",
    points=4,
    minutes=25,
    answer="near_weights",
    cases=near_cases,
    reference=near_weights,
    misconceptions=(
        Misconception(
            "sharpness-misplaced",
            changed(near_weights, "-size", "-math.sqrt(3)"),
            "This is right at some sharpnesses only. In which terms, and in how many of the "
            "matrices that are multiplied, does the sharpness appear?",
            shows=_power_of_the_sharpness,
            only_at=(
                "sharpness 1",
                "less than 1",
                "a very flat bump",
                "a bump so sharp that the nearest takes it all",
                "sharpness 0: all alike",
            ),
        ),
        Misconception(
            "scale-not-undone",
            changed(near_weights, "sharpness * math.sqrt(3)", "sharpness"),
            "Your bump is too flat or too sharp: all scores are off by one factor. By what does "
            "attention divide them, and which of your numbers are in both matrices that meet?",
            shows=_off_by_a_factor,
        ),
        Misconception(
            "distance-expanded-wrongly",
            changed(near_weights, "-size", "0.0"),
            "Your scores are not what the exponent says. Which terms of the squared distance "
            "differ from key to key, with which factor and which sign?",
            shows=_other_weights,
        ),
        KEYS_FOR_VALUES.by(
            changed(near_weights, "W_V[VALUE, 0] = 1.0", "W_V = np.eye(WIDTH)"), shows=_other_values
        ),
        WRONGLY_TRANSPOSED.by(
            changed(near_weights, "return W_Q, W_K, W_V", "return W_Q.T, W_K.T, W_V.T"),
            shows=_fit_when_transposed,
        ),
    ),
    compare=looks_near,
    alike=alike,
)
