"""Stretch: how much heads can explain whose keys hold roles only."""

import numpy as np

from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

_close = close(atol=1e-5, rtol=1e-4)


def best_r_squared(weights, wanted):
    """The mean over the wanted roles of the part of eₖ that lies in the span of the rows."""
    return _best(weights, wanted)


def _best(weights, wanted):
    wanted = list(wanted)
    onto_span = np.linalg.pinv(weights, rcond=1e-9) @ weights  # (R, R), a projection
    return float(np.diag(onto_span)[wanted].mean())


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


def _for_one_head(row, wanted):
    """Σ αₖ² over the wanted, divided by Σ α² over all, and by their number."""
    return (row[list(wanted)] ** 2).sum() / (row**2).sum() / len(wanted)


def _each_head_alone(weights, wanted):
    return float(min(sum(_for_one_head(row, wanted) for row in weights), 1.0))


def _heads_averaged(weights, wanted):
    return float(np.mean([_for_one_head(row, wanted) for row in weights]))


def _best_head(weights, wanted):
    return float(max(_for_one_head(row, wanted) for row in weights))


def _mean_head(weights, wanted):
    return float(_for_one_head(weights.mean(0), wanted))


def _best_head_for_each(weights, wanted):
    shares = weights**2 / (weights**2).sum(1, keepdims=True)
    return float(shares[:, list(wanted)].max(0).mean())


def _weights_read(weights, wanted):
    return float(weights[:, list(wanted)].sum() / len(wanted))


def _squares_read(weights, wanted):
    return float((weights[:, list(wanted)] ** 2).sum() / len(wanted))


def _by_directions(weights, wanted):
    """A direction for each head, whether the heads before have it or not."""
    found = np.linalg.qr(weights.T)[0]  # (R, H)
    return float((found[list(wanted)] ** 2).sum() / len(wanted))


def _by_inverse(weights, wanted):
    if np.linalg.matrix_rank(weights) < min(weights.shape):
        raise np.linalg.LinAlgError("Singular matrix")
    return _best(weights, wanted)


def _unwanted_left_out(weights, wanted):
    return _best(weights[:, list(wanted)], range(len(wanted)))


def _not_averaged(weights, wanted):
    return _best(weights, wanted) * len(wanted)


def _counted(weights, wanted):
    return min(len(weights), len(wanted)) / len(wanted)


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
    points=2,
    minutes=25,
    answer="best_r_squared",
    cases=bound_cases,
    reference=best_r_squared,
    misconceptions=(
        Misconception(
            "heads-added-up",
            _each_head_alone,
            "Right for one head. With two you add up what each explains alone. If both bring back "
            "nearly the same mixture, how much does the second one add?",
        ),
        Misconception(
            "heads-averaged",
            _heads_averaged,
            "Right for one head. With more you take the mean of what each explains alone. The last "
            "matrix sees all heads at once: does a second head take away from the first?",
        ),
        Misconception(
            "best-head-only",
            _best_head,
            "Right for one head. With more you take the best of them. The last matrix sees all "
            "heads at once: can two mixtures together say what neither says alone?",
        ),
        Misconception(
            "mean-of-the-heads",
            _mean_head,
            "Right for one head. With more you average their weights first. Does the last matrix "
            "see a mean, or each of them?",
        ),
        Misconception(
            "best-head-for-each-role",
            _best_head_for_each,
            "Right for one head. With more you ask for each role which head alone knows most of "
            "it. Can two mixtures together say what neither says alone?",
        ),
        Misconception(
            "weights-read-off",
            _weights_read,
            "This adds up the weights on the wanted roles. A weight of one half does not mean that "
            "one half is explained: what happens when the last matrix enlarges the mixture?",
        ),
        Misconception(
            "squares-not-compared",
            _squares_read,
            "Squares are the right thing to look at. With what must they be compared, so that "
            "weights twice as small tell as much?",
        ),
        Misconception(
            "unwanted-left-out",
            _unwanted_left_out,
            "You look at the wanted roles only. The mixtures hold the other roles as well. Can the "
            "last matrix take them out?",
        ),
        Misconception(
            "not-averaged",
            _not_averaged,
            "Right for a single wanted role. With two, perfect heads would get 2 from you. Over "
            "how much is the share taken?",
        ),
        Misconception(
            "equal-heads-as-two-directions",
            _by_directions,
            "Right as long as no head can be made from the others. With two equal heads you count "
            "a direction that is not there. How many directions do two equal heads span?",
        ),
        Misconception(
            "equal-heads-inverted",
            _by_inverse,
            "Right as long as no head can be made from the others. With two equal heads, there is "
            "a matrix that has no inverse. How many directions do two equal heads span?",
        ),
        Misconception(
            "heads-counted",
            _counted,
            "You count heads. Does it not matter where they look?",
        ),
    ),
    compare=_close,
    alike=_alike,
)
