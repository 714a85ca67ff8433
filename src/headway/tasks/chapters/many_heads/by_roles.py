"""Stretch: scores and an output matrix by hand that explain as much as so many heads can."""

import numpy as np

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

FIRM = 100.0


def by_roles(roles, wanted, heads, size):
    """Scores (H, R) and W_O (H·E, K·E): head h looks at the h-th wanted role and passes it on."""
    return _by_roles(roles, wanted, heads, size)


def _by_roles(roles, wanted, heads, size, firm=FIRM, share=None):
    """The same, but for how firm the scores are and for `share` (H, K), of each head to each."""
    scores = np.zeros((heads, roles))
    for head, role in zip(range(heads), wanted, strict=False):
        scores[head, role] = firm
    share = np.eye(heads, len(wanted)) if share is None else share
    return scores, np.kron(share, np.eye(size))


def hand_cases(rng: np.random.Generator) -> list[Case]:
    def some(roles, count):
        return tuple(int(role) for role in rng.permutation(roles)[:count])

    def descending(wanted):
        return tuple(sorted(wanted, reverse=True))

    return [
        Case("two heads, two roles", 6, descending(some(6, 2)), 2, 8, core=True),
        Case("one head, two roles", 6, some(6, 2), 1, 8, core=True),
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
        return Difference("some of the numbers are infinite or NaN.")
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
        return mine if isinstance(mine, Difference) else theirs
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


def _soft(roles, wanted, heads, size):
    return _by_roles(roles, wanted, heads, size, firm=1.0)


def _uniform(roles, wanted, heads, size):
    return _by_roles(roles, wanted, heads, size, firm=0.0)


def _same_focus(roles, wanted, heads, size):
    """Every head looks at all the wanted roles alike, and block h of W_O is an identity."""
    scores = np.zeros((heads, roles))
    scores[:, list(wanted)] = FIRM
    return scores, _by_roles(roles, wanted, heads, size)[1]


def _undone(roles, wanted, heads, size):
    """The mixture of all wanted is enlarged until each has its full size again."""
    scores, K = _same_focus(roles, wanted, heads, size)[0], len(wanted)
    return scores, np.kron(np.full((heads, K), K / heads), np.eye(size))


def _passed_to_all(roles, wanted, heads, size):
    return _by_roles(roles, wanted, heads, size, share=np.ones((heads, len(wanted))))


def _guessed(roles, wanted, heads, size):
    """Wanted roles without a head of their own get what the last head brings."""
    share = np.eye(heads, len(wanted))
    share[-1, heads:] = 1
    return _by_roles(roles, wanted, heads, size, share=share)


def _swapped(roles, wanted, heads, size):
    share = np.eye(heads, len(wanted))[:, ::-1]
    return _by_roles(roles, wanted, heads, size, share=share)


def _in_numerical_order(roles, wanted, heads, size):
    return _by_roles(roles, sorted(wanted), heads, size)


def _interleaved(roles, wanted, heads, size):
    """Numbers of the heads take turns in the rows and columns of W_O."""
    share = np.eye(heads, len(wanted))
    return _by_roles(roles, wanted, heads, size)[0], np.kron(np.eye(size), share)


def _divided(roles, wanted, heads, size):
    share = np.eye(heads, len(wanted)) / heads
    return _by_roles(roles, wanted, heads, size, share=share)


def _first_roles(roles, wanted, heads, size):
    return _by_roles(roles, range(len(wanted)), heads, size)


def _twice(roles, wanted, heads, size):
    """Heads that are left over begin with the wanted roles again."""
    again = [wanted[head % len(wanted)] for head in range(heads)]
    share = np.resize(np.eye(len(wanted)), (heads, len(wanted)))
    return _by_roles(roles, again, heads, size, share=share)


by_hand_roles = Task(
    id="09-many-heads/by-roles",
    title="Weights by hand that reach the bound",
    kind="stretch",
    points=2,
    minutes=20,
    answer="by_roles",
    cases=hand_cases,
    reference=by_roles,
    misconceptions=(
        Misconception(
            "soft-scores",
            _soft,
            "Your heads look at the right roles, and a little at the others too, which tells most "
            "where there are many. What makes a softmax nearly hard?",
        ),
        Misconception(
            "uniform",
            _uniform,
            "All roles get the same weight. Which scores let a head look at one of them?",
        ),
        Misconception(
            "same-focus-in-all-heads",
            _same_focus,
            "All of your heads look at all wanted roles, so all bring the same. What do you have "
            "several for?",
        ),
        Misconception(
            "mixture-enlarged",
            _undone,
            "You enlarge the mixture until each vector has its full size again. What grows with "
            "it, in the place of each vector?",
        ),
        Misconception(
            "passed-to-all",
            _passed_to_all,
            "Each head goes to every place of the output, so each place gets a sum. To which "
            "columns should a head write?",
        ),
        Misconception(
            "left-over-guessed",
            _guessed,
            "Right where there are heads enough. Otherwise you fill a place with another role's "
            "vector. They are independent: is that better or worse than writing nothing?",
        ),
        Misconception(
            "same-role-twice",
            _twice,
            "Right where there are no more heads than wanted roles. With more, two of your heads "
            "bring the same vector to the same place. What does the last matrix make of both?",
        ),
        Misconception(
            "heads-crossed",
            _swapped,
            "Your heads look at the right roles and write to each other's places. In which order "
            "are the roles wanted?",
        ),
        Misconception(
            "first-roles",
            _first_roles,
            "Your heads look at the first roles, whatever is wanted. Which argument is not used?",
        ),
        Misconception(
            "in-numerical-order",
            _in_numerical_order,
            "Right where the roles are wanted in ascending order. Elsewhere your vectors come in "
            "the order of the roles' numbers. In which order are they wanted?",
        ),
        Misconception(
            "interleaved",
            _interleaved,
            "Your heads look at the right roles. In your last matrix they take turns, number by "
            "number. Which rows belong to the first head, if all its numbers stand together?",
        ),
        Misconception(
            "divided-by-the-heads",
            _divided,
            "You divide by the number of heads. Are the heads averaged, or side by side?",
        ),
    ),
    compare=reaches,
    alike=_alike,
)
