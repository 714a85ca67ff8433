"""Stretch: how much heads can explain whose keys hold roles only."""

import numpy as np

from headway.tasks.chapters.many_heads.mistakes import LENGTHS_FOR_SQUARES
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

_close = close(atol=1e-5, rtol=1e-4)


def best_r_squared(weights, wanted):
    """The mean over the wanted roles of the part of eₖ that lies in the span of the rows."""
    onto_span = np.linalg.pinv(weights, rcond=1e-9) @ weights  # (R, R), a projection
    return float(np.diag(onto_span)[list(wanted)].mean())


def bound_cases(rng: np.random.Generator) -> list[Case]:
    def shares(*scores):
        parts = np.exp(np.array(scores, dtype=float))
        return parts / parts.sum(-1, keepdims=True)

    def drawn(heads, roles):
        return shares(*rng.normal(size=(heads, roles)))

    a, b, c, d, e, f = (int(role) for role in rng.permutation(6))
    only = np.zeros((1, 6))
    only[0, [a, b]] = 0.3, 0.7
    both = np.zeros((2, 6))
    both[0, [a, b]] = 0.8, 0.2
    both[1, [a, b]] = 0.4, 0.6
    same = np.repeat(drawn(1, 6), 2, axis=0)
    elsewhere = np.zeros((1, 6))
    elsewhere[0, [c, d]] = 0.5
    return [
        Case("one head", drawn(1, 6), (a, b), core=True),
        Case("two heads", drawn(2, 6), (a, b), core=True),
        Case("one head, on the two wanted roles only", only, (a, b)),
        Case("two heads, on the two wanted roles only", both, (a, b)),
        Case("two heads with the same weights", same, (a, b)),
        Case("three heads for three roles", drawn(3, 6), (a, d, e)),
        Case("a head that looks elsewhere", elsewhere, (a, f)),
        Case("one wanted role", drawn(2, 5), (3,)),
        Case("more heads than roles", drawn(4, 3), (0, 2)),
    ]


def _alone(weights, wanted):
    """What each head explains by itself: Σ αₖ² over the wanted / Σ α² over all / their number."""
    return _shares(weights, wanted).mean(1)


def _shares(weights, wanted):
    """The same for each of the wanted roles."""
    squares = weights**2
    return (squares / squares.sum(1, keepdims=True))[:, list(wanted)]


def _by_directions(weights, wanted):
    """A direction for each head, whether the heads before have it or not."""
    found = np.linalg.qr(weights.T)[0]  # (R, H)
    return float((found[list(wanted)] ** 2).sum() / len(wanted))


def _by_inverse(weights, wanted):
    if np.linalg.matrix_rank(weights) < min(weights.shape):
        raise np.linalg.LinAlgError("Singular matrix")
    return best_r_squared(weights, wanted)


def _alike(got, expected, case) -> Difference | None:
    """The same up to 1; where heads depend on each other, any two numbers are alike.

    What comes out there hangs on rounding if an answer counts directions that are not there.
    """
    weights = case.inputs[0]
    numbers = all(type(each) in (int, float) for each in (got, expected))
    if numbers and np.linalg.matrix_rank(weights) < len(weights):
        return None
    if numbers:
        got, expected = min(got, 1.0), min(expected, 1.0)
    return _close(got, expected, case)


bound = Task(
    id="09-many-heads/bound",
    title="How much one look can explain",
    kind="stretch",
    points=3,
    minutes=25,
    answer="best_r_squared",
    cases=bound_cases,
    reference=best_r_squared,
    misconceptions=(
        Misconception(
            "heads-taken-alone",
            any_of(
                lambda weights, wanted: float(min(_alone(weights, wanted).sum(), 1)),
                lambda weights, wanted: float(_shares(weights, wanted).sum(0).clip(max=1).mean()),
                lambda weights, wanted: float(_alone(weights, wanted).mean()),
                lambda weights, wanted: float(_alone(weights, wanted).max()),
                lambda weights, wanted: float(_alone(weights.mean(0, keepdims=True), wanted)[0]),
                lambda weights, wanted: float(_shares(weights, wanted).max(0).mean()),
            ),
            "With several heads you take them one by one, though the last matrix sees all at once. "
            "Can two mixtures together say more than either alone, or no more than one?",
        ),
        Misconception(
            "weights-read-off",
            any_of(
                lambda weights, wanted: float(weights[:, list(wanted)].sum() / len(wanted)),
                lambda weights, wanted: float((weights[:, list(wanted)] ** 2).sum() / len(wanted)),
            ),
            "You add up the wanted weights, or their squares, as they are. The last matrix can "
            "enlarge a mixture: what must those weights be compared with?",
        ),
        LENGTHS_FOR_SQUARES.by(
            changed(best_r_squared, "np.diag(onto_span)", "np.sqrt(np.diag(onto_span))"),
            lambda weights, wanted: float(np.sqrt(_shares(weights, wanted).sum(0)).mean()),
        ),
        Misconception(
            "unwanted-left-out",
            lambda weights, wanted: best_r_squared(weights[:, list(wanted)], range(len(wanted))),
            "You look at the wanted roles only, but the mixtures hold others as well. Can the last "
            "matrix take them out?",
        ),
        Misconception(
            "mean-forgotten",
            lambda weights, wanted: best_r_squared(weights, wanted) * len(wanted),
            "Where two roles are wanted, perfect heads would get 2 from you. Over how much is the "
            "share taken?",
        ),
        Misconception(
            "equal-heads-as-two-directions",
            any_of(_by_directions, _by_inverse),
            "You go wrong where a head can be made from the others. How many directions do two "
            "equal heads span?",
        ),
        Misconception(
            "heads-counted",
            lambda weights, wanted: min(len(weights), len(wanted)) / len(wanted),
            "You count heads. Does it not matter where they look?",
        ),
    ),
    compare=_close,
    alike=_alike,
    excused=("kind-of-numbers", "overflow"),  # weights are shares of 1
)
