"""Build a layer whose weights are set by hand: it detects words that stand together."""

from itertools import product

import numpy as np

from headway.tasks.chapters.soft_lookup.mistakes import ANOTHER_LAYOUT
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def with_one(X):
    """The words, (B, V), and the input that is always one behind them: (B, V+1)."""
    return np.concatenate([X, np.ones((len(X), 1))], axis=1)


def word_features_by_hand(X, groups):
    """W (V+1, F), with the bias in the last row, and ReLU([X, 1] W)."""
    V = X.shape[1]
    W = np.zeros((V + 1, len(groups)))
    for f, (wanted, unwanted) in enumerate(groups):
        W[list(wanted), f] = 1
        W[list(unwanted), f] = -1
        W[V, f] = 1 - len(wanted)
    return W, np.maximum(with_one(X) @ W, 0)


def all_sets(size: int) -> np.ndarray:
    """Every set of words, one a row, float (2^V, V)."""
    return np.array(list(product([0.0, 1.0], repeat=size)))


def behaves(got, expected, case) -> Difference | None:
    """Whether both the features and the weights do the same, on every set of words.

    Weights may differ that detect the same: what counts is what the layer gives.
    """
    size = case.inputs[0].shape[1]
    mine, theirs = _parts(got), _parts(expected)
    if mine is None:
        return Difference("two arrays of numbers are asked for: the weights and the features.")
    for name, one, other in zip(("W", "the features"), mine, theirs, strict=True):
        if one.shape != other.shape:
            return Difference(f"{name}: the shape is {one.shape}, expected {other.shape}.")
    if not np.allclose(mine[1], theirs[1], atol=1e-6):
        return Difference(_first_wrong(case.inputs[0], "", mine[1], theirs[1]), mine[1], theirs[1])
    sets = all_sets(size)
    fires, should = (np.maximum(with_one(sets) @ W, 0) for W in (mine[0], theirs[0]))
    if not np.allclose(fires, should, atol=1e-6):
        found = _first_wrong(sets, "ReLU([x, 1] W) of ", fires, should)
        return Difference(f"your features are right, but W gives others: {found}")
    return None


def _first_wrong(sets, of, got, expected) -> str:
    """In which set of words which feature is another than expected."""
    row, f = np.argwhere(~np.isclose(got, expected, atol=1e-6))[0]
    return (
        f"for the words {_words(sets[row])}, {of}feature {f} is {got[row, f]:.6g}, expected "
        f"{expected[row, f]:.6g}."
    )


def _parts(value) -> tuple[np.ndarray, np.ndarray] | None:
    try:
        W, features = (np.asarray(part, dtype=float) for part in value)
    except (TypeError, ValueError):
        return None
    return W, features


def _words(row) -> list[int]:
    return [int(i) for i in np.flatnonzero(row)]


def _exactly_alike(got, expected, case) -> Difference | None:
    """Whether two answers make the same mistake.

    That is, the same W and the same features; or the same faulty W, beside right features that
    somebody found without it.
    """
    mine, theirs = _parts(got), _parts(expected)
    if mine is None or theirs is None:
        return None if mine is theirs else Difference("one of the two is no pair of arrays.")
    right_W, right = word_features_by_hand(*case.inputs)
    if not _same(mine[0], theirs[0]):
        return Difference("the weights differ.")
    faulty = not _same(theirs[0], right_W)
    if _same(mine[1], theirs[1]) or (faulty and _same(mine[1], right)):
        return None
    return Difference("the features differ.")


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.allclose(one, other, atol=1e-6)


UNWANTED = "unwanted words"


