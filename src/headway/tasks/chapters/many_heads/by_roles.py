"""Stretch: scores and an output matrix by hand that explain as much as so many heads can."""

import numpy as np

from headway.tasks.chapters.many_heads.mistakes import (
    HEADS_ADDED,
    HEADS_INTERLEAVED,
    HEADS_SWAPPED,
    INFINITE_SCORES,
    ONE_MAP_FOR_ALL_HEADS,
    SCORES_TOO_SMALL,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

FIRM = 100.0
INFINITE = Difference("some of the numbers are infinite or NaN.")


def by_roles(roles, wanted, heads, size):
    """Scores (H, R) and W_O (H·E, K·E): head h looks at the h-th wanted role and passes it on."""
    scores = np.zeros((heads, roles))
    share = np.zeros((heads, len(wanted)))  # what each head gives to each place
    for head, role in zip(range(heads), wanted, strict=False):
        scores[head, role] = FIRM
        share[head, head] = 1
    return scores, np.kron(share, np.eye(size))


def hand_cases(rng: np.random.Generator) -> list[Case]:
    def some(roles, count):
        return tuple(int(role) for role in rng.permutation(roles)[:count])

    def descending(wanted):
        return tuple(sorted(wanted, reverse=True))

    roles, size = int(rng.integers(4, 10)), int(rng.integers(3, 9))
    return [
        Case("two heads, two roles", roles, descending(some(roles, 2)), 2, size, core=True),
        Case("one head, two roles", roles, some(roles, 2), 1, size, core=True),
        Case("two heads, three roles", 5, some(5, 3), 2, 3),
        Case("three heads, two roles", 6, descending(some(6, 2))[::-1], 3, 4),
        Case("one head, one role", 4, some(4, 1), 1, 2),
        Case("three heads, four roles", 7, some(7, 4), 3, 1),
        Case("many roles", 60, some(60, 2), 2, 2),
    ]


def explained(scores: np.ndarray, W_O: np.ndarray, wanted) -> float:
    """R² over all Gaussian vectors, without drawing any.

    Prediction and target are linear in the vectors, and these are independent: the error is the
    squared distance of the two matrices.
    """
    heads, roles = scores.shape
    size = W_O.shape[0] // heads
    exps = np.exp(scores - scores.max(1, keepdims=True))
    weights = exps / exps.sum(1, keepdims=True)  # (H, R)
    blocks = W_O.reshape(heads, size, -1)
    given = np.einsum("hr,heo->reo", weights, blocks)  # (R, E, K·E)
    target = np.kron(np.eye(roles)[list(wanted)].T, np.eye(size)).reshape(given.shape)
    return float(1 - ((given - target) ** 2).sum() / (target**2).sum())


def _arrays(got, case) -> tuple[np.ndarray, np.ndarray] | Difference:
    roles, wanted, heads, size = case.inputs
    try:
        scores, W_O = (np.array(part, dtype=float) for part in got)
    except (TypeError, ValueError):
        return Difference("two arrays of numbers are asked for: the scores and W_O.")
    shapes = (heads, roles), (heads * size, len(wanted) * size)
    for name, array, shape in zip(("scores", "W_O"), (scores, W_O), shapes, strict=True):
        if array.shape != shape:
            return Difference(f"{name}: the shape is {array.shape}, expected {shape}.")
    if not (np.isfinite(scores).all() and np.isfinite(W_O).all()):
        return INFINITE
    return scores, W_O


def reaches(got, expected, case) -> Difference | None:
    """Whether as much is explained as so many heads can explain; weights may differ that do."""
    mine = _arrays(got, case)
    if isinstance(mine, Difference):
        return mine
    _, wanted, heads, _ = case.inputs
    best = min(heads, len(wanted)) / len(wanted)
    reached = explained(*mine, wanted)
    if reached >= best - 1e-3:
        return None
    return Difference(f"R² is {reached:.4g}; {best:.4g} can be reached.")


def _alike(got, expected, case) -> Difference | None:
    mine, theirs = _arrays(got, case), _arrays(expected, case)
    if isinstance(mine, Difference) or isinstance(theirs, Difference):
        both_infinite = INFINITE is mine is theirs
        return None if both_infinite else mine if isinstance(mine, Difference) else theirs
    if _focused(*mine, case) and _focused(*theirs, case):
        return None
    one, other = (explained(*arrays, case.inputs[1]) for arrays in (mine, theirs))
    if abs(one - other) < 1e-3 and _on_wanted(*mine, case) == _on_wanted(*theirs, case):
        return None
    return Difference("they explain different parts.")


def _focused(scores, W_O, case) -> bool:
    """Whether these would do, were the scores as far apart as one likes."""
    _, wanted, heads, _ = case.inputs
    sharp = 1e6 * (scores - scores.max(1, keepdims=True))
    return explained(sharp, W_O, wanted) >= min(heads, len(wanted)) / len(wanted) - 1e-3


def _on_wanted(scores, W_O, case) -> bool:
    """Whether all heads that are passed on look at wanted roles, whichever."""
    _, wanted, heads, _ = case.inputs
    weights = np.exp(scores - scores.max(1, keepdims=True))
    shares = weights[:, list(wanted)].sum(1) / weights.sum(1)
    used = np.abs(W_O).reshape(heads, -1).max(1) > 0
    return bool((shares[used] > 0.9).all())


_all_wanted = changed(
    by_roles, "    return scores", "    scores[:, list(wanted)] = FIRM\n    return scores"
)[0]

by_hand_roles = Task(
    id="09-many-heads/by-roles",
    title="Weights by hand that reach the bound",
    kind="stretch",
    points=1,
    minutes=20,
    answer="by_roles",
    cases=hand_cases,
    reference=by_roles,
    misconceptions=(
        SCORES_TOO_SMALL.by(changed(by_roles, "FIRM", "1.0", "0.0")),
        INFINITE_SCORES.by(
            changed(by_roles, "FIRM", "np.inf"),
            changed(
                *changed(by_roles, "FIRM", "0"),
                "np.zeros((heads, roles))",
                "-np.inf + np.zeros((heads, roles))",
            ),
        ),
        ONE_MAP_FOR_ALL_HEADS.by(
            _all_wanted,
            # The mixture is enlarged until each vector has its full size again.
            changed(_all_wanted, "kron(share", "kron(np.full_like(share, len(wanted) / heads)"),
        ),
        HEADS_ADDED.by(changed(by_roles, "kron(share", "kron(np.ones_like(share)")),
        HEADS_SWAPPED.by(
            changed(by_roles, "kron(share", "kron(share[:, ::-1]"),
            changed(by_roles, "heads), wanted", "heads), sorted(wanted)"),
        ),
        HEADS_INTERLEAVED.by(changed(by_roles, "share, np.eye(size)", "np.eye(size), share")),
        Misconception(
            "left-overs-filled",
            any_of(
                changed(by_roles, "    return", "    share[-1, heads:] = 1\n    return"),
                changed(by_roles, "zip(range(heads), wanted, strict=False)", "enumerate(wanted)"),
                changed(
                    *changed(by_roles, "heads), wanted", "heads), heads * wanted"),
                    "share[head, head]",
                    "share[head, head % len(wanted)]",
                ),
            ),
            "This is right only with as many heads as wanted roles. What should become of heads or "
            "roles that are left over?",
        ),
        Misconception(
            "first-roles-for-wanted",
            changed(by_roles, "heads), wanted", "heads), range(len(wanted))"),
            "Your heads look at the first roles, whatever is wanted. Which argument is not used?",
        ),
        Misconception(
            "divided-by-the-heads",
            changed(by_roles, "share[head, head] = 1", "share[head, head] = 1 / heads"),
            "You divide by the number of heads. Are the heads averaged, or side by side?",
        ),
    ),
    compare=reaches,
    alike=_alike,
)