def layer_cases(rng: np.random.Generator) -> list[Case]:
    a, b, c, d, e, _ = (int(i) for i in rng.permutation(6))
    some = all_sets(6)[rng.permutation(64)[:6]]
    most = np.zeros((1, 6))
    most[0, [a, b, c]] = 1
    pairs = [((a, c), ()), ((b, c), ())]
    against = [((a, c), (b,)), ((b, c), (a,)), ((d,), (e, a))]
    return [
        Case("pairs, on all sets of words", all_sets(6), [*pairs, ((a, e), ())], core=True),
        Case("two pairs with the same latest word", np.concatenate([most, some]), pairs),
        Case("three words", all_sets(4), [((0, 1, 3), ()), ((1, 2, 3), ())]),
        Case(
            "one, two and four words", all_sets(4), [((2,), ()), ((3, 0), ()), ((0, 1, 2, 3), ())]
        ),
        Case("unwanted words", all_sets(6), against, path=UNWANTED),
        Case(
            "several unwanted words",
            all_sets(4),
            [((1,), (0, 2, 3)), ((0, 3), (1, 2))],
            path=UNWANTED,
        ),
        Case("a set without words", np.zeros((1, 3)), [((0, 2), ()), ((1, 2), ())]),
        Case("a single set", all_sets(3)[-1:], [((0, 1), ())]),
    ]


def _with_groups(change):
    """The right features of other groups: change(wanted, unwanted, V) -> group."""
    return lambda X, groups: word_features_by_hand(
        X, [change(*group, X.shape[1]) for group in groups]
    )


BIAS = "1 - len(wanted)"
FEATURES = "np.maximum(with_one(X) @ W, 0)"
(_firmly,) = changed(word_features_by_hand, "f] = -1", "f] = -len(wanted)")
_no_bias = changed(word_features_by_hand, BIAS, "0")[0]

word_features = Task(
    id="04-soft-lookup/word-features",
    title="Weights by hand: words that stand together",
    kind="build",
    points=2,
    minutes=15,
    answer="word_features",
    cases=layer_cases,
    reference=word_features_by_hand,
    misconceptions=(
        Misconception(
            "wrong-bias",
            any_of(
                _no_bias,
                changed(_no_bias, f"return W, {FEATURES}", f"return W[:-1], {FEATURES}"),
                changed(_no_bias, FEATURES, "np.clip(with_one(X) @ W, 0, 1)"),
                changed(
                    _no_bias,
                    "    return",
                    "    W /= [len(wanted) for wanted, _ in groups]\n    return",
                ),
                # Of pairs, and no unwanted words.
                changed(*changed(word_features_by_hand, "f] = -1", "f] = 0"), BIAS, "-1"),
                changed(
                    word_features_by_hand,
                    BIAS,
                    "-1",
                    "0.5 - len(wanted)",
                    "-len(wanted)",
                    "len(wanted) - 1",
                ),
                changed(
                    word_features_by_hand,
                    "W[list(wanted), f] = 1",
                    "W[list(wanted), f] = 1 / len(wanted)",
                ),
            ),
            "Your bias does not fit your weights, at least in groups of some sizes. How high is "
            "the sum when all wanted words are there, and when one of them is missing?",
        ),
        Misconception(
            "relu-not-last",
            any_of(
                changed(
                    word_features_by_hand,
                    FEATURES,
                    "with_one(X) @ W",
                    "np.maximum(X @ W[:-1], 0) + W[-1]",
                ),
                changed(_firmly, FEATURES, "with_one(X) @ W"),
            ),
            "Where a wanted word is missing, some of your features are negative. Can anything "
            "negative come out of a ReLU, and is yours the last step?",
        ),
        Misconception(
            "unwanted-words-misjudged",
            any_of(
                changed(
                    word_features_by_hand,
                    "f] = -1",
                    *("f] = 0", "f] = -0.5", "f] = -1 / max(len(unwanted), 1)"),
                ),
                changed(word_features_by_hand, BIAS, "1 - len(wanted) - len(unwanted)"),
                _with_groups(lambda wanted, unwanted, V: ((*wanted, *unwanted), ())),
                _with_groups(lambda wanted, unwanted, V: (wanted, set(range(V)) - set(wanted))),
            ),
            "The wanted words count as they should, the others do not. What should a single "
            "unwanted word do to the sum, what should its absence do, and what the words that are "
            "neither?",
        ),
        ANOTHER_LAYOUT.by(
            *(
                changed(
                    weights,
                    f"return W, {FEATURES}",
                    f"return np.roll(W, 1, axis=0), {FEATURES}",
                    f"return W.T, {FEATURES}",
                    f"return {FEATURES}, W",
                )
                for weights in (word_features_by_hand, _firmly)
            )
        ),
    ),
    compare=behaves,
    alike=_exactly_alike,
    excused=("kind-of-numbers", "overflow"),
)
